"""Asks for files and folders, with the dialogs of the system."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_where_to_save(parent: QWidget, name: str, kinds: str) -> str:
    """The path that a person chose for a file offered as ``name``, "" for never mind."""
    path, _ = QFileDialog.getSaveFileName(parent, "Save as", str(Path.home() / name), kinds)
    return path


def ask_which_files(parent: QWidget) -> list[str]:
    """The vote logs that a person chose, empty for never mind. Any name will do: files are known by what they hold."""
    paths, _ = QFileDialog.getOpenFileNames(parent, "Import votes from files", str(Path.home()), "All files (*)")
    return paths


def ask_which_folder(parent: QWidget) -> str:
    """The folder that a person chose, "" for never mind."""
    return QFileDialog.getExistingDirectory(parent, "Choose a folder", str(Path.home()))
