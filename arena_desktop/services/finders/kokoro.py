"""Kokoro as ONNX: a model file and styles, one to a file or many in one."""

from arena_desktop.domain.roster import Voice
from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found

_LANGUAGES = {
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
_GENDERS = {"f": "female", "m": "male"}
_TITLES = {"en": "English", "es": "Spanish", "fr": "French", "hi": "Hindi", "it": "Italian", "ja": "Japanese"}
_TITLES |= {"pt": "Portuguese", "zh": "Chinese"}


def style(name: str) -> tuple[str, Voice] | None:
    """The language and the voice of a style by its name (``af_heart``); None for a name of another form."""
    language = _LANGUAGES.get(name[:1])
    if language is None or len(name) < 4 or name[2] != "_" or name[1] not in _GENDERS:
        return None
    return language[0], Voice(name, gender=_GENDERS[name[1]], accent=language[1])


def kokoro(folder: Folder, models: list[str], styles: list[str], files: dict[str, str]) -> list[Found]:
    """One entry a language for ``styles`` (their names); ``files`` are those of the roster entry."""
    by_language: dict[str, list[tuple[str, Voice]]] = {}
    for name in styles:
        known = style(name)
        if known is not None:
            by_language.setdefault(known[0].partition("-")[0], []).append(known)
    return [
        Found(
            path=str(folder.path / models[0]),
            kind="Kokoro model",
            title=f"{folder.title} ({_TITLES[code]})" if len(by_language) > 1 else folder.title,
            engine="kokoro",
            files={**files, "voice": voices[0][1].id},
            voices=tuple(voice for _, voice in voices),
            language=(code,),
            license=folder.card.license,
            size_bytes=folder.size(models[:1]),
            source=folder.source,
            revision=folder.revision,
        )
        for code, voices in by_language.items()
    ]


def kokoro_models(folder: Folder) -> list[Found]:
    """What lies in ``folder`` if it is a Kokoro model as ONNX."""
    models = [name for name in folder.ending(".onnx") if name.lower().startswith("kokoro")]
    inner = [name for name in folder.inside("onnx") if name.startswith("model") and name.endswith(".onnx")]
    styles = sorted(name[: -len(".bin")] for name in folder.inside("voices") if name.endswith(".bin"))
    if not (models or inner) or not styles or not any(map(style, styles)):
        return []
    return kokoro(folder, models or inner, styles, {"path": str(folder.path)})
