"""Schema, dictionary, code and page say the same of the format of votes, and real files are what they say."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from arena_desktop.domain.known_keys import KNOWN, LEGACY
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.reading import countable
from arena_desktop.domain.records import RETRACTION, RETRACTION_REASONS, VOTE, Envelope
from arena_desktop.domain.signing import KEY, key_record
from arena_desktop.domain.stations import tally_stations
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.domain.votes import Vote
from arena_desktop.ratings import simulate
from arena_desktop.services.exchange import export_votes
from arena_desktop.services.vote_export import FORMATS, TABLES
from arena_desktop.services.vote_exports.dictionary import columns
from arena_desktop.services.vote_exports.table import DERIVED
from arena_desktop.store.schemas import DICTIONARY, VOTES, VOTES_TABLE, schema
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.format_tables import PAGE, blocks, filled, named
from tests.helpers.rich_logs import RICH_ROSTER, rich_log
from tests.helpers.simulated_logs import fill
from tests.helpers.vote_logs import draft, open_log

DEFS: Mapping[str, Any] = schema(VOTES)["$defs"]
ODD_ONES = 5
"""Records in the log of one of everything that another writer made without most keys."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoteLog]:
    with rich_log(tmp_path_factory.mktemp("rich")) as log:
        yield log


def _keys(name: str) -> dict[str, tuple[str, ...]]:
    """The keys that the schema has for a record, with those of the objects in it."""
    return {key: tuple(_inner(said)) for key, said in DEFS[name]["properties"].items()}


def _inner(said: Mapping[str, Any]) -> Iterator[str]:
    for one in (said, *said.get("anyOf", ())):
        if "$ref" in one:
            yield from DEFS[one["$ref"].rpartition("/")[2]]["properties"]


@pytest.mark.parametrize("name", [VOTE, RETRACTION, KEY, "legacy"])
def test_the_schema_has_the_keys_of_the_code_and_no_others(name: str) -> None:
    known = LEGACY if name == "legacy" else KNOWN[name]
    assert {key: sorted(inner) for key, inner in _keys(name).items()} == {
        key: sorted(inner) for key, inner in known.items()
    }


def test_the_keys_of_the_code_are_those_it_writes(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        vote = log.append_vote(draft())
        retraction = log.append_retraction(vote["id"], vote["listener"], "mistake", "why")
    key = key_record("A" * 43 + "=", Envelope(vote["id"], vote["station_id"], 3, vote["at"], vote["hash"], ""))
    for record in (vote, retraction, key):
        known = KNOWN[record["type"]]
        assert set(known) - set(record) == {"sig"}
        assert set(record) <= set(known)
        for part, value in record.items():
            if isinstance(value, dict):
                assert set(known[part]) - {"handle"} == set(value)


def test_the_header_is_the_schemas() -> None:
    header = make_header(0, tally_stations([("s", 2, "a" * 64)]), VoteFilter("a", "b", "c", "d", "e").options())
    assert set(header) == set(DEFS["header"]["properties"])
    assert set(header["filter"]) == set(DEFS["filter"]["properties"])
    assert set(header["stations"]["s"]) == set(DEFS["station"]["properties"])


def test_words_of_the_schema_are_those_of_the_code() -> None:
    assert DEFS["vote"]["properties"]["vote"]["enum"] == list(Vote)
    assert DEFS["retraction"]["properties"]["reason"]["enum"] == list(RETRACTION_REASONS)
    assert DEFS["unknown"]["properties"]["type"]["not"]["enum"] == list(KNOWN)


def test_the_schemas_are_schemas_and_the_dictionary_keeps_to_its_own() -> None:
    for name in (VOTES, DICTIONARY):
        jsonschema.Draft202012Validator.check_schema(schema(name))
    jsonschema.Draft202012Validator(schema(DICTIONARY)).validate(schema(VOTES_TABLE))


def test_every_example_of_the_schema_is_valid() -> None:
    for name, part in DEFS.items():
        for key, said in part["properties"].items():
            for example in said.get("examples", ()):
                found = {**said, "$defs": DEFS}
                assert jsonschema.Draft202012Validator(found).is_valid(example), f"{name}.{key}: {example}"


def _lines(log: VoteLog, path: Path, **options: Any) -> list[Any]:
    export_votes(log, path, **options)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _complete(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFS})


def _kind(record: Mapping[str, Any]) -> str:
    if "station_id" not in record:
        return "legacy"
    return record["type"] if record["type"] in KNOWN else "unknown"


@pytest.mark.parametrize("public", [True, False])
def test_real_exports_are_valid(log: VoteLog, tmp_path: Path, public: bool) -> None:
    any_line = jsonschema.Draft202012Validator(schema(VOTES))
    header, *records = _lines(log, tmp_path / "out", public=public)
    assert _complete("header").is_valid(header)
    _complete("header").validate(_lines(log, tmp_path / "part", public=public, chosen=VoteFilter(arena="german"))[0])
    odd = 0
    for record in records:
        whole = _complete(_kind(record)).is_valid(record)
        assert whole == any_line.is_valid(record)
        odd += not whole
        assert whole or record["station_id"].endswith("bb")
    assert odd == ODD_ONES - 1  # its record of another type is whole
    assert {_kind(record) for record in records} == {"vote", "retraction", "legacy", "unknown"}


