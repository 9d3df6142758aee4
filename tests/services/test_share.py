"""What the Share dialog says is what the export does: looked up in the very bytes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet

from arena_desktop.domain.foreign import pseudonym
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import export_votes
from arena_desktop.services.exchange_views import VOTE_FORMATS, ExportWish, ShareView
from arena_desktop.services.share import filter_of, share_view
from arena_desktop.services.share_kinds import KINDS
from arena_desktop.services.vote_export import FORMATS
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.rich_logs import ADA, ELSEWHERE, RICH_ROSTER, SECRETS, rich_log
from tests.helpers.vote_logs import draft, open_log

NEEDLES = {
    "Listeners' pseudonyms": ADA,
    "Votes: which two models": "x/three",
    "Own texts, as they were typed": SECRETS[0],
    "Notes": SECRETS[5],
    "Names of sound devices": SECRETS[4],
    "Fingerprints of own texts": SECRETS[1],
    "Records of other programs": SECRETS[7],
    "Marks of own texts": "own:0123456789ab",
    "Texts from prompt lists, by their ids": "en-short-001",
    "Texts from prompt lists, word for word": "Good night.",
    "Sittings": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "Stations": ELSEWHERE,
    "Names given to imported logs": "club",
    "Votes taken back": "mistake",
    "Studies": "pilot",
    "Conditions": "Which voice sounds more natural?",
    "Pseudonyms made of the names": pseudonym(SECRETS[9], "other club|lmarena"),
    "Parts that this version": "unplugged",
}
"""What stands for each kind in the log of one of everything."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoteLog]:
    with rich_log(tmp_path_factory.mktemp("rich")) as log:
        yield log


def _bytes(log: VoteLog, path: Path, wish: ExportWish) -> bytes:
    export_votes(log, path, filter_of(wish), public=wish.public, form=wish.format, roster=RICH_ROSTER)
    raw = path.read_bytes()
    return raw + (repr(parquet.read_table(path).to_pylist()).encode() if wish.format == "parquet" else b"")


def test_the_formats_on_offer_are_those_there_are() -> None:
    assert [offered.id for offered in VOTE_FORMATS] == list(FORMATS)
    assert {form for kind in KINDS for form in kind.formats} < set(FORMATS)


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("form", FORMATS)
def test_what_leaves_is_in_the_bytes_and_what_stays_is_not(
    log: VoteLog, tmp_path: Path, form: str, public: bool
) -> None:
    wish = ExportWish(form, public=public)
    content = _bytes(log, tmp_path / "out", wish)
    view = share_view(log, wish, roster=RICH_ROSTER)
    looked_at = set()
    for field in view.fields:
        for title, needle in NEEDLES.items():
            if field.title.startswith(title) and form != "state2":
                assert field.leaves == (needle.encode() in content), field.title
                looked_at.add(title)
    if form == "state2":
        assert not any(field.leaves for field in view.fields)
        assert not any(needle.encode() in content for needle in NEEDLES.values() if needle != "x/three")
    if form == "jsonl":
        assert looked_at == set(NEEDLES)
        assert view.records == log.count()


def _field(view: ShareView, title: str) -> tuple[bool, int]:
    (found,) = ((field.leaves, field.records) for field in view.fields if field.title.startswith(title))
    return found


def test_the_numbers_are_those_of_the_records_written(log: VoteLog, tmp_path: Path) -> None:
    for wish in (
        ExportWish(),
        ExportWish(arena="german"),
        ExportWish("csv", listener=ADA, public=False),
        ExportWish("pairs", since="2026-05-28", until="2026-06-01"),
    ):
        view = share_view(log, wish, roster=RICH_ROSTER)
        report = export_votes(
            log, tmp_path / "out", filter_of(wish), public=wish.public, form=wish.format, roster=RICH_ROSTER
        )
        assert view.records == report.records
        who = _field(view, "Listeners' pseudonyms")
        lines = (tmp_path / "out").read_bytes().splitlines()[1:]
        assert who == (True, sum(b'"l-' in line for line in lines))
    view = share_view(log, ExportWish(public=False), roster=RICH_ROSTER)
    assert (_field(view, "Notes"), _field(view, "Names of sound")) == ((True, 2), (True, 1))
    assert _field(share_view(log, ExportWish(), roster=RICH_ROSTER), "Notes") == (False, 2)


def test_it_says_plainly_what_a_public_export_gives_away(log: VoteLog) -> None:
    notes = share_view(log, ExportWish(), roster=RICH_ROSTER).notes
    assert any(note.startswith("Pseudonyms and times leave, in a public export, too.") for note in notes)
    assert not any("private things" in note for note in notes)
    whole = share_view(log, ExportWish(public=False), roster=RICH_ROSTER).notes
    assert any("private things" in note for note in whole)
    sums = share_view(log, ExportWish("state2"), roster=RICH_ROSTER).notes
    assert any(note.startswith("Only sums") for note in sums)
    counted = share_view(log, ExportWish("pairs"), roster=RICH_ROSTER).notes
    assert any("do not count are not in the file" in note and "1 vote taken back" in note for note in counted)


def test_an_empty_log_gives_nothing_away(tmp_path: Path) -> None:
    with open_log(tmp_path) as empty:
        view = share_view(empty, ExportWish())
    assert (view.records, view.votes, view.notes) == (0, 0, ())
    assert not any(field.leaves for field in view.fields)


def test_an_example_is_one_short_line(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.append_vote(draft(private={"note": "first\nsecond " * 50}))
        view = share_view(log, ExportWish(public=False))
    (note,) = (field for field in view.fields if field.title == "Notes")
    assert len(note.example) == 60
    assert note.example.startswith("first second first")


def test_a_date_that_is_none_is_said() -> None:
    with pytest.raises(UsageError, match="From: 'soon' is no date"):
        filter_of(ExportWish(since="soon"))
