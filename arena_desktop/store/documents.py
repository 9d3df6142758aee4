"""A file on disk as located values: bounded reading, decoding, and the choice between JSON and YAML."""

import re
from pathlib import Path

from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.json_reader import read_json
from arena_desktop.store.located import Document, Fault
from arena_desktop.store.yaml_reader import read_yaml

LARGEST_FILE = 1_000_000
"""Bytes. A roster of a thousand models has half of it."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What YAML does not allow, a byte order mark within the text among it; and its odd line breaks (U+0085, U+2028,
U+2029): an editor that doesn't take them for such would count other lines than we do.
"""


def read_file(path: Path) -> Document:
    """Read a hand-written file. Never raises: a file that is missing, huge or no text is a fault like any other."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except OSError as error:
        fault = Fault(str(path), 0, f"it can't be read ({reason(error)})", "check the path and its rights")
        return Document(None, [fault])
    if data is None:
        remedy = "remove what does not belong there"
        return Document(None, [Fault(str(path), 0, f"it is larger than {LARGEST_FILE:,} bytes", remedy)])
    text, no_text = decoded(data, str(path))
    if no_text is not None:
        return Document(None, [no_text])
    return read_text(text, str(path), json_only=path.suffix.lower() == ".json")


def read_text(text: str, name: str, *, json_only: bool = False) -> Document:
    """Parse ``text``. What opens with a brace is tried as JSON first; everything else is YAML. Never raises."""
    odd = _FORBIDDEN.search(text)
    if odd is not None:
        line = text.count("\n", 0, odd.start()) + 1
        code = f"U+{ord(odd.group()):04X}"
        return Document(None, [Fault(name, line, f"the character {code} is not allowed in such a file", "remove it")])
    if not json_only and not text.lstrip().startswith("{"):
        return read_yaml(text, name)
    document = read_json(text, name)
    if document.root is None and not json_only:
        # A YAML file may open with a brace as well; if it is neither, JSON was meant.
        as_yaml = read_yaml(text, name)
        return as_yaml if as_yaml.root is not None else document
    return document


def decoded(data: bytes, name: str) -> tuple[str, Fault | None]:
    """``data`` as text: UTF-8, or UTF-16 with a byte order mark. The fault names the line of the first byte that
    is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        return "", Fault(name, line, f"the byte 0x{byte:02X} is not UTF-8", "save the file in the encoding UTF-8")
