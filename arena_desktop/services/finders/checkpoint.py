"""Checkpoint folders of the transformers library: which of them speak is asked of the adapter's own table."""

import re
from typing import Any

from arena_desktop.domain.roster import Voice
from arena_desktop.services.finders.folder import Folder, text_of
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.finders.languages import code_of, codes_of

MOST_VOICES = 200
_MMS = re.compile(r"mms-tts-([a-z]{3})\b")
_SPEAKS = frozenset({"text-to-speech", "text-to-audio"})
_OTHER_TRADES = {
    "recognises speech": ("whisper", "wav2vec2", "hubert", "wavlm", "moonshine", "parakeet", "speech_to_text"),
    "reads or writes text": (
        "albert",
        "bart",
        "bert",
        "distilbert",
        "gemma",
        "gemma2",
        "gemma3",
        "gpt2",
        "gpt_neox",
        "llama",
        "mistral",
        "mixtral",
        "mpnet",
        "opt",
        "phi",
        "phi3",
        "qwen2",
        "qwen3",
        "roberta",
        "t5",
        "xlm-roberta",
    ),
    "looks at pictures": ("blip", "clip", "convnext", "dinov2", "resnet", "siglip", "vit"),
    "makes sound of a spectrogram: a part of another model": ("hifigan", "univnet", "vocos"),
    "codes sound: a part of other models": ("dac", "encodec", "mimi"),
}
_TRADE_OF = {kind: trade for trade, kinds in _OTHER_TRADES.items() for kind in kinds}


def checkpoint(folder: Folder) -> Found | None:
    """The checkpoint in ``folder``, None if it has no config.json that names a ``model_type``."""
    config = folder.json("config.json")
    kind = text_of((config or {}).get("model_type"))
    if config is None or not kind:
        return None
    title = folder.title
    common: dict[str, Any] = {
        "path": str(folder.path),
        "title": title,
        "license": folder.card.license,
        "size_bytes": folder.size(),
        "source": folder.source,
        "revision": folder.revision,
    }
    reason = why_not(folder, kind)
    if reason:
        speech = kind not in _TRADE_OF and (folder.card.task in _SPEAKS or not folder.card.task)
        return Found(kind=f"{kind} checkpoint", state=FoundState.CANT, reason=reason, speech=speech, **common)
    return Found(
        kind=f"{kind} checkpoint for transformers",
        engine="transformers",
        files={"path": str(folder.path)},
        settings=_settings(folder),
        voices=_voices(config),
        language=language_of(folder),
        **common,
    )


def why_not(folder: Folder, kind: str) -> str:
    """Why the transformers adapter can't speak with this checkpoint, in one sentence; "" if it can."""
    from arena_desktop.engines.worker.adapters.transformers import ARCHITECTURES, Engine
    from arena_desktop.engines.worker.speech import packages

    if kind in _TRADE_OF and kind not in ARCHITECTURES:
        return f"A {kind} model {_TRADE_OF[kind]}."
    libraries = packages.missing("torch", "transformers")  # what the program lacks is no fault of the folder
    lacking = Engine({"path": str(folder.path)}, _settings(folder), []).check()
    for item in lacking:
        if item not in libraries:
            return f"{item['what'][:1].upper()}{item['what'][1:]} {item['remedy']}".strip()
    return ""


def language_of(folder: Folder) -> tuple[str, ...]:
    """The languages that a checkpoint speaks, as far as its name, its tokenizer and its card tell."""
    mms = _MMS.search(folder.source or folder.path.name)
    if mms is not None:
        return (code_of(mms.group(1)),)
    tokenizer = folder.json("tokenizer_config.json") or {}
    own = code_of(text_of(tokenizer.get("language")))
    return (own,) if own else codes_of(folder.card.languages)


def _settings(folder: Folder) -> dict[str, Any]:
    tokenizer = folder.json("tokenizer_config.json") or {}
    english = not (languages := language_of(folder)) or languages[0].startswith("en")
    return {"phonemes": "hibari"} if tokenizer.get("phonemize") is True and english else {}


def _voices(config: dict[str, Any]) -> tuple[Voice, ...]:
    count = config.get("num_speakers")
    if isinstance(count, bool) or not isinstance(count, int) or count < 2:
        return ()
    return tuple(Voice(str(number)) for number in range(min(count, MOST_VOICES)))
