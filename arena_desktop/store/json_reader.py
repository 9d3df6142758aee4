"""JSON text as located values. The standard reader knows no lines, and lets doubled keys and NaN pass."""

import json
import re

from arena_desktop.store.located import Builder, Document, Located, Unreadable, shown

_BLANKS = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<float>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")
_WORD = re.compile(r"[-A-Za-z_][A-Za-z_]*")
_WORDS: dict[str, bool | float | None] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_LONGEST_NUMBER = 400
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')


def read_json(text: str, name: str) -> Document:
    """Parse ``text``; ``name`` stands in faults. Never raises."""
    builder = Builder(name)
    try:
        return Document(_Cursor(text, builder).read(), builder.faults)
    except Unreadable as stop:
        builder.fault(stop.line, stop.message, stop.remedy)
    return Document(None, builder.faults)


class _Cursor:
    def __init__(self, text: str, builder: Builder) -> None:
        self._text = text
        self._builder = builder
        self._at = 0
        self._line = 1
        self._counted_to = 0

    def read(self) -> Located | None:
        if not self._peek():
            return None
        root = self._value(1)
        if self._peek():
            raise self._stop("something follows after the end", "keep one value in a file")
        return root

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        return self._line

    def _stop(self, message: str, remedy: str) -> Unreadable:
        return Unreadable(self._line_here(), f"this is not JSON ({message})", remedy)

    def _peek(self) -> str:
        """The next character that is no blank, "" at the end."""
        match = _BLANKS.match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> Located:
        char = self._peek()
        line = self._line_here()
        self._builder.count(line)
        if char == "{":
            self._builder.check_depth(line, depth)
            return self._object(line, depth)
        if char == "[":
            self._builder.check_depth(line, depth)
            return self._array(line, depth)
        if char == '"':
            return self._builder.scalar(self._string(), line)
        number = _NUMBER.match(self._text, self._at)
        if number is not None:
            self._at = number.end()
            if len(number.group()) > _LONGEST_NUMBER:
                raise self._stop("a number is endless", "write it in quotes, as text")
            return self._builder.scalar((float if number["float"] else int)(number.group()), line)
        word = _WORD.match(self._text, self._at)
        if word is not None and word.group() in _WORDS:
            self._at = word.end()
            return self._builder.scalar(_WORDS[word.group()], line)
        found = shown(self._text[self._at : self._at + 20]) if char else "the end of the file"
        raise self._stop(f"a value is missing before {found}", "write a value; text stands in double quotes")

    def _object(self, line: int, depth: int) -> Located:
        node = Located({}, line)
        self._at += 1
        if self._peek() == "}":
            self._at += 1
            return node
        while True:
            if self._peek() != '"':
                raise self._stop("a key in double quotes is missing", 'write "KEY": VALUE, no comma after the last')
            key_line = self._line_here()
            key = self._string()
            if self._peek() != ":":
                raise self._stop(f"a colon is missing after {shown(key)}", 'write "KEY": VALUE')
            self._at += 1
            self._builder.put(node, key, key_line, self._value(depth + 1))
            if self._closed("}"):
                return node

    def _array(self, line: int, depth: int) -> Located:
        node = Located([], line)
        self._at += 1
        if self._peek() == "]":
            self._at += 1
            return node
        while True:
            self._builder.add(node, self._value(depth + 1))
            if self._closed("]"):
                return node

    def _closed(self, end: str) -> bool:
        char = self._peek()
        if char not in (end, ","):
            raise self._stop(f"a comma or {end} is missing", "add it")
        self._at += 1
        return char == end

    def _string(self) -> str:
        remedy = "close it on its line, and write \\\\ for \\"
        match = _STRING.match(self._text, self._at)
        if match is None:
            raise self._stop("a text does not end on its line", remedy)
        try:
            text = json.loads(match.group())
        except json.JSONDecodeError as error:
            raise self._stop(f"a text is broken: {error.msg}", remedy) from None
        assert isinstance(text, str)
        self._at = match.end()
        return text
