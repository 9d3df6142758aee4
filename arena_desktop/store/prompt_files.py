"""Prompts from files: the built-in collection, and a user's own file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.prompts import CATEGORIES, Prompt, TextRefused, clean_text, own_prompt, text_sha256
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.documents import decoded
from arena_desktop.store.located import Document, Located
from arena_desktop.store.prompt_tables import table_columns, table_rows
from arena_desktop.store.yaml_reader import read_yaml

BUILT_IN = Path(__file__).resolve().parents[1] / "data" / "prompts.yaml"
LARGEST_FILE = 4_000_000
"""Bytes of a user's text file."""
MOST_PROMPTS = 20_000
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


@dataclass(frozen=True)
class BadLine:
    """A line of a text file that became no prompt, and why, in a sentence."""

    line: int
    reason: str


@dataclass(frozen=True)
class PromptFile:
    """A user's text file: its prompts in file order, and the lines that were left out."""

    prompts: tuple[Prompt, ...]
    bad_lines: tuple[BadLine, ...]


def built_in_prompts() -> tuple[Prompt, ...]:
    """Every built-in prompt, in file order. Raises :class:`ArenaError` when the installation is broken."""
    try:
        text = BUILT_IN.read_text(encoding="utf-8")
    except OSError as error:
        raise ArenaError(
            f"The built-in prompts can't be read ({reason(error)}).", "Install the program anew."
        ) from error
    return parse_prompts(read_yaml(text, str(BUILT_IN)))


def parse_prompts(document: Document) -> tuple[Prompt, ...]:
    """Prompts from a mapping of languages to categories to numbered texts. Raises :class:`ArenaError` on any fault."""
    if document.faults or document.root is None:
        words = str(document.faults[0]) if document.faults else "the file is empty"
        raise ArenaError(f"The built-in prompts are damaged ({words}).", "Install the program anew.")
    prompts = []
    for language, categories in _entries(document.root):
        for category, texts in _entries(categories):
            if category not in CATEGORIES:
                raise _damaged(texts, f"the category {category} is not known")
            for number, node in _entries(texts):
                if not isinstance(node.value, str) or not number.isdecimal():
                    raise _damaged(node, "a prompt is no numbered text")
                text = clean_text(node.value)
                prompts.append(
                    Prompt(f"{language}-{category}-{int(number):03d}", text, category, language, text_sha256(text))
                )
    return tuple(prompts)


def _entries(node: Located) -> list[tuple[str, Located]]:
    if not isinstance(node.value, dict):
        raise _damaged(node, "a mapping is missing")
    return list(node.value.items())


def _damaged(node: Located, words: str) -> ArenaError:
    return ArenaError(f"The built-in prompts are damaged (line {node.line}: {words}).", "Install the program anew.")


def read_prompt_file(path: Path, key: bytes, language: str = "") -> PromptFile:
    r"""Prompts from a user's file in UTF-8 (or UTF-16 with its mark): a text file with one prompt a line, or a table.

    In a text file empty lines and lines that start with ``#`` are passed over; ``\#`` starts a prompt with a number
    sign. A table (CSV; comma, semicolon or tab) is known by its first line, which names the column ``text``, and may
    have a column ``language`` (BCP 47 tags). ``language`` is for prompts that name none. ``key`` makes the ids (see
    ``domain.prompts.own_prompt_id``). Raises :class:`ArenaError` when the file can't be read or has no prompt.
    """
    lines = _lines(path)
    columns = table_columns(lines[0])
    entries = _plain(lines) if columns is None else table_rows(lines, columns, str(path))
    prompts: dict[str, Prompt] = {}
    bad: list[BadLine] = []
    for number, raw, own_language in entries:
        if own_language and not _TAG.fullmatch(own_language):
            bad.append(BadLine(number, f"The language {own_language[:40]} is no tag such as de or pt-BR."))
            continue
        try:
            prompt = own_prompt(raw, key, own_language or language)
        except TextRefused as refusal:
            bad.append(BadLine(number, refusal.message))
            continue
        if prompt.id in prompts:
            bad.append(BadLine(number, "The same text stands further up."))
        elif len(prompts) >= MOST_PROMPTS:
            bad.append(BadLine(number, f"Only the first {MOST_PROMPTS:,} prompts are used."))
            break
        else:
            prompts[prompt.id] = prompt
    if not prompts:
        raise ArenaError(f"There is no text to speak in {path}.", "Write one sentence a line, in the encoding UTF-8.")
    return PromptFile(tuple(prompts.values()), tuple(bad))


def _plain(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(lines, start=1):
        raw = line.strip()
        if raw and not raw.startswith("#"):
            yield number, raw.removeprefix("\\") if raw.startswith("\\#") else raw, ""


def _lines(path: Path) -> list[str]:
    try:
        data = read_bounded(path, LARGEST_FILE)
    except OSError as error:
        raise ArenaError(f"The text file {path} can't be read ({reason(error)}).", "Choose another file.") from error
    if data is None:
        raise ArenaError(f"The text file {path} is larger than {LARGEST_FILE:,} bytes.", "Split it.")
    text, fault = decoded(data, str(path))
    if fault is not None:
        raise ArenaError(
            f"The text file {path} can't be read: in line {fault.line} {fault.message}.", "Save it as UTF-8."
        )
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
