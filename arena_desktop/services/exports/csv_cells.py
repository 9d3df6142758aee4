"""Text in a CSV file (RFC 4180) that no spreadsheet takes for a formula.

Text is always quoted. What a spreadsheet would take for a formula gets an apostrophe in front
(https://owasp.org/www-community/attacks/CSV_Injection), and so does text that begins with an apostrophe: whoever takes
one apostrophe away from the beginning of a cell always has the text itself.
"""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_BLANKS = ("\t", "\r", "\n")
END = "\r\n"
"""What ends a row."""


def quoted(text: str) -> str:
    """``text`` as a cell; it may hold anything but control characters other than tabs and line ends."""
    risky = text.startswith(("'", *_BLANKS)) or text.lstrip().startswith(_FORMULA)
    return '"' + ("'" if risky else "") + text.replace('"', '""') + '"'
