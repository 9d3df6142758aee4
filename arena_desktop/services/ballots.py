"""The votes of this session: what undo takes back, and names held back until a set is complete."""

from dataclasses import dataclass, replace

from arena_desktop.services.views import RevealView, SetLine


@dataclass(frozen=True)
class Ballot:
    """One vote of this session. ``held_back``: its names have not been shown yet."""

    vote_id: str
    listener: str
    reveal: RevealView
    line: SetLine
    held_back: bool = False


class Ballots:
    """Keeps the votes cast in this run of the program, newest last."""

    def __init__(self) -> None:
        self._cast: list[Ballot] = []
        self._total = 0

    @property
    def total(self) -> int:
        """How many votes were cast, those taken back included: it only ever grows."""
        return self._total

    def __len__(self) -> int:
        return len(self._cast)

    @property
    def in_set(self) -> int:
        """How many votes of the present set have been cast."""
        return len(self.held_back)

    @property
    def held_back(self) -> frozenset[str]:
        """Ids of the votes whose names are not shown yet."""
        return frozenset(ballot.vote_id for ballot in self._cast if ballot.held_back)

    def last(self) -> Ballot | None:
        """The newest vote, None when there is none."""
        return self._cast[-1] if self._cast else None

    def add(self, ballot: Ballot, set_size: int | None) -> RevealView | None:
        """A vote was stored. Returns what to reveal now: this battle, and with the last vote of a set of ``set_size``
        a line for each battle of the set; None while names are held back.
        """
        self._total += 1
        if set_size is None and not self.held_back:
            self._cast.append(ballot)
            return ballot.reveal
        self._cast.append(replace(ballot, held_back=True))
        if set_size is not None and self.in_set < set_size:
            return None
        lines = tuple(ballot.line for ballot in self._cast if ballot.held_back)
        self._cast = [replace(ballot, held_back=False) for ballot in self._cast]
        return replace(ballot.reveal, set_lines=lines)

    def remove(self, vote_id: str) -> None:
        """A vote was taken back."""
        self._cast = [ballot for ballot in self._cast if ballot.vote_id != vote_id]
