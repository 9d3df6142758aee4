"""From something that was found to a contestant, step by step: what it lacks, how it sounds, how it enters the roster.

The command line and the window take the same steps.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.engines.types import Identity, Missing
from arena_desktop.errors import ArenaError
from arena_desktop.services.finders.downloaded import portable
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.roster_adding import (
    Addition,
    add_model,
    addition,
    already_there,
    candidate,
    duplicate,
)
from arena_desktop.store.roster_remover import own_models, remove_model


class Host(Protocol):
    """What is needed of the speech host."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...


@dataclass(frozen=True)
class Written:
    """What was written, in sentences, and the model that it is about."""

    model: ModelSpec
    sentences: tuple[str, ...]


class Adding:
    """``roster`` gives the effective roster; ``shipped`` the one that comes with the program; ``file`` is the user's
    own; ``override`` the file that the program was started with instead, None without one: that is never written to.
    """

    def __init__(
        self,
        host: Host,
        *,
        roster: Callable[[], Roster],
        shipped: Callable[[], Roster],
        file: Path,
        override: Path | None = None,
    ) -> None:
        self._host = host
        self._roster = roster
        self._shipped = shipped
        self._file = file
        self._models = file.parent / "models"
        self._override = override

    def known(self, found: Found) -> ModelSpec | None:
        """The roster's model that speaks with these very files, told by their place alone."""
        wanted = found.files.get("path")
        moved = portable(found.files, self._models)
        for model in self._roster().models.values():
            same = model.files.get("path") == wanted or _commit(model.files) == _commit(moved) is not None
            if wanted is not None and model.engine == found.engine and same:
                heard = {voice.id for voice in model.voices}
                if len(found.voices) < 2 or not heard or heard >= {voice.id for voice in found.voices}:
                    return model
        return None

    def lacks(self, found: Found) -> tuple[Missing, ...]:
        """What this thing lacks to speak here. Blocks; raises SpeechFailure."""
        return self._host.check(candidate(found))

    def weigh(self, found: Found, spec: ModelSpec) -> str | None:
        """The hash of the weights of ``spec``, made of ``found``; reads them once. Raises :class:`ArenaError` where
        they can't be read, or the roster has them already.
        """
        if not found.size_bytes and Path(found.path).exists():
            raise ArenaError(f"{found.title} has no bytes in it: {found.path}.", "Download or copy it once more.")
        # An environment that is still to be made can't look at the files; any interpreter can.
        looked = replace(spec, python=None) if found.state is FoundState.SET_UP else spec
        weights = self._host.identify(looked, spec.voices[0] if spec.voices else None).weights_hash
        first = found.voices[0].id if len(found.voices) > 1 else None
        same = duplicate(spec, weights, self._roster(), self._host, first=first)
        if same is not None:
            raise already_there(same)
        return weights

    def propose(self, found: Found, spec: ModelSpec, *, name: str | None = None, arena: str | None = None) -> Addition:
        """How ``spec`` would enter the roster. Raises :class:`ArenaError` where it can't, or is there already."""
        return addition(found, spec, self.weigh(found, spec), self._roster(), name=name, arena=arena)

    def check_writable(self, new: Addition) -> None:
        """Raise :class:`ArenaError`, with the entries, if the program may not write them."""
        self._refuse_override(new.text(self._roster()))

    def write(self, new: Addition) -> Written:
        """Enter it into the user's roster file."""
        new = replace(new, spec=replace(new.spec, files=portable(new.spec.files, self._models)))
        self.check_writable(new)
        backup = add_model(self._file, self._roster(), new)
        titles = self._titles(new)
        return Written(
            new.spec,
            (f"{new.spec.name} was added to {titles}, as {new.spec.repo_id}.", *self._kept(backup)),
        )

    def remove(self, repo_id: str) -> Written:
        """Take a model out of the user's roster file; its votes stay in the log."""
        self._refuse_override("")
        roster = self._roster()
        backup = remove_model(self._file, self._shipped(), repo_id)
        model = roster.models.get(repo_id) or ModelSpec(repo_id, repo_id)
        return Written(
            model, (f"{model.name} ({repo_id}) was removed. Its votes stay in the log.", *self._kept(backup))
        )

    def own(self) -> frozenset[str]:
        """The models that can be removed."""
        return frozenset() if self._override is not None else own_models(self._file)

    def _titles(self, new: Addition) -> str:
        roster = self._roster()
        arenas = [new.made.get(arena) or roster.arenas[arena] for arena in new.arenas]
        return " and ".join(f"the arena «{arena.title or arena.id}»" for arena in arenas)

    def _kept(self, backup: Path | None) -> Iterable[str]:
        kept = "" if backup is None else f"; what it was before is kept beside it in {backup.name}"
        yield f"Written to {self._file}{kept}."

    def _refuse_override(self, entries: str) -> None:
        if self._override is not None:
            lines = f" Write there:\n{entries}" if entries else ""
            raise ArenaError(
                f"The program was started with --roster {self._override}, which it never writes to.",
                f"Start it without, or change that file by hand.{lines}",
            )


def _commit(files: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Which files of which commit of a hub these are; None where no hub is named."""
    return (files["hub"], files.get("revision"), files.get("path")) if "hub" in files else None
