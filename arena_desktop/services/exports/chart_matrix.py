"""The win matrix as a heat map: the row's score against the column."""

from arena_desktop.services.board_views import PairCell, PairsView
from arena_desktop.services.exports.markup import element
from arena_desktop.services.exports.plain import percent
from arena_desktop.services.exports.svg import CHAR, box, chart, hint, label, short, wide

_NAME = 22  # letters of a model's name
_NARROW = 20.0  # pixels of a cell, below which names stand upright and small


def matrix_chart(view: PairsView) -> str:
    """The matrix of the models on the board, best first; "" if none met."""
    models = view.models
    met = sum(1 for row in view.cells for found in row if found is not None and found.games) // 2
    if not met:
        return ""
    cell = max(13.0, min(34.0, 620.0 / len(models)))
    names = [short(model.name, _NAME) for model in models]
    room = CHAR * max(map(wide, names)) + 12
    narrow = cell < _NARROW
    kind, turn = ("tiny", -90) if narrow else ("label", -45)
    left, top = room, (1.0 if narrow else 0.75) * room + 12
    parts = []
    for row, model in enumerate(models):
        y = top + cell * row
        parts.append(label(left - 6, y + cell / 2 + 4, names[row], anchor="end", kind=kind))
        x = left + cell * row + cell / 2 + (4 if narrow else 0)
        parts.append(label(x, top - 6, names[row], kind=kind, turn=turn))
        for column, other in enumerate(models):
            found = view.cells[row][column]
            if found is not None:
                parts.append(_cell(found, left + cell * column, y, cell, f"{model.name} against {other.name}"))
    size = cell * len(models)
    said = f"Score of the row against the column; {met} of {len(models) * (len(models) - 1) // 2} pairs met."
    return chart("matrix", "Who beat whom", said, left + size + 0.75 * room, top + size + 8, *parts)


def _cell(found: PairCell, x: float, y: float, size: float, who: str) -> str:
    if found.share is None:
        return element("g", hint(f"{who}: never met"), box(x, y, size - 1, size - 1, "never"))
    lead = found.share - 0.5
    expected = f", expected {percent(found.expected)}" if found.expected is not None else ""
    said = f"{who}: {percent(found.share)} of {found.games}{expected}"
    said += f" ({found.wins} won, {found.losses} lost, {found.ties} tied, {found.both_bad} both bad)"
    shade = f"{0.08 + 1.5 * abs(lead):.2f}" if lead else "0.08"
    parts = [box(x, y, size - 1, size - 1, "win" if lead >= 0 else "loss", fill_opacity=shade)]
    if size >= 26:
        number = str(int(100 * found.share + 0.5))
        parts.append(label(x + size / 2, y + size / 2 + 4, number, anchor="middle", kind="cell"))
    return element("g", hint(said), *parts)
