"""In which number types a model may run, as a table; what isn't in it runs in full precision."""

from collections.abc import Mapping, Sequence

FULL = "float32"
BRAIN = "bfloat16"
HALF = "float16"

BYTES: Mapping[str, int] = {FULL: 4, HALF: 2, BRAIN: 2, "int8": 1}
"""Bytes a parameter."""

REDUCED: Mapping[str, tuple[str, ...]] = {
    "bark": (BRAIN, HALF),
    "csm": (BRAIN,),
    "dia": (BRAIN, HALF),
    "f5": (HALF,),
    "higgs_audio_v2": (BRAIN,),
    "orpheus": (BRAIN,),
    "parler": (BRAIN,),
    "qwen_tts": (BRAIN,),
    "vibevoice": (BRAIN,),
}
"""The types with half as many bits that an architecture (or an engine that plays one) speaks well in, the best first.

Language models are made for ``bfloat16``; those trained in it, and text encoders of the T5 kind, overflow in
``float16``. F5's own program uses ``float16``, and is noisy in ``bfloat16``. Those that compute the waveform themselves
(VITS, SpeechT5, FastSpeech2, XTTS, Kokoro, Pocket TTS) lose quality or fail in either, and are small; Chatterbox mixes
types and fails. Halving what nobody has to halve would judge the type, not the voice.
"""

BRAIN_FROM = (8, 0)
"""The compute capability from which an NVIDIA GPU computes in ``bfloat16``."""
HALF_FROM = (5, 3)
"""The same for ``float16``."""
NO_HALF = ("GTX 16",)
"""GPUs that return NaN in ``float16`` where others don't, by a part of their name."""


def on_cuda(types: Sequence[str], capability: tuple[int, int] | None, name: str = "") -> str | None:
    """The first of the reduced ``types`` that an NVIDIA GPU computes in safely, None if there is none. ``capability``
    None is unknown: taken for an old one that has ``float16``.
    """
    able = {
        BRAIN: capability is not None and capability >= BRAIN_FROM,
        HALF: (capability is None or capability >= HALF_FROM) and not any(part in name for part in NO_HALF),
    }
    return next((dtype for dtype in types if able.get(dtype)), None)


def on_mps(types: Sequence[str]) -> str | None:
    """The same on an Apple GPU: only ``float16`` is fast on each of them."""
    return HALF if HALF in types else None


def on_cpu(types: Sequence[str]) -> str | None:
    """The same on a processor: to save memory, for it is no faster there. ``float16`` lacks many operations."""
    return BRAIN if BRAIN in types else None
