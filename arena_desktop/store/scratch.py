"""A private database for what is too much for memory: on disk when it grows, gone when it is closed."""

import sqlite3
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from arena_desktop.store.sql_errors import worded
from arena_desktop.store.statements import Statements


class Scratch(Statements):
    """Errors name the folder for temporary files."""

    def __init__(self) -> None:
        self.path = Path(tempfile.gettempdir())
        with worded(self.path):
            self._connection = sqlite3.connect("", isolation_level=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
