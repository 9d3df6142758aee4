"""``synth``: one model speaks one text into a WAV file."""

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Protocol

from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.domain.devices import DEVICE_FORM, is_device
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.clips import Clips, Fetched
from arena_desktop.services.models import Models
from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.streamed_file import replacing

_LARGEST_TEXT = 1_000_000
"""Bytes."""


class DeviceChooser(Protocol):
    """What is needed of the speech host."""

    def set_device(self, device: str) -> None: ...


class App(Protocol):
    """What these commands need of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> DeviceChooser: ...
    @property
    def clips(self) -> Clips: ...
    @property
    def models(self) -> Models: ...


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``synth MODEL --text T | --text-file F [--voice V] [--device D] [--take N] -o OUT.wav [--json]``."""
    parser = subparsers.add_parser("synth", help="have one model speak a text into a file")
    parser.add_argument("model", metavar="MODEL", help="a repo_id of the roster, or a model's name")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="T", help="the text")
    source.add_argument(
        "--text-file", type=place, metavar="F", help="a UTF-8 file that holds the text; - reads standard input"
    )
    parser.add_argument("--voice", metavar="V", help="one of the model's voices (default: its first)")
    parser.add_argument("--device", metavar="D", help=f"where the model runs: {DEVICE_FORM} (default: as set)")
    parser.add_argument(
        "--take", type=int, default=0, metavar="N", help="which reading, from 0; engines with chance in them differ"
    )
    parser.add_argument(
        "-o", "--out", type=place, required=True, metavar="OUT.wav", help="the file to write (float32 mono WAV)"
    )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Speak and write; raises ArenaError in one sentence when it can't be done."""
    if not 0 <= args.take < 1_000_000:
        raise UsageError("--take counts from 0, up to 999999.")
    model = find_model(app.roster, args.model)
    voice = find_voice(model, args.voice)
    text = args.text if args.text is not None else _read(args.text_file)
    if args.device is not None:
        if not is_device(args.device):
            raise UsageError(f"There is no device {args.device}.", f"Write {DEVICE_FORM}.")
        app.host.set_device(args.device)
    fetched = app.clips.get(model, text, voice, args.take)
    _write(fetched.spoken.path, args.out)
    report = _report(model, voice, args.out, fetched)
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        how = "from the cache" if fetched.cached else "spoken"
        pace = f"{fetched.spoken.rtf:.3f} × real time on {fetched.spoken.device}"
        say(f"{args.out}: {report['seconds']} s at {report['rate']} Hz by {model.name} ({how}, {pace})")
    return 0


def find_model(roster: Roster, wanted: str) -> ModelSpec:
    """The model with this repo_id, else the only one with this name."""
    if wanted in roster.models:
        return roster.models[wanted]
    named = [model for model in roster.models.values() if model.name.casefold() == wanted.casefold()]
    if len(named) == 1:
        return named[0]
    what = f"The roster has {len(named)} models called {wanted}." if named else f"The roster has no model {wanted}."
    raise ArenaError(what, "Give a repo_id; `models list` shows them.")


def find_voice(model: ModelSpec, wanted: str | None) -> Voice | None:
    """The voice with this id; without a wish the model's first, None for a model without voices."""
    if wanted is None:
        return model.voices[0] if model.voices else None
    for voice in model.voices:
        if voice.id == wanted:
            return voice
    known = ", ".join(voice.id for voice in model.voices)
    raise ArenaError(
        f"{model.name} has no voice {wanted}.", f"Its voices: {known}." if known else "It has no choice of voices."
    )


def _read(path: Path) -> str:
    name = "Standard input" if str(path) == "-" else str(path)
    try:
        data = _read_input() if str(path) == "-" else read_bounded(path, _LARGEST_TEXT)
        if data is None:
            raise ArenaError(f"{name} holds more than {_LARGEST_TEXT:,} bytes.", "Give a shorter text.")
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ArenaError(f"{name} is not UTF-8 (byte {error.start}).", "Save it as UTF-8.") from None
    except OSError as error:
        raise ArenaError(f"{name} can't be read: {reason(error)}.", "Name a file that holds the text.") from None


def _read_input() -> bytes | None:
    data = sys.stdin.buffer.read(_LARGEST_TEXT + 1)
    return None if len(data) > _LARGEST_TEXT else data


def _write(clip: Path, out: Path) -> None:
    with replacing(out) as stream, clip.open("rb") as source:
        shutil.copyfileobj(source, stream)


def _report(model: ModelSpec, voice: Voice | None, out: Path, fetched: Fetched) -> dict[str, object]:
    spoken, identity = fetched.spoken, fetched.identity
    return {
        "schema": 1,
        "repo_id": model.repo_id,
        "voice": None if voice is None else voice.id,
        "out": str(out),
        "rate": spoken.rate,
        "frames": spoken.frames,
        "seconds": round(spoken.frames / spoken.rate, 4),
        "elapsed": round(spoken.elapsed, 4),
        "rtf": round(spoken.rtf, 4),
        "device": spoken.device,
        "dtype": spoken.dtype,
        "clip_sha256": spoken.clip_sha256,
        "cached": fetched.cached,
        "engine": identity.engine,
        "engine_version": identity.engine_version,
        "weights_hash": identity.weights_hash,
        "settings_hash": identity.settings_hash,
        "reference_sha256": identity.reference_sha256,
    }
