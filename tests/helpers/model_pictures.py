"""Pictures of the Models page and of its dialog: ``python -m tests.helpers.model_pictures DIR``."""

import argparse
from pathlib import Path

from PySide6.QtWidgets import QApplication

from arena_desktop.domain.settings import Settings
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.helpers import sample_found as found


def main() -> None:
    """Write pictures and look."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="900x700")
    parser.add_argument("--suffix", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(["pictures"])
    wide, high = (int(part) for part in options.size.split("x"))
    for mode in ("light", "dark"):
        theme = Theme(app, mode)
        window = MainWindow(Settings(), ask_name=str, ask_file=str, ask_folder=str)
        window.build(theme)
        window.show_models(found.MODELS)
        window.show_found(found.FOUND)
        window.resize(wide, high)
        window.show()
        window.show_page("modelsPage")
        page = window.shell.models
        page.find_dialog.open_beside()
        for _ in range(10):
            app.processEvents()
        window.grab().save(str(options.folder / f"models-{mode}{options.suffix}.png"))
        page.find_dialog.grab().save(str(options.folder / f"find-{mode}{options.suffix}.png"))
        page.find_dialog.close()
        window.close()


if __name__ == "__main__":
    main()
