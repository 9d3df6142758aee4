from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.prompts import own_prompt_id
from arena_desktop.errors import ArenaError
from arena_desktop.store.prompt_files import LARGEST_FILE, MOST_PROMPTS, parse_prompts, read_prompt_file
from arena_desktop.store.yaml_reader import read_yaml

KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "prompts.txt"


def test_one_prompt_a_line(path: Path) -> None:
    path.write_text("# my sentences\n\n  First   one. \r\n\\# is a number sign.\nSecond one.\n", encoding="utf-8")
    file = read_prompt_file(path, KEY, "en")
    assert [prompt.text for prompt in file.prompts] == ["First one.", "# is a number sign.", "Second one."]
    assert file.bad_lines == ()
    first = file.prompts[0]
    assert (first.id, first.category, first.language) == (own_prompt_id(KEY, "First one."), "own", "en")


def test_bad_lines_are_left_out_and_told(path: Path) -> None:
    path.write_text(f"Good.\n...\n{'x' * 1_001}\nGood.\n", encoding="utf-8")
    file = read_prompt_file(path, KEY)
    assert [prompt.text for prompt in file.prompts] == ["Good."]
    assert [bad.line for bad in file.bad_lines] == [2, 3, 4]
    assert all(bad.reason.endswith(".") for bad in file.bad_lines)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(path: Path, encoding: str) -> None:
    path.write_bytes("Käse, bitte.\r\nDanke!".encode(encoding))
    assert [prompt.text for prompt in read_prompt_file(path, KEY).prompts] == ["Käse, bitte.", "Danke!"]


def test_another_encoding_is_told_with_its_line(path: Path) -> None:
    path.write_bytes("Fine.\nKäse.\n".encode("cp1252"))
    with pytest.raises(ArenaError, match=r"line 2 .*0xE4.*UTF-8"):
        read_prompt_file(path, KEY)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n", b"...\n?!\n"])
def test_a_file_without_a_prompt_is_told(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ArenaError, match="no text to speak"):
        read_prompt_file(path, KEY)


def test_files_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    for wrong in (path, tmp_path, Path("a\0b")):
        with pytest.raises(ArenaError, match="can't be read"):
            read_prompt_file(wrong, KEY)
    path.write_bytes(b"x" * (LARGEST_FILE + 1))
    with pytest.raises(ArenaError, match="larger than"):
        read_prompt_file(path, KEY)


def test_a_very_long_list_is_cut_and_told(path: Path) -> None:
    path.write_text("\n".join(f"Sentence {number}." for number in range(MOST_PROMPTS + 5)))
    file = read_prompt_file(path, KEY)
    assert len(file.prompts) == MOST_PROMPTS
    assert [bad.line for bad in file.bad_lines] == [MOST_PROMPTS + 1]


@given(st.binary(max_size=300))
def test_any_file_gives_prompts_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("texts") / "p.txt"
    path.write_bytes(data)
    try:
        file = read_prompt_file(path, KEY)
    except ArenaError:
        return
    assert file.prompts
    assert len({prompt.id for prompt in file.prompts}) == len(file.prompts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "- a",
        "en: x",
        "en: {odd: {1: Text}}",
        "en: {short: {one: Text}}",
        "en: {short: {1: [x]}}",
        "en: {short: {1: '...'}}",
    ],
)
def test_a_damaged_collection_is_told(text: str) -> None:
    with pytest.raises(ArenaError):
        parse_prompts(read_yaml(text, "f"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_has_a_text_a_row_and_perhaps_its_language(path: Path, separator: str) -> None:
    rows = [("id", "Language", "text"), ("1", "de", "Guten Tag."), ("2", "", "Hello."), ("3", "en", "Well; yes, no.")]
    path.write_text("\r\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows), encoding="utf-8-sig")
    file = read_prompt_file(path, KEY, "en")
    assert [(p.text, p.language) for p in file.prompts] == [
        ("Guten Tag.", "de"),
        ("Hello.", "en"),
        ("Well; yes, no.", "en"),
    ]
    assert file.bad_lines == ()


def test_bad_rows_of_a_table_are_left_out_with_their_line(path: Path) -> None:
    path.write_text('text,language\n"Two\nlines",en\nHola.,Spanish!\n,en\n...,en\nHello.,en\n')
    file = read_prompt_file(path, KEY)
    assert [prompt.text for prompt in file.prompts] == ["Two lines", "Hello."]
    assert [(line.line, line.reason.split()[1]) for line in file.bad_lines] == [(4, "language"), (6, "text")]


def test_a_broken_table_is_told(path: Path) -> None:
    path.write_text('text,language\n"Hello.,en\nBye.,en\n')
    with pytest.raises(ArenaError, match="line 4: unexpected end"):
        read_prompt_file(path, KEY)


def test_a_sentence_with_commas_is_no_heading(path: Path) -> None:
    path.write_text("Text, prompt, and sentence are words.\nYes, they are.\n")
    assert len(read_prompt_file(path, KEY).prompts) == 2
