"""Errors that a person is meant to read.

Every expected fault in the program is an :class:`ArenaError`: what happened, to which thing, and what to do about it.
Everything else that escapes is a bug.
"""


class ArenaError(Exception):
    """An expected fault, worded for a person.

    ``message`` says what happened and to what, in one sentence without a full stop at the end of a path.
    ``remedy`` says what to do, or is empty when nothing can be done. ``str()`` joins both in one line.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(message if not remedy else f"{message} {remedy}")


class UsageError(ArenaError):
    """The command line was used wrongly: exit status 2."""
