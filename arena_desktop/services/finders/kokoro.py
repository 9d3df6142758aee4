"""Kokoro as ONNX: a model file, with its styles beside it as the adapter finds them."""

from collections.abc import Iterable
from dataclasses import replace

from arena_desktop.domain.roster import Voice
from arena_desktop.services.finders.folder import Folder, text_of
from arena_desktop.services.finders.found import Found
from arena_desktop.services.finders.languages import title_of

_CODES = {
    "a": ("en-US", "American"),
    "b": ("en-GB", "British"),
    "e": ("es", None),
    "f": ("fr", None),
    "h": ("hi", None),
    "i": ("it", None),
    "j": ("ja", None),
    "p": ("pt-BR", None),
    "z": ("zh", None),
}
"""What the first letter of a style's name tells."""
_GENDERS = {"f": "female", "m": "male"}
_MODEL_TYPE = "style_text_to_speech_2"


def style(name: str) -> tuple[str, Voice] | None:
    """The language and the voice of a style by its name (``af_heart``); None for a name of another form."""
    language = _CODES.get(name[:1])
    if language is None or len(name) < 4 or name[2] != "_" or name[1] not in _GENDERS:
        return None
    return language[0], Voice(name, gender=_GENDERS[name[1]], accent=language[1])


def kokoro_models(folder: Folder) -> list[Found]:
    """What lies in ``folder`` if it is a Kokoro model: one entry a language, since a voice speaks one."""
    models = [name for name in folder.ending(".onnx") if "kokoro" in name.lower()]
    inner = [name for name in folder.inside("onnx") if name.endswith(".onnx")]
    by_type = text_of((folder.json("config.json") or {}).get("model_type")) == _MODEL_TYPE
    if not models and not (inner and by_type):
        return []
    whole = Found(
        path=str(folder.path),
        kind="Kokoro model",
        title=folder.title,
        engine="kokoro",
        files={"path": str(folder.path)},
        license=folder.card.license,
        size_bytes=folder.size(models) if models else max(folder.inside("onnx").values(), default=0),
        source=folder.source,
        revision=folder.revision,
    )
    return by_language(whole, folder, styles_of(folder))


def by_language(whole: Found, folder: Folder, styles: Iterable[str]) -> list[Found]:
    """``whole`` once for each language that one of its ``styles`` speaks; none where no style is known."""
    languages: dict[str, list[Voice]] = {}
    for known in map(style, styles):
        if known is not None:
            languages.setdefault(known[0].partition("-")[0], []).append(known[1])
    return [
        replace(
            whole,
            title=f"{folder.title} ({title_of(code)})" if len(languages) > 1 else folder.title,
            files={**whole.files, "voice": voices[0].id},
            voices=tuple(voices),
            language=(code,),
        )
        for code, voices in languages.items()
    ]


def styles_of(folder: Folder) -> list[str]:
    """The names of the styles, looked for where the adapter does. A file of many is a zip: its list is read alone."""
    from arena_desktop.engines.worker.kokoro.styles import Styles

    many = [folder.path / name for name in folder.ending(".npz", ".bin") if name.lower().startswith("voices")]
    return Styles([folder.path / "voices", *many]).names()
