"""Roster values as plain JSON, and their hash in canonical form."""

import hashlib
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """The same JSON value with every mapping a dict and every sequence a list."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def digest(value: Any) -> str:
    """Lower-case hex SHA-256 of the canonical form (RFC 8785) of a JSON value."""
    import rfc8785

    return hashlib.sha256(rfc8785.dumps(plain(value))).hexdigest()
