"""Pictures of the History page and of the dialogs that bring votes in and out.

``python -m tests.helpers.exchange_pictures DIR``: light and dark, at 100 % and 200 %, wide and narrow.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from arena_desktop.domain.settings import Settings
from arena_desktop.services.exchange_views import ExchangeView, HistoryView
from arena_desktop.ui.exchange.export_dialog import ExportDialog
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.import_dialog import ImportDialog
from arena_desktop.ui.exchange.sync_dialog import SyncDialog
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.helpers import sample_exchange as sample

PAGES: tuple[tuple[str, HistoryView], ...] = (
    ("history-page", sample.HISTORY),
    ("history-filtered", sample.HISTORY_FILTERED),
    ("history-empty", sample.HISTORY_EMPTY),
    ("history-none-fits", sample.HISTORY_NONE_FITS),
    ("history-long", sample.HISTORY_LONG),
)
RUNS = (("1", "1080x760", ""), ("2", "1080x760", "-200"), ("1", "900x640", "-narrow"))


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size")
    parser.add_argument("--suffix", default="")
    parser.add_argument("--font", type=float, default=1.0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.size is None:
        for scale, size, suffix in RUNS:
            command = [sys.executable, "-m", "tests.helpers.exchange_pictures", str(options.folder)]
            command += [f"--suffix={suffix}", "--size", size]
            environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "QT_SCALE_FACTOR": scale}
            subprocess.run(command, check=True, env=environment)
        return
    wide, high = (int(part) for part in options.size.split("x"))
    app = QApplication(["pictures"])
    font = app.font()
    font.setPointSizeF(max(10.0, font.pointSizeF()) * options.font)
    for mode in ("light", "dark"):
        theme = Theme(app, mode)
        theme.set_base_font(font)
        window = MainWindow(Settings(), ask_name=str, ask_file=str, ask_path=lambda name, kinds: "")
        window.build(theme)
        window.resize(wide, high)
        window.show()
        window.show_page("historyPage")
        window.show_exchange(sample.IDLE)
        for name, view in PAGES:
            window.show_history(view)
            window.shell.history.list.table.selectRow(1)
            _settle(app)
            window.grab().save(str(options.folder / f"{name}-{mode}{options.suffix}.png"))
        for name, dialog in _dialogs(window, theme):
            _settle(app)
            dialog.grab().save(str(options.folder / f"{name}-{mode}{options.suffix}.png"))
            dialog.end()
            dialog.deleteLater()
        window.close()


def _dialogs(window: MainWindow, theme: Theme) -> Iterator[tuple[str, ExchangeDialog]]:
    """Every dialog at every step."""
    views: tuple[ExchangeView, ...]
    for name, views in (
        ("import-reading", (sample.READING,)),
        ("import-preview", (sample.READING, sample.PREVIEWED)),
        ("import-storing", (sample.PREVIEWED, sample.STORING)),
        ("import-done", (sample.STORING, sample.IMPORTED)),
        ("import-failed", (sample.STORING, sample.FAILED)),
    ):
        yield name, _shown(ImportDialog(["/media/usb/a.jsonl"], theme, window), views)
    choices = sample.HISTORY.arenas, sample.HISTORY.listeners
    for name, views in (
        ("export", (sample.SHARED,)),
        ("export-writing", (sample.SHARED, sample.WRITING)),
        ("export-done", (sample.WRITING, sample.WRITTEN)),
        ("export-failed", (sample.SHARED, sample.WRITING, sample.FAILED)),
    ):
        yield name, _shown(ExportDialog(*choices, lambda name, kinds: "", theme, window), views)
    for name, views in (
        ("sync-none", (ExchangeView(),)),
        ("sync", (sample.IDLE,)),
        ("sync-private", (replace(sample.IDLE, sync=replace(sample.SYNC, private=True, problems=())),)),
        ("sync-running", (sample.SYNCING,)),
    ):
        yield name, _shown(SyncDialog(str, theme, window), views)


def _shown(dialog: ExchangeDialog, views: tuple[ExchangeView, ...]) -> ExchangeDialog:
    dialog.show()
    for view in views:
        dialog.show_view(view)
    return dialog


def _settle(app: QApplication) -> None:
    for _ in range(8):
        app.processEvents()


if __name__ == "__main__":
    main()
