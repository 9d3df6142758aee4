"""Asks where to save a file."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_where_to_save(parent: QWidget, name: str, kinds: str) -> str:
    """The path that a person chose for a file offered as ``name``, "" for never mind."""
    path, _ = QFileDialog.getSaveFileName(parent, "Save as", str(Path.home() / name), kinds)
    return path