def test_a_simulated_log_is_valid(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        fill(log, simulate(4, 30, seed=1))
        _, *records = _lines(log, tmp_path / "out")
    for record in records:
        _complete("vote").validate(record)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("vote", "draw"),
        ("seq", 0),
        ("at", "2026-05-28"),
        ("hash", "A" * 64),
        ("arena", None),
        ("model_a", {"repo_id": "x/one"}),
        ("listening", {}),
        ("listener", 5),
        ("prev_hash", None),
    ],
)
def test_what_is_no_vote_of_ours_is_not_valid(tmp_path: Path, key: str, value: Any) -> None:
    with open_log(tmp_path) as log:
        record = log.append_vote(draft())
    assert _complete("vote").is_valid(record)
    assert not _complete("vote").is_valid({**record, key: value})
    assert not _complete("vote").is_valid({name: part for name, part in record.items() if name != key})
    assert _complete("vote").is_valid({**record, "later": value})


# --- the page -----------------------------------------------------------------------------------------------------


def test_the_pages_tables_are_those_of_schema_and_dictionary() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert named(page) == set(blocks())
    assert filled(page) == page, "run python -m tests.helpers.format_tables"


def test_the_pages_links_lead_somewhere() -> None:
    page = PAGE.read_text(encoding="utf-8")
    anchors = {title.lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= anchors
    for file in re.findall(r"\]\((\.\.?/[^)#]+)\)", page):
        assert (PAGE.parent / file).exists()


def test_the_page_names_every_reason_and_every_format(log: VoteLog, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    report = export_votes(log, tmp_path / "out", form="csv", roster=RICH_ROSTER)
    assert all(f"`{reason}`" in page for reason in report.left_out)
    why_not = next(entry for entry in schema(VOTES_TABLE)["columns"] if entry["name"] == "why_not")
    assert set(report.left_out) <= set(why_not["levels"])
    assert all(f"`{reason}`" in page for reason in why_not["levels"])


def test_the_reader_of_the_page_reads_what_counts(log: VoteLog, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(import hashlib.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    body = code[code.index("def read_votes") :].splitlines()
    assert len([line for line in body if line.strip()]) <= 22
    assert max(map(len, body)) <= 120
    space: dict[str, Any] = {}
    exec(compile(code, "data-format.md", "exec"), space)
    export_votes(log, tmp_path / "out")
    read = [vote["id"] for vote in space["read_votes"](tmp_path / "out")]
    counted = countable(log.records(), silent=False)
    odd_times = {record["id"] for record in log.records() if record.get("at") == "2026-03-01"}
    assert [name for name in read if name not in odd_times] == [vote["id"] for vote in counted.votes]
    assert len(read) == len(counted.votes) + 1
    text = (tmp_path / "out").read_text(encoding="utf-8")
    (tmp_path / "edited").write_text(text.replace('"vote":"tie"', '"vote":"a"'), encoding="utf-8")
    with pytest.raises(AssertionError):
        list(space["read_votes"](tmp_path / "edited"))


# --- the table ----------------------------------------------------------------------------------------------------


def test_every_column_comes_from_a_key_or_is_worked_out() -> None:
    names = [column.name for column in columns(public=False)]
    assert len(set(names)) == len(names)
    taken = set()
    for column in columns(public=False):
        if column.source and column.name not in DERIVED:
            part, _, key = column.source.rpartition(".")
            known = {**LEGACY, **KNOWN[VOTE]}
            assert key in (known[part] if part else known), column
        elif column.name not in DERIVED:
            pytest.fail(f"nothing makes {column.name}")
        taken.add(column.source)
    assert set(DERIVED) <= set(names)
    own = {f"{part}.{key}" for part, inner in KNOWN[VOTE].items() for key in inner}
    own |= {key for key, inner in KNOWN[VOTE].items() if not inner}
    # The salt is worth nothing without the hash, and both without the chain.
    assert own - taken == {"type", "prev_hash", "private_hash", "private.salt", "sig"}


@pytest.mark.parametrize("form", TABLES)
def test_what_is_written_beside_a_table_keeps_to_the_schema(log: VoteLog, tmp_path: Path, form: str) -> None:
    export_votes(log, tmp_path / "t", form=form, roster=RICH_ROSTER, dictionary=tmp_path / "d.json")
    said = json.loads((tmp_path / "d.json").read_bytes())
    jsonschema.Draft202012Validator(schema(DICTIONARY)).validate(said)
    assert set(said["export"]) == set(schema(DICTIONARY)["properties"]["export"]["properties"])


def test_cells_keep_to_levels_and_types(log: VoteLog, tmp_path: Path) -> None:
    export_votes(log, tmp_path / "t", form="csv", roster=RICH_ROSTER)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t").read_text(encoding="utf-8"), newline="")))
    for entry in schema(VOTES_TABLE)["columns"]:
        cells = {row[entry["name"]] for row in rows} - {""}
        if entry["levels"]:
            assert cells <= set(entry["levels"]), entry["name"]
        if entry["type"] == "logical":
            assert cells <= {"TRUE", "FALSE"}
        if entry["empty"] == "never":
            assert all(row[entry["name"]] for row in rows)


def test_every_format_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert {"CSV and Parquet", "Pairs", "LMArena columns", "state2"} <= set(titles)
    assert set(FORMATS) == {"jsonl", "csv", "parquet", "pairs", "lmarena", "state2"}
