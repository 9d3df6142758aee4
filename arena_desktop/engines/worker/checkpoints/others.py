"""Checkpoints that people have and that this engine can't speak with: one sentence each that says what it is and why
not, and where there is one, the way that works.
"""

from __future__ import annotations

from ..faults import EngineFault

_BIG = "It takes tens of GB and no checkpoint small enough to try was at hand, so it is not claimed to work."
_CODEC = "It turns sound into numbers and back and can't speak by itself."
_OWN = "The transformers library does not hold it."
_COMMAND = "Write engine: command with the model's own program."
_RECIPE = "`arena-desktop models add FOLDER --new-env` makes an environment for it."
_OF_A_VOICE = "Name it as files: {path: VOICE, codec: FOLDER} of a voice that needs it."

#: model_type → (what it is and why not, what to do).
SENTENCES: dict[str, tuple[str, str]] = {
    "musicgen": ("MusicGen makes music from a description and does not read text aloud.", "Use a voice."),
    "musicgen_melody": ("MusicGen Melody makes music after a tune and does not read text aloud.", "Use a voice."),
    "seamless_m4t": (f"SeamlessM4T is a translator that can also speak. {_BIG}", _COMMAND),
    "seamless_m4t_v2": (f"SeamlessM4T v2 is a translator that can also speak. {_BIG}", _COMMAND),
    "qwen2_5_omni": (
        f"Qwen2.5-Omni is a chat model that answers in speech and may say something else. {_BIG}",
        _COMMAND,
    ),
    "qwen3_omni_moe": (
        f"Qwen3-Omni is a chat model that answers in speech and may say something else. {_BIG}",
        _COMMAND,
    ),
    "vibevoice": (f"VibeVoice speaks with a noise scheduler of another library (diffusers). {_BIG}", _COMMAND),
    "higgs_audio_v2": (f"Higgs Audio v2 is a language model that speaks through a codec of its own. {_BIG}", _COMMAND),
    "moshi": ("Moshi talks back in a conversation and does not read a given text.", _COMMAND),
    "clvp": ("CLVP only ranks candidates for Tortoise and does not speak.", _COMMAND),
    "speecht5_hifigan": ("A vocoder, not a voice.", "Name it as files: {path: SPEECHT5, vocoder: FOLDER}."),
    "hifigan": ("A vocoder, not a voice.", "Name it as files: {path: FASTSPEECH2, vocoder: FOLDER}."),
    "fastspeech2_conformer_hifigan": (
        "A vocoder, not a voice.",
        "Name it as files: {path: FASTSPEECH2, vocoder: FOLDER}.",
    ),
    "encodec": (f"EnCodec is a codec. {_CODEC}", _OF_A_VOICE),
    "dac": (f"DAC is a codec. {_CODEC}", _OF_A_VOICE),
    "mimi": (f"Mimi is a codec. {_CODEC}", _OF_A_VOICE),
    "pocket_tts_audio_tokenizer": (f"The codec of Pocket TTS. {_CODEC}", _OF_A_VOICE),
    "parler_tts": (f"Parler-TTS. {_OWN}", _RECIPE),
    "qwen3_tts": (f"Qwen3-TTS. {_OWN}", _RECIPE),
    "xtts": (f"XTTS. {_OWN}", _RECIPE),
    "chatterbox": (f"Chatterbox. {_OWN}", _RECIPE),
    "llama": ("A language model: it writes text. If it is Orpheus, it needs its codec and its own engine.", _RECIPE),
    "whisper": ("Whisper writes down speech and does not speak.", "Use a voice."),
    "wav2vec2": ("wav2vec 2.0 listens and does not speak.", "Use a voice."),
}


def sentence(model_type: str) -> EngineFault | None:
    """Why a checkpoint of this type can't speak here, None for one that nothing is known about."""
    known = SENTENCES.get(model_type)
    return None if known is None else EngineFault("settings", f"{known[0]} (model_type {model_type})", known[1])
