"""Exactly what an export would hand over, before it is written: counted over the very records that it would write."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.records import VOTE, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.vote_filter import VoteFilter, filter_time
from arena_desktop.services.exchange_views import ExportWish, ShareField, ShareView
from arena_desktop.services.exports.plain import one_line
from arena_desktop.services.left_out import in_words
from arena_desktop.services.share_kinds import BESIDE, KINDS, Kind
from arena_desktop.services.vote_export import TABLES
from arena_desktop.services.vote_exports.judge import JudgedVote
from arena_desktop.services.vote_exports.source import ExportSource
from arena_desktop.store.vote_log import VoteLog

_LONGEST = 60


def filter_of(wish: ExportWish) -> VoteFilter:
    """The votes that a wish picks. :class:`UsageError` for a date that is none."""
    return VoteFilter(
        arena=wish.arena or None,
        study=wish.study or None,
        listener=wish.listener or None,
        since=filter_time(wish.since or None, "From"),
        until=filter_time(wish.until or None, "Until"),
    )


def share_view(
    log: VoteLog,
    wish: ExportWish,
    *,
    roster: Roster | None = None,
    policy: Policy | None = None,
    silent: bool = False,
    progress: Callable[[int], None] | None = None,
) -> ShareView:
    """What the export of ``wish`` would hand over, kind by kind, and what of these records would stay here.

    ``roster``, ``policy``, ``silent`` and ``progress`` are those of the export.
    """
    with log.moment() as then:
        # Private parts are read even for a public export: what stays is counted, too.
        source = ExportSource(
            then, filter_of(wish), public=False, roster=roster, policy=policy, silent=silent, progress=progress
        )
        tally = _Tally()
        for record in _records(source, wish.format):
            tally.add(record)
    return ShareView(wish, tally.records, tally.votes, tuple(tally.fields(wish)), tuple(_notes(wish, source, tally)))


def _records(source: ExportSource, form: str) -> Iterable[Mapping[str, Any]]:
    if form == "jsonl":
        return source.records()
    if form in TABLES:
        return map(_row, source.votes())
    return source.counted()


def _row(vote: JudgedVote) -> Mapping[str, Any]:
    """A vote of a table, with what the table has beside its record."""
    if vote.why_not is None:
        return vote.record
    reason = None if vote.retraction is None else vote.retraction.get("reason")
    return {**vote.record, BESIDE: {"reason": reason, "excluded": vote.excluded or None}}


class _Tally:
    """Counts, for each kind, the records that have it, and keeps the first of them as the example."""

    def __init__(self) -> None:
        self.records = 0
        self.votes = 0
        self._counts = [0] * len(KINDS)
        self._examples = [""] * len(KINDS)
        self._finders: list[Callable[[Mapping[str, Any]], object]] = [kind.find for kind in KINDS]

    def add(self, record: Mapping[str, Any]) -> None:
        """Look at one record."""
        self.records += 1
        self.votes += type_of(record) == VOTE
        counts = self._counts
        for place, find in enumerate(self._finders):
            found = find(record)
            if found:
                counts[place] += 1
                if not self._examples[place]:
                    self._examples[place] = str(found)
                    self._finders[place] = KINDS[place].finder()  # from now on it need only be there

    def fields(self, wish: ExportWish) -> Iterable[ShareField]:
        """The kinds that there are, and the private ones even where there is nothing of them to leave."""
        for kind, count, example in zip(KINDS, self._counts, self._examples, strict=True):
            if count or kind.private:
                yield ShareField(kind.title, bool(count) and self._leaves(kind, wish), count, _short(example))

    def leaving(self, wish: ExportWish, *, private: bool) -> bool:
        """Whether something of these kinds really leaves."""
        return any(
            count and kind.private == private and self._leaves(kind, wish)
            for kind, count in zip(KINDS, self._counts, strict=True)
        )

    def _leaves(self, kind: Kind, wish: ExportWish) -> bool:
        return kind.leaves(wish.format, public=wish.public)


def _notes(wish: ExportWish, source: ExportSource, tally: _Tally) -> Iterable[str]:
    if tally.records:
        yield from _what_it_means(wish, source, tally)
    if source.left_out:
        yield _not_counting(sum(source.left_out.values()), in_words(source.left_out), wish.format in TABLES)
    if tally.records:
        yield "What has left can't be called back: taking a vote back later reaches only those who import it."


def _what_it_means(wish: ExportWish, source: ExportSource, tally: _Tally) -> Iterable[str]:
    if tally.leaving(wish, private=True):
        yield "This export holds private things. Choose the public one for everybody who need not see them."
    if wish.format == "state2":
        yield "Only sums of each model and pair leave: no single vote, no listener, no time."
        return
    who = "Pseudonyms leave" if wish.format == "pairs" else "Pseudonyms and times leave"
    yield (
        f"{who}, in a public export, too. Whoever knows when or in which order somebody voted can tell which"
        " pseudonym is whose. The names behind pseudonyms are in no export."
    )
    if wish.format != "jsonl":
        return
    if wish.public:
        yield "The file can be checked without its private parts: each record keeps a hash of its own."
    if source.options is not None:
        yield "The header says which records of a station are not in the file, without saying what they are."


def _not_counting(number: int, reasons: str, marked: bool) -> str:
    where = "in the file, marked" if marked else "not in the file"
    which = "1 vote that does not count is" if number == 1 else f"{number:,} votes that do not count are"
    return f"{which} {where}: {reasons}."


def _short(text: str) -> str:
    flat = one_line(text)
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
