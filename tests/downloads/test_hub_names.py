"""Names of files as a hub gives them: what could lead elsewhere, or be another file on some disk, is refused."""

import pytest

from arena_desktop.domain.hub import hub_folder, is_hub_id, is_revision, name_fault, read_address, spelling

ESCAPES = [
    "../x",
    "a/../../x",
    "/etc/passwd",
    "\\\\server\\x",
    "\\x",
    "C:/x",
    "c:x",
    "a//b",
    "./x",
    "a/./b",
    "",
    "a/",
    "..",
    "a\\..\\x",
]
ODD = ["a:b", "a\nb", "a\0b", "a?b", "x*", "<x>", 'a"b', "a|b", "x\x7f", "a\ud800"]
WINDOWS = ["con", "NUL.txt", "a/Com1.bin", "lpt9", "aux.safetensors", "a./b", "a /b", " a", "b.", "CONIN$", "com¹.txt"]


@pytest.mark.parametrize(
    "name", [*ESCAPES, *ODD, *WINDOWS, "x" * 300, "a/" * 600 + "b", ".arena-download.json", "é" * 150]
)
def test_a_name_that_could_lead_elsewhere_is_refused_with_a_reason(name: str) -> None:
    assert name_fault(name).startswith("its name")


@pytest.mark.parametrize(
    "name", ["model.safetensors", "voices/af_heart.pt", "a b/ü.json", ".gitattributes", "con1", "v1.0/x"]
)
def test_ordinary_names_pass(name: str) -> None:
    assert name_fault(name) == ""


def test_names_that_one_disk_takes_for_the_same_have_one_spelling() -> None:
    assert spelling("Model/É.bin") == spelling("model/e\u0301.BIN")
    assert spelling("straße") == spelling("STRASSE")


@pytest.mark.parametrize(
    "text", ["owner", "a/b/c", "../x", "a/..", "a/b--c", "/x", "a/", "a b/c", "a/b.git", "-x/y", "a/b#c"]
)
def test_what_is_no_hub_id(text: str) -> None:
    assert not is_hub_id(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a/b", ("a/b", "", "")),
        (" a/b/ ", ("a/b", "", "")),
        ("https://huggingface.co/hexgrad/Kokoro-82M", ("hexgrad/Kokoro-82M", "", "https://huggingface.co")),
        ("https://m.example:8080/a/b/", ("a/b", "", "https://m.example:8080")),
        ("https://huggingface.co/a/b/tree/v1.0", ("a/b", "v1.0", "https://huggingface.co")),
        ("https://huggingface.co/a/b/blob/main/x/y.bin?raw=1", ("a/b", "main", "https://huggingface.co")),
        ("https://huggingface.co/a/b?library=x", ("a/b", "", "https://huggingface.co")),
        ("https://huggingface.co/a", ("https://huggingface.co/a", "", "")),
    ],
)
def test_an_address_copied_from_a_browser_is_understood(text: str, read: tuple[str, str, str]) -> None:
    assert read_address(text) == read


def test_each_model_at_each_commit_has_a_folder_of_its_own() -> None:
    assert is_hub_id("hexgrad/Kokoro-82M")
    assert hub_folder("hexgrad/Kokoro-82M", "0123456789abcdef" * 2 + "01234567") == "hexgrad--Kokoro-82M/0123456789ab"
    assert is_revision("refs/pr/1")
    assert not is_revision("../main")
