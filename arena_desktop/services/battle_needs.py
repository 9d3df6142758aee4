"""What a battle needs of others: where votes go, what stands beside it, the settings."""

from collections.abc import Mapping
from typing import Any, Protocol

from arena_desktop.domain.settings import Settings
from arena_desktop.services.battle_maker import PreparedBattle

Moves = Mapping[str, tuple[float, float]]
"""Live Elo before and after a vote, by model."""


class VoteStore(Protocol):
    """What becomes of a vote; every call runs on the store's thread."""

    def cast(self, draft: dict[str, Any], held_back: frozenset[str]) -> tuple[dict[str, Any], Moves | None]:
        """Store the vote durably and rate it; returns the record and Live Elo before and after, by model.

        ``held_back``: ids of votes whose names the listener has not been shown yet.
        """

    def take_back(self, vote_id: str, listener: str) -> None:
        """Retract a vote."""

    def tidy(self) -> None:
        """Nobody waits for a vote just now: what a commit has put off may be done."""

    def live_elo(self, arena: str) -> Mapping[str, float]:
        """Live Elo of the arena's models as the board shows it."""

    def sentence(self, record: Mapping[str, Any], *, of_set: bool) -> str:
        """The verdict in words after a vote, on the two it compared or after a set on the two at the top; may be empty.

        It takes a fit of the board.
        """


class Surroundings(Protocol):
    """What else a battle touches: the queue of prepared ones, and the other pages, which stand still while it is
    open.
    """

    def take(self) -> PreparedBattle | None: ...
    def battle_opened(self) -> None: ...
    def battle_closed(self) -> None: ...
    def vote_stored(self, prepared: PreparedBattle) -> None: ...
    def votes_changed(self, held_back: frozenset[str]) -> None: ...
    def look_around(self) -> None:
        """See whether somebody else changed the votes."""


class Preferences(Protocol):
    """The settings in force, and the way to change them."""

    @property
    def settings(self) -> Settings: ...
    def change(self, **values: object) -> None: ...
