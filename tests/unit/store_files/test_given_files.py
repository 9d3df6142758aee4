"""What a file is, its beginning tells: sentences, votes, or perhaps either."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.store.given_files import Given, given_as

TEXTS: dict[str, bytes] = {
    "sentences.txt": b"Good morning.\nGood night.\n",
    "no ending": b"Good morning.\n",
    "bracket.txt": b"[Laughs] Good morning.\n",
    "brace.txt": b"{sic} Good morning.\n",
    "many commas.txt": b"One, two, and three.\nYes, no, perhaps.\n",
    "pack.csv": b"text,language\nGuten Tag.,de\n",
    "semicolons.csv": b"id;text;category\n1;Hello.;short\n",
    "tabs.tsv": b"lang\tsentence\nen\tHello.\n",
    "wide.txt": "Grüße aus Köln.\n".encode("utf-16"),
    "marked.csv": "\ufefftext,language\nHello.,en\n".encode(),
    "cut.txt": b"x" * 65_535 + "é".encode() + b" more",
    "latin.txt": "Käse.\n".encode("cp1252"),
    "binary.txt": b"\x00\x01\x02\x03",
    "empty.txt": b"",
}
VOTES: dict[str, bytes] = {
    "votes.jsonl": b'{"format":"arena-votes/1"}\n{"a":1}\n',
    "votes.txt": b'{"format":"arena-votes/1"}\n{"a":1}\n',
    "old.json": b'[\n {"model_a": "x"}\n]',
    "old.txt": b'[{"model_a": "x"}]',
    "spread.txt": b'{\n  "model_a": "x"\n}\n',
    "table.csv": b"arena,model_a,model_b,winner,prompt\na,x,y,model_a,Hello.\n",
    "table without a text.csv": b"arena,model_a,model_b,winner\na,x,y,model_a\n",
    "table.txt.gz": gzip.compress(b"Hello.\n", mtime=0),
    "binary": b"\x00\x01\x02\x03",
    "rubbish.jsonl": b"Hello.\n",
    "other.csv": b"name,size\na,1\n",
    "empty": b"",
}


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [(*entry, Given.TEXTS) for entry in TEXTS.items()] + [(*entry, Given.VOTES) for entry in VOTES.items()],
)
def test_the_content_tells(tmp_path: Path, name: str, content: bytes, kind: Given) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert given_as(path) is kind


def test_columns_of_both_are_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("text,winner\nHello.,x\n")
    assert given_as(path) is Given.EITHER


def test_what_is_not_there_is_left_to_the_reader_of_votes(tmp_path: Path) -> None:
    assert given_as(tmp_path / "gone.txt") is Given.VOTES
    assert given_as(Path("a\0b.txt")) is Given.VOTES
    assert given_as(tmp_path) is Given.VOTES


@given(
    st.binary(max_size=200) | st.text(max_size=100).map(str.encode), st.sampled_from(["a.txt", "a.csv", "a", "a.json"])
)
def test_any_file_has_an_answer(tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str) -> None:
    path = tmp_path_factory.mktemp("given") / name
    path.write_bytes(data)
    assert given_as(path) in Given
