"""Pictures of the Leaderboard page through every lens, and every chart saved as PNG and SVG, from simulated logs.

``python -m tests.helpers.board_pictures DIR`` makes all of them: 12 voices and 3,000 votes of 40 listeners, and one
listener with 15 votes; light and dark; at 100 % and 200 %.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPushButton

from arena_desktop.domain.settings import Settings
from arena_desktop.services.board_views import Lens
from arena_desktop.ui.charts.chart import Chart
from arena_desktop.ui.lenses.catalogue import LENSES
from arena_desktop.ui.lenses.pairs import PairsPanel
from arena_desktop.ui.lenses.panel import LensPanel
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.helpers.demo_boards import DemoBoard, home_board, panel_board

PARTS = {
    "lensPairs": ("pairsMatrix", "pairsNeighbours", "pairsCycles"),
    "lensCharts": ("chartRatings", "chartSize", "chartSpeed", "chartDays"),
}
BOARDS = {"panel": panel_board, "home": home_board}


class Looking:
    """Answers the page from the log, at once."""

    def __init__(self, window: MainWindow, demo: DemoBoard) -> None:
        self._window, self._demo = window, demo

    def show_arena(self, arena: str) -> None:
        self._window.show_board(self._demo.board)

    def look(self, lens: Lens | None) -> None:
        if lens is not None:
            self._window.show_lens(self._demo.look(lens))

    def export(self, form: str, path: str) -> None:
        self._window.show_exported(path)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="1080x760")
    parser.add_argument("--board", choices=BOARDS, help="this board alone, at the scale of this process")
    parser.add_argument("--suffix", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.board is None:
        for board in BOARDS:
            for scale in ("1", "2"):
                suffix = "" if scale == "1" else "-200"
                command = [sys.executable, "-m", "tests.helpers.board_pictures", str(options.folder)]
                command += ["--board", board, "--suffix", suffix, "--size", options.size]
                environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "QT_SCALE_FACTOR": scale}
                subprocess.run(command, check=True, env=environment)
        return
    wide, high = (int(part) for part in options.size.split("x"))
    app = QApplication(["pictures"])
    with tempfile.TemporaryDirectory() as folder:
        demo = BOARDS[options.board](Path(folder))
        for mode in ("light", "dark"):
            theme = Theme(app, mode)
            window = MainWindow(Settings(), ask_name=str, ask_file=str, ask_path=lambda name, kinds: "")
            window.build(theme)
            window.resize(wide, high)
            window.shell.leaderboard.attach(Looking(window, demo))
            window.show_board(demo.board)
            window.show()
            window.show_page("leaderboardPage")
            for name in _walk(window):
                _settle(app)
                window.grab().save(str(options.folder / f"{options.board}-{name}-{mode}{options.suffix}.png"))
            if not options.suffix:
                _save_charts(window, options.folder, f"{options.board}-{mode}")
            window.close()
        demo.close()


def _walk(window: MainWindow) -> Iterator[str]:
    """Through every lens and every part of it."""
    for tab in LENSES:
        _press(window, tab.id)
        for part in PARTS.get(tab.id, ("",)):
            if part:
                _press(window, part)
            yield f"{tab.id}{'-' if part else ''}{part}"


def _press(window: MainWindow, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None, name
    button.click()


def _settle(app: QApplication) -> None:
    for _ in range(6):
        app.processEvents()


def _save_charts(window: MainWindow, folder: Path, name: str) -> None:
    savers: list[Chart | LensPanel] = [*window.findChildren(Chart), *window.findChildren(PairsPanel)]
    for place, chart in enumerate(savers):
        for ending in ("png", "svg"):
            assert isinstance(chart, Chart | PairsPanel)
            chart.save(folder / f"saved-{name}-{place}.{ending}")


if __name__ == "__main__":
    main()
