"""Views of the lenses as the services would send them, for tests: few models, many, none, odd names."""

import itertools
import math
from collections.abc import Sequence

from arena_desktop.services.board_views import (
    AuditLine,
    AuditView,
    ChartsView,
    ContributorsView,
    Day,
    Estimate,
    FrontPoint,
    GroupBoard,
    GroupBy,
    GroupRow,
    GroupsView,
    HistoryView,
    LensView,
    Marker,
    Method,
    Named,
    Neighbours,
    Option,
    PairCell,
    PairsView,
    RatingBar,
    Series,
    Severity,
    WhatIfLens,
    WhatIfRow,
    WhatIfView,
)
from arena_desktop.services.views import Choice
from tests.helpers import sample_views as sample

RTL = "صوت عربي طويل"
LONG = "A voice with a name that goes on for much longer than anybody would ever have liked it to go on"
ODD = f'\u202eback\u202c <b>&amp; "{LONG}"'


def names(count: int) -> tuple[Named, ...]:
    """``count`` models; the first three have names that are hard to show."""
    hard = (RTL, LONG, ODD)
    plain = [Named(f"lab/voice-{n}", f"Voice {n}") for n in range(count)]
    return tuple(Named(f"lab/hard-{n}", hard[n]) if n < len(hard) and count > 5 else plain[n] for n in range(count))


SAMPLE = tuple(Named(row.repo_id, row.name) for row in sample.BOARD.rows)


def _rating(place: int, count: int) -> Estimate:
    value = 1000.0 + 300 * (0.5 - place / max(1, count - 1))
    return Estimate(value, value - 40 - place, value + 40 + place)


def pairs(models: Sequence[Named] = SAMPLE, *, island: int = 0, arena: str = "english") -> PairsView:
    """Everybody met everybody, but for the last ``island`` models, who met only each other."""

    def cell(r: int, c: int) -> PairCell | None:
        if r == c:
            return None
        away = len(models) - island
        if (r >= away) != (c >= away):
            return PairCell()
        games = 12 + (r * 7 + c * 7) % 9
        wins = min(games - 2, round((games - 2) * (0.5 + (c - r) * 0.06))) if c > r else 0
        wins = max(0, wins) if c > r else games - 2 - (cell(c, r) or PairCell()).wins
        share = (wins + 1) / games
        residual = 3.1 if (r, c) == (0, 1) else -3.1 if (r, c) == (1, 0) else 0.4
        return PairCell(games, wins, games - 2 - wins, 1, 1, share, 0.5, residual, {r, c} == {0, 1})

    count = len(models)
    return PairsView(
        arena=arena,
        models=tuple(models),
        cells=tuple(tuple(cell(r, c) for c in range(count)) for r in range(count)),
        neighbours=tuple(
            Neighbours(a, b, f"You prefer {a.name} over {b.name} 7 of 9 times: likely, not yet sure.", 6)
            for a, b in itertools.pairwise(models)
        ),
        cycles=tuple(
            f"{a.name} beats {b.name}, {b.name} beats {c.name}, and {c.name} beats {a.name}."
            for a, b, c in zip(models, models[1:], models[2:], strict=False)
        )[:1],
        notes=("Voice 1 and Voice 2 are not connected by any battle.",) if island else (),
    )


def groups(models: Sequence[Named] = SAMPLE, *, count: int = 4, arena: str = "english") -> GroupsView:
    """``count`` groups; the last model has no vote in the last group."""
    titles = ("Everyday", "Numbers and names", "Emotion", LONG, RTL, "", "Long", "Short")

    def row(place: int, group: int) -> GroupRow:
        if place == len(models) - 1 and group == count - 1:
            return GroupRow(models[place], Estimate(), None, 0, Estimate())
        rating = _rating(place, len(models))
        return GroupRow(models[place], rating, (rating.value or 0) + 9, 30 - group, Estimate(0.91, 0.81, 0.96))

    boards = tuple(
        GroupBoard(
            titles[g % len(titles)],
            120 - 10 * g,
            tuple(row(place, g) for place in range(len(models))),
            0.3 + 0.1 * (g % 5),
            "Few votes." if g else "",
        )
        for g in range(count)
    )
    return GroupsView(arena, GroupBy.CATEGORY, tuple(models), boards, "The categories do not differ measurably.")


