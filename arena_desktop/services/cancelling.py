"""Ending long work before it is done."""


class Cancelled(Exception):
    """Raised by a ``progress`` callback to end the work that calls it: everything is left as it was before."""
