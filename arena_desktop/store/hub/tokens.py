"""Who you are to a hub: a token that others keep. It is read when a download starts, and never written, logged or
handed on in an argument.
"""

import contextlib
import logging
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from arena_desktop.domain.hub import DEFAULT_HUB
from arena_desktop.paths import from_home
from arena_desktop.store.bounded import read_bounded

_log = logging.getLogger(__name__)

SERVICE = "arena-desktop"
"""The service under which a keyring holds tokens; the name is the hub's address."""
_TOKEN = re.compile(r"[!-~]{1,4000}")

Keyring = Callable[[str, str], str | None]


def find_token(endpoint: str, environ: Mapping[str, str], keyring: Keyring | None = None) -> str:
    """The token for the hub at ``endpoint``, "" for none.

    A keyring's entry for this very address comes first. ``HF_TOKEN`` and the file that ``hf auth login`` writes are for
    Hugging Face and for the hub that ``HF_ENDPOINT`` names: no other hub ever sees them.
    """
    look = keyring or _system_keyring
    try:
        found = look(SERVICE, endpoint.rstrip("/"))
    except Exception as error:  # locked, or no desktop to ask on: each keyring has errors of its own
        _log.info("the system's keyring could not be asked for a token (%s)", type(error).__name__)
        found = None
    if found and _TOKEN.fullmatch(found.strip()):
        return found.strip()
    own = {_site(DEFAULT_HUB), _site(environ.get("HF_ENDPOINT", DEFAULT_HUB))}
    if _site(endpoint) not in own:
        return ""
    for given in (environ.get("HF_TOKEN", ""), environ.get("HUGGING_FACE_HUB_TOKEN", ""), _from_file(environ)):
        if _TOKEN.fullmatch(given.strip()):
            return given.strip()
    return ""


def _site(endpoint: str) -> tuple[str, str]:
    with contextlib.suppress(ValueError):
        parts = urlsplit(endpoint.strip())
        return parts.scheme, parts.netloc.lower()
    return "", ""


def _from_file(environ: Mapping[str, str]) -> str:
    home = environ.get("HF_HOME") or str(Path(environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface")
    place = environ.get("HF_TOKEN_PATH") or str(Path(home) / "token")
    with contextlib.suppress(OSError, ValueError):
        data = read_bounded(from_home(place), 10_000)
        return (data or b"").decode("ascii").strip()
    return ""


def _system_keyring(service: str, name: str) -> str | None:
    try:
        import keyring  # an extra: whoever wants it installs it
    except ImportError:
        return None
    found = keyring.get_password(service, name)
    return found if isinstance(found, str) else None


def environment() -> Mapping[str, str]:
    """The process's variables, as :func:`find_token` and :func:`chosen_endpoint` want them."""
    return os.environ
