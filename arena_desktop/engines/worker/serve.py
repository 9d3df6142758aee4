"""Requests, one after another. Each is answered by exactly one reply with its id: ``{"id", "ok": …}`` or ``{"id",
"fault": …}``.

Every request has ``op``, ``id`` and ``deadline`` (seconds). Those about a model that speaks also have ``key`` (the
same for the same model as loaded), ``engine``, ``files``, ``settings`` and ``search``. After the start one message
with id 0 says that the child is ready. ``held`` is what the child holds: see :func:`process.held`, with the keys of
what is ``loaded``, the least recently used first.

| op | more in the request | ok |
|---|---|---|
| check | voices (perhaps) | missing: [{what, remedy}], takes (worth hearing), prompts (null, or ids: it lacks others) |
| identify | voice, hashes (the file of known hashes) | version, weights_hash, reference_sha256 |
| needs | | runtime, architecture, dtypes, quantised, weights (bytes): what the adapter tells |
| load | device, dtype, threads | device, dtype, seconds, held |
| speak | text, voice, take, out | held, loaded; if so: rate, frames, elapsed, device, dtype, clip_sha256 |
| unload | | held |
| libraries | | torch, onnx_on: what is installed beside the engines |
| recogniser | recogniser ({kind, path}), hashes | title, languages, hash (of its files; null if it has none) |
| hear | recogniser, sound (.npy: mono float32, 16 kHz), language | words |
| stats | | held |
| quit | | – |
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
import traceback
from typing import Any

import numpy as np

from . import libraries, process, sound
from .faults import EngineFault, describe
from .hearing import Ears
from .identity import FileHashes
from .shelf import Request, Shelf, needs_of
from .speech import clip_check
from .wire import Channel

Reply = dict[str, Any]


def serve(channel: Channel) -> int:
    """Answer requests until ``quit``."""
    operations = Operations()
    channel.reply({"id": 0, "ok": {"pid": os.getpid(), "python": platform.python_version()}})
    while True:
        request = channel.next()
        if request["op"] == "quit":
            channel.reply({"id": request["id"], "ok": {}})
            return 0
        channel.reply(_answer(operations, request))


def _answer(operations: Operations, request: Request) -> Reply:
    process.arm(float(request["deadline"]))
    try:
        return {"id": request["id"], "ok": getattr(operations, "do_" + request["op"])(request)}
    except BaseException as error:  # SystemExit and KeyboardInterrupt from a library too: the parent gets its answer
        if not isinstance(error, EngineFault):
            traceback.print_exc(file=sys.stderr)
        return {"id": request["id"], "fault": describe(error)}
    finally:
        process.disarm()


class Operations:
    """One method an op; what it returns is the reply's ``ok``."""

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._hashes: dict[str, FileHashes] = {}
        self._ears = Ears()

    def do_check(self, request: Request) -> Reply:
        importlib.invalidate_caches()  # something may have been installed since
        engine = self._shelf.make(request)
        voices = request.get("voices", [])
        missing = [*engine.check(), *clip_check.lacking(engine, voices)]
        if not missing:  # what is lacking at all would be said of every voice once more
            missing = unknown_voices(engine, voices)
        takes = int(engine.takes()) if not missing and hasattr(engine, "takes") else 1
        return {
            "missing": [{"what": str(item["what"]), "remedy": str(item["remedy"])} for item in missing],
            "takes": takes,
            "prompts": list(engine.prompts()) if not missing and hasattr(engine, "prompts") else None,
        }

    def do_identify(self, request: Request) -> Reply:
        engine = self._shelf.make(request)
        store = request["hashes"]
        hashes = self._hashes.get(store) or self._hashes.setdefault(store, FileHashes(store))
        return {
            "version": str(engine.version()),
            "weights_hash": hashes.of_all([str(path) for path in engine.weight_files()]),
            "reference_sha256": hashes.of_all([str(path) for path in engine.reference_files(request["voice"])]),
        }

    def do_load(self, request: Request) -> Reply:
        os.environ["ARENA_WORKER_THREADS"] = str(request["threads"])
        loaded = self._shelf.load(request)
        return {"device": loaded.device, "dtype": loaded.dtype, "seconds": loaded.seconds, "held": self._held()}

    def do_speak(self, request: Request) -> Reply:
        loaded = self._shelf.find(request["key"])
        if loaded is None:
            return {"loaded": False, "held": self._held()}
        began = time.perf_counter()
        settings = request["settings"]
        if hasattr(loaded.engine, "prompts"):  # it knows texts by their ids
            settings = {**settings, "prompt_id": request.get("prompt_id", "")}
        result: Any = loaded.engine.speak(request["text"], request["voice"], settings, request["take"])
        elapsed = time.perf_counter() - began
        if not isinstance(result, tuple) or len(result) != 2:
            raise EngineFault("engine", "The engine did not return samples and a rate.")
        samples, rate = sound.as_mono(*result)
        sound.check(samples, rate, request["text"])
        return {
            "loaded": True,
            "rate": rate,
            "frames": int(samples.size),
            "elapsed": elapsed,
            "device": loaded.device,
            "dtype": loaded.dtype,
            "clip_sha256": sound.write_wav(samples, rate, request["out"]),
            "held": self._held(),
        }

    def do_needs(self, request: Request) -> Reply:
        return needs_of(self._shelf.make(request))

    def do_unload(self, request: Request) -> Reply:
        self._shelf.drop(request["key"])
        return {"held": self._held()}

    def do_libraries(self, request: Request) -> Reply:
        importlib.invalidate_caches()
        return libraries.installed()

    def do_recogniser(self, request: Request) -> Reply:
        importlib.invalidate_caches()
        found = self._ears.of(request["recogniser"])
        return {
            "title": found.title,
            "languages": list(found.languages),
            "hash": FileHashes(request["hashes"]).of_all(list(found.files)),
        }

    def do_hear(self, request: Request) -> Reply:
        sound = np.load(request["sound"], allow_pickle=False)
        return {"words": self._ears.of(request["recogniser"]).hear(sound, request["language"])}

    def do_stats(self, request: Request) -> Reply:
        return {"held": self._held()}

    def _held(self) -> Reply:
        return {**process.held(), "loaded": self._shelf.keys()}


def unknown_voices(engine: Any, voices: list[dict[str, Any]]) -> list[dict[str, str]]:
    """One entry for every voice of the roster that ``engine`` says it can't speak as."""
    missing = []
    for voice in voices if hasattr(engine, "check_voice") else ():
        try:
            engine.check_voice(voice)
        except Exception as error:  # somebody else's engine has a class of its own for it
            fault = describe(error)
            missing.append({"what": fault["message"], "remedy": fault["remedy"]})
    return missing
