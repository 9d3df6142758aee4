"""Pictures of every page: ``python -m tests.helpers.screenshots DIR``. QT_SCALE_FACTOR scales the screen.

The Leaderboard page through all its lenses, over real logs: ``python -m tests.helpers.board_pictures DIR``.
"""

import argparse
from pathlib import Path

from PySide6.QtWidgets import QApplication

from arena_desktop.domain.settings import Settings
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.helpers import sample_views as sample

PICTURES = (
    ("listen", "listenPage", sample.READY),
    ("listen-clones", "listenPage", sample.CLONES),
    ("listen-no-reference", "listenPage", sample.NO_REFERENCE),
    ("listen-vote", "listenPage", sample.OPEN),
    ("listen-revealed", "listenPage", sample.REVEALED),
    ("listen-taken-back", "listenPage", sample.TAKEN_BACK),
    ("listen-set", "listenPage", sample.SET),
    ("listen-set-taken-back", "listenPage", sample.SET_TAKEN_BACK),
    ("listen-blocked", "listenPage", sample.BLOCKED),
    ("listen-own", "listenPage", sample.OWN_TEXT),
    ("listen-held", "listenPage", sample.HELD_BACK),
    ("leaderboard", "leaderboardPage", None),
    ("models", "modelsPage", None),
    ("settings", "settingsPage", None),
)


def main() -> None:
    """Write one PNG a page and look."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="1080x760")
    parser.add_argument("--font", type=float, default=1.0)
    parser.add_argument("--suffix", default="")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(["screenshots"])
    font = app.font()
    font.setPointSizeF(max(10.0, font.pointSizeF()) * options.font)
    app.setFont(font)
    wide, high = (int(part) for part in options.size.split("x"))
    for mode in ("light", "dark"):
        theme = Theme(app, mode)
        theme.set_base_font(font)
        window = MainWindow(Settings(), ask_name=str, ask_file=str)
        window.build(theme)
        window.shell.settings.setEnabled(True)
        window.show_board(sample.BOARD)
        window.show_models(sample.MODELS)
        window.show_devices(sample.DEVICES)
        window.resize(wide, high)
        window.show()
        for name, page, view in PICTURES:
            if options.only and options.only != name:
                continue
            if view is not None:
                window.show_listen(view)
                window.show_preparing(sample.PREPARING_MANY if "revealed" in name else sample.OFFERED)
            window.show_page(page)
            for _ in range(3):
                app.processEvents()
            window.grab().save(str(options.folder / f"{name}-{mode}{options.suffix}.png"))
        window.close()


if __name__ == "__main__":
    main()
