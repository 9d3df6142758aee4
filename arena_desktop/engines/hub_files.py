"""Where the files of a model lie that the roster names by hub and commit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena_desktop.domain.hub import hub_folder, is_commit, is_hub_id
from arena_desktop.domain.roster import ModelSpec, plain_json
from arena_desktop.engines.types import Missing


def placed(model: ModelSpec, search: Sequence[str]) -> dict[str, Any]:
    """The model's ``files`` with an absolute ``path`` where they name a hub and a commit: its folder below one of
    ``search``, or the ``path`` in it. Without such a folder they are as they stand in the roster.
    """
    files: dict[str, Any] = plain_json(model.files)
    named = _named(files)
    found = next((place for folder in search if named and (place := Path(folder) / named).is_dir()), None)
    if found is not None:
        files["path"] = str(found / str(files.get("path", "")))
    return files


def not_downloaded(model: ModelSpec, search: Sequence[str]) -> Missing | None:
    """What to say of a model that the roster names by hub and commit, and by no absolute place, if it isn't here."""
    named = _named(model.files)
    if not named or Path(str(model.files.get("path", ""))).is_absolute():
        return None
    if any((Path(folder) / named).is_dir() for folder in search):
        return None
    hub, revision = model.files["hub"], model.files["revision"]
    return Missing(
        f"the files of {hub}",
        f"They come from a hub: `arena-desktop models download {hub} --revision {revision}` brings them.",
    )


def _named(files: Mapping[str, Any]) -> str:
    """The folder's name below a folder of models; "" where no hub and commit are named."""
    hub, revision = files.get("hub"), files.get("revision")
    if isinstance(hub, str) and isinstance(revision, str) and is_hub_id(hub) and is_commit(revision):
        return hub_folder(hub, revision)
    return ""