def history(models: Sequence[Named] = SAMPLE, *, moments: int = 30, arena: str = "english") -> HistoryView:
    """Lines that spread; the last model joins half-way; the first two moments have no date."""
    start = 1_780_000_000.0

    def series(place: int) -> Series:
        late = place == len(models) - 1 and moments > 1
        goal = _rating(place, len(models)).value or 1000.0
        values: list[float | None] = []
        half: list[float | None] = []
        for k in range(moments):
            known = not (late and k < moments // 2)
            values.append(1000 + (goal - 1000) * (1 - math.exp(-k / 8)) + 8 * math.sin(k + place) if known else None)
            half.append(200 / math.sqrt(k + 2) if known else None)
        both = list(zip(values, half, strict=True))
        low = tuple(None if v is None or h is None else v - h for v, h in both)
        high = tuple(None if v is None or h is None else v + h for v, h in both)
        return Series(models[place], tuple(values), low, high)

    return HistoryView(
        arena,
        Method.RATING,
        tuple(10 * (k + 1) for k in range(moments)),
        tuple(None if k < 2 and moments > 2 else start + 40_000.0 * k for k in range(moments)),
        tuple(series(place) for place in range(len(models))),
        (Marker(150, "eSpeak NG joined."),) if moments > 15 else (),
    )


def what_if(lens: WhatIfLens = WhatIfLens(), *, problem: str = "", arena: str = "english") -> WhatIfView:  # noqa: B008
    """Three listeners, three categories."""
    listeners = ("Me", "Ada", RTL)
    rows = (
        ()
        if problem
        else tuple(
            WhatIfRow(row, (-1) ** n * 12.0 * n if row.rating else None, (1, -1, 0)[n % 3] if row.rank else None)
            for n, row in enumerate(sample.BOARD.rows)
        )
    )
    return WhatIfView(
        arena=arena,
        lens=lens,
        listeners=tuple(Option(Choice(f"l-{n}", name), 40 - n) for n, name in enumerate(listeners)),
        prompts=tuple(Option(Choice(f"p-{n}", f"Sentence number {n}, {LONG}"), 3) for n in range(40)),
        categories=tuple(Option(Choice(c.id, c.title), 20) for c in sample.READY.categories),
        conditions=(Option(Choice("", ""), 104),),
        kept=90,
        total=104,
        rows=rows,
        sentence="" if problem else "Without these votes Kokoro, Heart still leads.",
        problem=problem,
    )


def charts(models: Sequence[Named] = SAMPLE, *, days: int = 12, arena: str = "english") -> ChartsView:
    """Every second model is dominated; the last one has no size and no speed."""
    count = len(models)
    some = list(enumerate(models))[: count - 1] if count > 1 else list(enumerate(models))

    def point(place: int, model: Named, x: float) -> FrontPoint:
        return FrontPoint(model, x, _rating(place, count), bool(place % 2))

    return ChartsView(
        arena=arena,
        title="Ratings for you",
        ratings=tuple(RatingBar(model, _rating(n, count), 1 + n // 3) for n, model in enumerate(models)),
        size=tuple(point(n, model, (82.0, 82.0, 16.0, 6.0, 500.0, 1200.0)[n % 6]) for n, model in some),
        speed=tuple(point(n, model, 0.02 * (n + 1)) for n, model in some),
        days=tuple(Day(f"2026-11-{d + 1:02}", (d * 5) % 13 + 1) for d in range(days) if d != 3),
        no_size=models[-1:] if count > 1 else (),  # type: ignore[arg-type]
        no_speed=models[-1:] if count > 1 else (),  # type: ignore[arg-type]
        undated=1,
    )


def audit(*, arena: str = "english") -> AuditView:
    """One check of each severity."""
    lines = (
        AuditLine(
            "islands",
            "Islands",
            Severity.SERIOUS,
            "Two groups of models never met.",
            "Ratings across them are the prior's doing.",
            "Have them meet at least five times.",
            (("Groups", "2"), (LONG, ODD)),
        ),
        AuditLine(
            "side",
            "Side",
            Severity.WARNING,
            "Sample A won 61 % of decided votes.",
            "",
            "Check the headphones.",
            (("A won", "61 % (52–69 %)"),),
        ),
        AuditLine("ties", "Ties", Severity.NOTICE, "Counting ties otherwise swaps two models."),
        AuditLine("early", "Early and late", Severity.UNKNOWN, "Fewer than 50 votes: nothing can be said."),
        AuditLine("cycles", "Cycles", Severity.OK, "No three models beat each other in a ring."),
    )
    return AuditView(arena, 104, "One serious finding and one warning.", lines)


def contributors() -> ContributorsView:
    """One contributor who is odd and one who is not."""
    lines = (
        AuditLine(
            "one",
            "l-aaaaaaaaaaaaaaaa at 5c0cbb54",
            Severity.WARNING,
            "59 of 59 votes came before both clips could be heard.",
            "",
            'Exclude with:\nexclusions:\n  - {listener: "l-aaaaaaaaaaaaaaaa", reason: "too fast"}',
            (("votes", "60, 2 % of the board"),),
        ),
        AuditLine("two", LONG, Severity.OK, "60 votes, 2 % of the board: nothing speaks against them."),
    )
    return ContributorsView("english", 120, "2 contributors; the votes of one are unlike those of a listener.", lines)


def every_view(models: Sequence[Named] = SAMPLE) -> dict[str, LensView]:
    """One view for each lens's tab."""
    return {
        "lensPairs": pairs(models),
        "lensGroups": groups(models),
        "lensHistory": history(models),
        "lensWhatIf": what_if(),
        "lensCharts": charts(models),
        "lensAudit": audit(),
        "lensContributors": contributors(),
    }


def empty_views() -> dict[str, LensView]:
    """The lenses of an arena without a vote."""
    return {
        "lensPairs": PairsView("english", (), (), ()),
        "lensGroups": GroupsView("english", GroupBy.CATEGORY, (), ()),
        "lensHistory": HistoryView("english", Method.RATING, (), (), ()),
        "lensWhatIf": WhatIfView("english", WhatIfLens(), (), (), (), (), 0, 0, ()),
        "lensCharts": ChartsView("english", "", (), (), (), ()),
        "lensAudit": AuditView("english", 0, "", ()),
        "lensContributors": ContributorsView("english", 0, "Nobody has voted here yet.", ()),
    }
