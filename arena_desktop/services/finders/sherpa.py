"""Folders in the form of sherpa-onnx. Which kind one is, is asked of the adapter's own table."""

from arena_desktop.domain.roster import Voice
from arena_desktop.services.finders.checkpoint import MOST_VOICES
from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.finders.languages import code_of

NEEDS_A_CLIP = "It clones a voice: write its entry by hand, with a voice that has a clip (docs/voices.md)."


def sherpa(folder: Folder) -> Found | None:
    """The model in ``folder``, None if it isn't in that form, or is a Piper voice, which its own engine plays."""
    from arena_desktop.engines.worker.faults import EngineFault
    from arena_desktop.engines.worker.sherpa.kinds import read_model

    models = folder.ending(".onnx")
    if not models or any(f"{name}.json" in folder.files for name in models):
        return None
    try:
        model = read_model(folder.path, {}, None, "")
    except (EngineFault, OSError, ValueError) as fault:
        return _none(folder, str(fault)) if "tokens.txt" in folder.files else None
    if model.kind.clones:
        return _none(folder, NEEDS_A_CLIP, speech=True)
    names = model.speakers() or [str(number) for number in range(model.count())]
    language = code_of(model.language()[:5]) or code_of(model.language().partition("-")[0]) or _named(folder.title)
    return Found(
        path=str(folder.path),
        kind=f"{model.kind.name} model for sherpa-onnx",
        title=folder.title,
        engine="sherpa_onnx",
        files={"path": str(folder.path)},
        voices=tuple(Voice(name) for name in dict.fromkeys(names[:MOST_VOICES])) if len(names) > 1 else (),
        language=(language,) if language else (),
        license=folder.card.license,
        size_bytes=folder.size(),
        source=folder.source,
        revision=folder.revision,
    )


def _none(folder: Folder, reason: str, *, speech: bool = False) -> Found:
    """A folder with tokens and no voice is, as a rule, a recogniser of speech."""
    return Found(
        path=str(folder.path),
        kind="sherpa-onnx model",
        title=folder.title,
        state=FoundState.CANT,
        reason=reason,
        size_bytes=folder.size(),
        speech=speech,
    )


def _named(title: str) -> str:
    """The language that a folder's name tells, as in ``vits-piper-de_DE-thorsten-low``."""
    told = (part for part in title.split("-") if len(part) == 2 or (len(part) == 5 and part[2] == "_"))
    return next((code for part in told if (code := code_of(part))), "")
