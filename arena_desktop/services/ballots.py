"""The votes of this session: what undo takes back, and names held back until a set is complete."""

from dataclasses import replace

from arena_desktop.services.views import RevealView


class Ballots:
    """Keeps the votes cast in this run of the program, newest last."""

    def __init__(self) -> None:
        self._cast: list[tuple[str, str]] = []
        self._set: list[tuple[str, str]] = []

    def __len__(self) -> int:
        return len(self._cast)

    @property
    def in_set(self) -> int:
        """How many votes of the present set have been cast."""
        return len(self._set)

    @property
    def held_back(self) -> frozenset[str]:
        """Ids of the votes whose names are not shown yet."""
        return frozenset(vote_id for vote_id, _ in self._set)

    def last(self) -> tuple[str, str] | None:
        """Id and listener of the newest vote, None when there is none."""
        return self._cast[-1] if self._cast else None

    def add(self, vote_id: str, listener: str, reveal: RevealView, set_size: int | None) -> RevealView | None:
        """A vote was stored. Returns what to reveal now: this battle, or, with the last vote of a set of ``set_size``,
        a line for each battle of the set; None while names are held back.
        """
        self._cast.append((vote_id, listener))
        if set_size is None and not self._set:
            return reveal
        self._set.append((vote_id, reveal.sentences[0]))
        if set_size is not None and len(self._set) < set_size:
            return None
        reveal = replace(reveal, sentences=tuple(sentence for _, sentence in self._set))
        self._set = []
        return reveal

    def remove(self, vote_id: str) -> None:
        """A vote was taken back."""
        self._cast = [vote for vote in self._cast if vote[0] != vote_id]
        self._set = [vote for vote in self._set if vote[0] != vote_id]
