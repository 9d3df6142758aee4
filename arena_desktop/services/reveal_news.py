"""What a reveal learns after it was shown: the verdict on its vote, where the ratings went, that it was taken back."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_desktop.services.battle_needs import VoteStore
from arena_desktop.services.gone_arena import unless_gone
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_view import Table


class RevealNews:
    """Adds it to the reveal on ``table`` and says ``changed``. Nothing waits for it: what comes too late is dropped."""

    def __init__(self, table: Table, store: JobThread, votes: VoteStore, changed: Callable[[], None]) -> None:
        self._table = table
        self._store = store
        self._votes = votes
        self._changed = changed
        self._record: Mapping[str, Any] = {}

    def begin(self, record: Mapping[str, Any]) -> None:
        """The reveal on the table is that of this vote."""
        self._record = record

    def end(self) -> None:
        """The table is being cleared."""
        self._record = {}

    def taken_back(self, vote_id: str) -> None:
        """A vote was retracted: the one that is revealed, perhaps. Says nothing to ``changed``."""
        if self._table.reveal is not None and vote_id == self._record.get("id"):
            self._table.reveal = replace(self._table.reveal, taken_back=True)

    def ask(self) -> None:
        """The board may be looked at now."""
        record, reveal = self._record, self._table.reveal
        if not record or reveal is None:
            return
        of_set, arena = bool(reveal.set_lines), str(record["arena"])
        self._store.ask(
            lambda: self._votes.sentence(record, of_set=of_set), lambda said: self._judged(record, said), unless_gone
        )
        if reveal.a.follows:
            self._store.ask(lambda: self._votes.live_elo(arena), lambda elo: self._followed(record, elo), unless_gone)

    def _judged(self, record: Mapping[str, Any], sentence: str) -> None:
        reveal = self._table.reveal
        if sentence and reveal is not None and record is self._record and not reveal.taken_back:
            self._table.reveal = replace(reveal, sentences=(*reveal.sentences, sentence))
            self._changed()

    def _followed(self, record: Mapping[str, Any], elo: Mapping[str, float]) -> None:
        """The log has been read, this vote with it: its step alone is not known, where it led to is."""
        reveal = self._table.reveal
        if reveal is not None and record is self._record:
            a, b = (replace(model, after=elo.get(model.repo_id), follows=False) for model in (reveal.a, reveal.b))
            self._table.reveal = replace(reveal, a=a, b=b)
            self._changed()
