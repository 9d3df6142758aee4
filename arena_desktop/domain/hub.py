"""A model as a hub offers it: which files, how large, under what licence; and where it lies once it is here."""

import re
import unicodedata
from dataclasses import dataclass

DEFAULT_HUB = "https://huggingface.co"
MANIFEST = ".arena-download.json"
"""The file that says where a model's folder came from."""
LONGEST_NAME = 1000
"""Characters of a file's name with its folders."""
_LONGEST_PART = 200
_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,95}"
_ID = re.compile(rf"{_PART}/{_PART}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}")
_ODD = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)


@dataclass(frozen=True)
class HubFile:
    """One file at a revision. ``path`` has forward slashes and passed :func:`name_fault`; ``size`` is in bytes.

    ``sha256`` is the content's hash where the hub tells it (large files), else "" and ``blob`` is its git id: the SHA-1
    of ``blob SIZE NUL content``.
    """

    path: str
    size: int
    sha256: str = ""
    blob: str = ""


@dataclass(frozen=True)
class HubModel:
    """What a hub says of one model at one commit (``revision``, 40 hex digits).

    ``license`` is as its card names it, "" if it doesn't; ``license_url`` may be "". ``gated``: its owner must let you
    in. ``refused`` are files that can't be kept here: (name, why).
    """

    repo: str
    revision: str
    endpoint: str
    files: tuple[HubFile, ...] = ()
    license: str = ""
    license_url: str = ""
    gated: bool = False
    refused: tuple[tuple[str, str], ...] = ()


def license_named(name: str, url: str) -> str:
    """A licence as a roster has it: its name, and its address where it is none that everybody knows."""
    return f"{name} ({url})" if name and url else name or url


_PAGE = re.compile(rf"(https?://[^/\s]+)/({_PART}/{_PART})(?:/(?:tree|resolve|blob)/([^/\s?#]+))?(?:[/?#]\S*)?")


def read_address(text: str) -> tuple[str, str, str]:
    """(OWNER/NAME, revision, hub) of what a person wrote or copied: an id, or the address of a model's page, of a
    revision or of a file. What isn't told is "".
    """
    text = text.strip()
    page = _PAGE.fullmatch(text)
    return (page[2], page[3] or "", page[1]) if page is not None else (text.strip("/"), "", "")


def is_hub_id(text: str) -> bool:
    """Whether ``text`` is OWNER/NAME as hubs write it."""
    return _ID.fullmatch(text) is not None and ".." not in text and "--" not in text and not text.endswith(".git")


def is_commit(text: str) -> bool:
    """Whether ``text`` is a whole commit: 40 small hex digits."""
    return _COMMIT.fullmatch(text) is not None


def is_revision(text: str) -> bool:
    """Whether ``text`` can name a branch, a tag or a commit."""
    return _REVISION.fullmatch(text) is not None and ".." not in text and "//" not in text


def hub_folder(repo: str, revision: str) -> str:
    """Where the files of ``repo`` at the commit ``revision`` lie, below the folder for models."""
    return f"{repo.replace('/', '--')}/{revision[:12]}"


def name_fault(path: str) -> str:
    """Why a file of this name can't be kept on every disk, as the end of a sentence; "" if it can.

    Names are refused, not changed: a file must be found under the name that the model's own files call it by.
    """
    if not path or len(path) > LONGEST_NAME:
        return "its name is empty or too long"
    if path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        return "its name starts at the root of a disk"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return "its name leads out of its folder"
        if _ODD.search(part) or any("\ud800" <= char <= "\udfff" for char in part):
            return "its name holds characters that a disk may refuse"
        if part.endswith((".", " ")) or part.startswith(" "):
            return "its name begins or ends with a blank, or ends with a full stop"
        if part.casefold() == MANIFEST:
            return "its name is one that this program keeps for itself"
        if _RESERVED.fullmatch(part):
            return "its name is one that Windows keeps for itself"
        if len(part.encode("utf-8")) > _LONGEST_PART:
            return "its name is too long"
    return ""


def spelling(path: str) -> str:
    """One word for all names that some disk takes for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
