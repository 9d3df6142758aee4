"""The tables of docs/data-format.md, made from the package's schema and data dictionary.

``python -m tests.helpers.format_tables`` writes them anew, each between its two marks.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from arena_desktop.store.schemas import VOTES, VOTES_TABLE, schema
from tests.helpers.sources import ROOT

PAGE = ROOT / "docs" / "data-format.md"
_BLOCK = re.compile(r"<!-- (table of \S+) -->\n.*?<!-- end of \1 -->\n", re.DOTALL)
_FORMS = {
    "^[0-9A-Fa-f]{8}": "UUID",
    "^[0-9]{4}": "time",
    "^[0-9a-f]{64}$": "64 hex digits",
    "^([0-9a-f]{64})?$": "64 hex digits, or empty",
    "^[0-9a-f]*$": "hex digits",
    "^[A-Za-z0-9+/]": "base64",
    "^[0-9]\\.": "text, a decimal",
}


def blocks() -> dict[str, str]:
    """Every table, by the name that stands in its marks."""
    found = {
        f"table of {name}": _record_table(part["properties"], part.get("required", []))
        for name, part in schema(VOTES)["$defs"].items()
    }
    return {**found, "table of columns": _column_table(schema(VOTES_TABLE)["columns"])}


def filled(page: str) -> str:
    """``page`` with its tables made anew."""
    tables = blocks()

    def fill(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- {name} -->\n{tables[name]}<!-- end of {name} -->\n"

    return _BLOCK.sub(fill, page)


def named(page: str) -> set[str]:
    """The tables that ``page`` has."""
    return {match.group(1) for match in _BLOCK.finditer(page)}


def _record_table(properties: Mapping[str, Mapping[str, Any]], required: list[str]) -> str:
    rows = ["| key | type | null means | example | meaning |", "|---|---|---|---|---|"]
    for key, said in properties.items():
        meaning = said["description"] + ("" if key in required else " *(may be absent)*")
        example = f"`{_shown(said['examples'][0])}`" if "examples" in said else ""
        rows.append(_row(f"`{key}`", _type(said), said.get("x-null", "never null"), example, meaning))
    return "\n".join(rows) + "\n"


def _column_table(columns: list[dict[str, Any]]) -> str:
    rows = ["| column | type | from | empty means | example | meaning |", "|---|---|---|---|---|---|"]
    for column in columns:
        kind = ", ".join(part for part in (column["type"], column["unit"], column["range"]) if part)
        kind += f": {', '.join(f'`{level}`' for level in column['levels'])}" if column["levels"] else ""
        source = f"`{column['from']}`" if column["from"] else "worked out"
        meaning = column["meaning"] + (" *(private)*" if column["private"] else "")
        rows.append(_row(f"`{column['name']}`", kind, source, column["empty"], f"`{column['example']}`", meaning))
    return "\n".join(rows) + "\n"


def _type(said: Mapping[str, Any]) -> str:
    refs = [said, *said.get("anyOf", ())]
    names = [one["$ref"].rpartition("/")[2] for one in refs if "$ref" in one]
    if names:
        return " or ".join(f"[{name}](#{name.replace('_', '-')})" for name in names)
    if "const" in said:
        return "text"
    if "enum" in said:
        return ", ".join(f"`{value}`" for value in said["enum"] if value is not None)
    kinds = said.get("type", "anything")
    kind = next((one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null"), "null")
    pattern = said.get("pattern", "")
    form = next((form for start, form in _FORMS.items() if pattern.startswith(start)), "")
    word = form or {"string": "text", "integer": "whole number", "boolean": "true, false", "array": "list"}.get(
        kind, kind
    )
    return ", ".join(part for part in (word, said.get("x-unit", ""), _range(said)) if part)


def _range(said: Mapping[str, Any]) -> str:
    low, high = said.get("minimum"), said.get("maximum")
    if low is None:
        return ""
    return f"{low} or more" if high is None else f"{low} to {high if high < 2**52 else '2^53 − 1'}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
