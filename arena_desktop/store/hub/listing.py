"""What a hub says of a model: its commit, its files with sizes and hashes, its licence. Everything may be a lie, too
long, too deep or of the wrong type.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import orjson

from arena_desktop.domain.hub import HubFile, HubModel, is_commit, is_hub_id, is_revision, name_fault, spelling
from arena_desktop.harmless import one_line, shortened
from arena_desktop.store.hub.faults import Hiccup, HubError
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Wire

MOST_BYTES = 32_000_000
"""Of one answer."""
MOST_FILES = 20_000
MOST_PAGES = 200
LARGEST_FILE = 2_000_000_000_000
TRIES = 3
_NEXT = re.compile(r'<([^<>]{1,4000})>\s*;\s*rel="?next"?', re.IGNORECASE)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BLOB = re.compile(r"[0-9a-f]{40}")


def describe(wire: Wire, repo: str, revision: str, stopper: Stopper) -> HubModel:
    """The model ``repo`` at ``revision`` (a branch, a tag or a commit), pinned to its commit.

    Raises :class:`HubError`, :class:`arena_desktop.store.hub.faults.Stopped`.
    """
    if not is_hub_id(repo):
        raise HubError(f"{shortened(repo, 200)} is no model of a hub.", "Write OWNER/NAME, as on the model's page.")
    if not is_revision(revision):
        raise HubError(f"{shortened(revision, 200)} is no revision.", "Name a branch, a tag or a commit.")
    reader = _Reader(wire, stopper)
    card = reader.json(f"/api/models/{repo}/revision/{quote(revision, safe='')}", f"{repo} at {revision}")
    if not isinstance(card, Mapping):
        raise _no_hub(wire)
    commit = card.get("sha")
    if not isinstance(commit, str) or not is_commit(commit):
        raise _no_hub(wire)
    name = card.get("id")
    if isinstance(name, str) and is_hub_id(name):
        repo = name  # a model that was renamed answers by its new name
    files, refused = _files(reader.pages(f"/api/models/{repo}/tree/{commit}?recursive=true", repo))
    named, url = _license(card)
    gated = card.get("gated") not in (None, False, "")
    return HubModel(repo, commit, wire.endpoint, files, named, url, gated, refused)


class _Reader:
    """Answers of the hub as JSON values, tried again where that may help."""

    def __init__(self, wire: Wire, stopper: Stopper) -> None:
        self._wire, self._stopper = wire, stopper
        self._left = MOST_BYTES

    def json(self, path: str, what: str) -> Any:
        """The value at ``path``."""
        return self._get(self._wire.endpoint + path, what)[0]

    def pages(self, path: str, what: str) -> list[Any]:
        """All entries of a list that comes in pages."""
        url, found = self._wire.endpoint + path, list[Any]()
        for _ in range(MOST_PAGES):
            value, headers = self._get(url, what)
            if not isinstance(value, list):
                raise _no_hub(self._wire)
            found += value
            if len(found) > MOST_FILES:
                raise HubError(f"{what} has more than {MOST_FILES:,} files.", "Choose another model.")
            more = _NEXT.search(headers.get("Link", "")[:8000])
            if more is None:
                return found
            url = more.group(1)
            if not url.startswith(self._wire.endpoint + "/"):
                raise HubError(f"{self._wire.endpoint} sends on to another hub for the rest of its list.", "")
        raise HubError(f"The list of the files of {what} has no end.", "Try another hub.")

    def _get(self, url: str, what: str) -> tuple[Any, Mapping[str, str]]:
        failed = 0
        while True:
            try:
                data, headers = self._wire.read(url, self._left, what, self._stopper)
                break
            except Hiccup as hiccup:
                failed += 1
                if failed >= TRIES or (hiccup.wait or 0) > 60:
                    raise HubError(hiccup.message, hiccup.remedy) from hiccup
                self._stopper.wait(max(self._wire.patience.pause(failed), hiccup.wait or 0))
        self._left = max(1_000_000, self._left - len(data))
        try:
            return orjson.loads(data), headers
        except (ValueError, RecursionError) as error:
            raise _no_hub(self._wire) from error


def _no_hub(wire: Wire) -> HubError:
    return HubError(
        f"{shortened(wire.endpoint, 200)} doesn't answer as a model hub does.", "Check the address of the hub."
    )


def _files(entries: Sequence[Any]) -> tuple[tuple[HubFile, ...], tuple[tuple[str, str], ...]]:
    """The files that can be kept, by name, and those that can't."""
    files: dict[str, HubFile] = {}
    folders: set[str] = set()
    refused: list[tuple[str, str]] = []
    for entry in entries:
        if not isinstance(entry, Mapping) or entry.get("type") == "directory":
            continue
        path = entry.get("path")
        if not isinstance(path, str):
            refused.append(("(no name)", "the hub names it by no text"))
            continue
        file, why = _file(path, entry)
        if file is not None:
            word, above = spelling(path), _above(spelling(path))
            if word in files or word in folders or any(one in files for one in above):
                file, why = None, "another file has the same name but for its spelling"
            else:
                files[word] = file
                folders.update(above)
        if file is None:
            refused.append((shortened(one_line(path), 200), why))
    return tuple(sorted(files.values(), key=lambda file: file.path)), tuple(refused)


def _above(path: str) -> tuple[str, ...]:
    parts = path.split("/")
    return tuple("/".join(parts[:count]) for count in range(1, len(parts)))


def _file(path: str, entry: Mapping[str, Any]) -> tuple[HubFile | None, str]:
    why = name_fault(path)
    if why:
        return None, why
    size, blob, large = entry.get("size"), entry.get("oid"), entry.get("lfs")
    sha256: object = ""
    if isinstance(large, Mapping):
        size, sha256 = large.get("size", size), large.get("oid", large.get("sha256"))
        if isinstance(sha256, str):
            sha256 = sha256.removeprefix("sha256:")
    if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size <= LARGEST_FILE:
        return None, "the hub tells no size for it"
    if isinstance(sha256, str) and _SHA256.fullmatch(sha256):
        return HubFile(path, size, sha256=sha256), ""
    if not isinstance(large, Mapping) and isinstance(blob, str) and _BLOB.fullmatch(blob):
        return HubFile(path, size, blob=blob), ""
    return None, "the hub tells no hash for it, so it could not be checked"


def _license(card: Mapping[str, Any]) -> tuple[str, str]:
    """The licence and its address, from the card's own metadata, else from the hub's tags."""
    data = card.get("cardData")
    data = data if isinstance(data, Mapping) else {}
    name = _words(data.get("license"))
    if name.lower() in ("", "other"):
        name = _words(data.get("license_name")) or name
    if not name:
        tags = card.get("tags")
        tags = tags if isinstance(tags, list) else []
        name = ", ".join(one.removeprefix("license:") for one in tags if isinstance(one, str) and one[:8] == "license:")
    link = _words(data.get("license_link"))
    return shortened(one_line(name), 100), link if re.fullmatch(r"https?://[!-~]{1,300}", link) else ""


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""
