"""Folders in the form of sherpa-onnx: ONNX files with tokens.txt and, by kind, a lexicon, espeak-ng's data, styles."""

from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.finders.languages import code_of


def sherpa(folder: Folder) -> Found | None:
    """The model in ``folder``, None if it isn't in that form, or is a Piper voice, which its own engine plays."""
    models = folder.ending(".onnx")
    if "tokens.txt" not in folder.files or not models or any(f"{name}.json" in folder.files for name in models):
        return None
    if not (
        {"espeak-ng-data", "dict"} & set(folder.folders)
        or "lexicon.txt" in folder.files
        or "voices.bin" in folder.files
    ):
        return Found(
            path=str(folder.path),
            kind="sherpa-onnx model",
            title=folder.title,
            state=FoundState.CANT,
            reason="It has no lexicon and no data of espeak-ng: a recogniser of speech, or a voice that isn't whole.",
            size_bytes=folder.size(),
            speech=False,
        )
    language = next((code for part in folder.title.split("-") if (code := code_of(part)) and len(part) in (2, 5)), "")
    return Found(
        path=str(folder.path),
        kind="sherpa-onnx model",
        title=folder.title,
        engine="sherpa_onnx",
        files={"path": str(folder.path)},
        language=(language,) if language else (),
        license=folder.card.license,
        size_bytes=folder.size(),
        source=folder.source,
        revision=folder.revision,
    )
