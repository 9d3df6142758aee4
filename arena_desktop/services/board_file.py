"""Writes the board of an arena to a file, from the window."""

from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.services.board import Board
from arena_desktop.services.exports import board_export, board_report


def write_board(board: Board, arena: str, form: str, path: Path) -> None:
    """The board of ``arena`` as the ``leaderboard`` command writes it. Raises :class:`ArenaError` where it can't."""
    content = board_export(board_report(board, arena), form)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ArenaError(
            f"The board can't be written to {path} ({error.strerror or error}).", "Choose another folder."
        ) from error
