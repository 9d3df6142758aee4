"""The two buttons that save a picture as PNG and as SVG."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QWidget

from arena_desktop.ui.lenses.panel import AskPath
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton


class SaveButtons(QWidget):
    """``save`` writes to the path that was chosen; its ending is ``.png`` or ``.svg``."""

    def __init__(self, title: str, theme: Theme, ask_path: AskPath, save: Callable[[Path], None]) -> None:
        super().__init__()
        self._name = "-".join("".join(c if c.isalnum() else " " for c in title.casefold()).split())
        self._ask_path, self._save = ask_path, save
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for ending in ("png", "svg"):
            kind = ending.upper()
            button = IconButton(
                kind, "file", theme, name=f"Save {title} as {kind}", tip=f"Save this chart as {kind}", quiet=True
            )
            button.setObjectName(f"save-{self._name}-{ending}")
            button.clicked.connect(lambda _=False, ending=ending: self._ask(ending))
            row.addWidget(button)

    def _ask(self, ending: str) -> None:
        chosen = self._ask_path(f"{self._name}.{ending}", f"{ending.upper()} (*.{ending})")
        if chosen:
            path = Path(chosen)
            self._save(path if path.suffix.lower() == f".{ending}" else path.with_name(f"{path.name}.{ending}"))
