"""What is known of models on this machine, kept between runs: how the services see such a file."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Kept(Protocol):
    """A file of rows, which belong to one machine each."""

    def read(self, machine: str) -> list[dict[str, Any]]: ...
    def change(
        self, machine: str, title: str, change: Callable[[list[dict[str, Any]]], list[Mapping[str, Any]]]
    ) -> None: ...
