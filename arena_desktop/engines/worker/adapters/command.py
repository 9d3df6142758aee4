"""Any program that speaks: text by standard input or as an argument, sound as a file or on standard output. It is
started with a list of arguments, never through a shell, once a text.

``settings``: ``argv: [piper, -m, voice.onnx, -f, "{out}"]``, whose placeholders are ``{out}`` (a WAV file that the
program is to write; without it the sound is read from its output), ``{text}`` and ``{voice}`` (the voice's id);
``text: stdin | argument`` (argument where ``{text}`` stands in it); ``audio: wav | raw``, and for raw samples ``rate``,
``channels`` (1), ``format`` (``s16le``, ``s32le``, ``f32le``, ``u8``); ``limit_s`` seconds for a text (120); ``takes``:
how many readings of one text are worth hearing, for a program that never speaks twice alike (1).
``files``: ``{weights: [FILE, …]}``, files that the arguments don't name and that decide what is heard. The program runs
in the folder of the roster, so that relative arguments mean what they say there.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..programs.arguments import Arguments
from ..programs.decoding import file_bytes, from_bytes, from_raw
from ..programs.running import MOST_BYTES, Ran, run
from ..speech import packages
from ..speech.options import known_only, number, unknown, whole
from ..speech.places import placed
from ..speech.text import cleaned

SETTINGS = ("argv", "text", "audio", "rate", "channels", "format", "limit_s", "takes")
LIMIT_S = 120.0
MOST_TAKES = 3


class Engine:
    """Speaks by a program of the user's."""

    NAME = "command"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._files = dict(files)
        self._settings = dict(settings)
        self._search = list(search)
        self._folder = next((Path(place) for place in search if Path(place).is_dir()), Path.cwd())

    def check(self) -> list[dict[str, str]]:
        missing = unknown(self._settings, SETTINGS, "a command")
        try:
            arguments = self._arguments()
            if self._program(arguments) is None:
                missing.append(
                    {
                        "what": f"the program {arguments.name}",
                        "remedy": "Install it, or write its whole path as the first of argv.",
                    }
                )
            self._raw(self._settings)
            self.takes()
            self._limit(self._settings)
            for path in self._weights():
                if not path.is_file():
                    missing.append(
                        {"what": f"the file {path}", "remedy": "Correct files: {weights: […]} in the roster."}
                    )
        except EngineFault as fault:
            missing.append({"what": fault.message, "remedy": fault.remedy})
        return missing + packages.missing("soundfile")

    def version(self) -> str:
        return f"command {Path(self._arguments().name).name}"

    def weight_files(self) -> list[str]:
        """The program itself, the files among its arguments, and those that the roster adds."""
        arguments = self._arguments()
        program = self._program(arguments)
        found = [*([program] if program else []), *arguments.files(self._folder), *self._weights()]
        return sorted({str(path.resolve()) for path in found})

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return [str(voice["audio"])] if voice and voice.get("audio") else []

    def takes(self) -> int:
        return whole(self._settings, "takes", 1, 1, MOST_TAKES)

    def load(self, device: str) -> dict[str, str]:
        return {"device": "cpu", "dtype": "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "a command")
        arguments = Arguments(chosen)
        program = self._program(arguments)
        if program is None:
            raise EngineFault(
                "missing", f"The program {arguments.name} is not there.", "Install it, or correct argv in the roster."
            )
        name = str((voice or {}).get("id") or "")
        if arguments.needs_voice and not name:
            raise EngineFault(
                "settings", "The command wants a {voice}, and the model has none.", "Write voices: [NAME]."
            )
        said = cleaned(text)
        with tempfile.TemporaryDirectory(prefix="arena-command-") as folder:
            out = Path(folder) / "speech.wav"
            ran = run(
                arguments.filled(program, text=said, voice=name, out=out),
                text=said if arguments.on_stdin else None,
                folder=self._folder,
                limit_s=self._limit(chosen),
                out=out if arguments.writes_file else None,
            )
            _must_have_ended_well(arguments.name, ran)
            whose = f"What {arguments.name} wrote" if arguments.writes_file else f"The output of {arguments.name}"
            data = file_bytes(out, MOST_BYTES, whose) if arguments.writes_file else ran.output
        return from_raw(data, chosen, whose) if self._raw(chosen) else from_bytes(data, whose)

    def close(self) -> None:
        """Nothing is held between two texts."""

    def _arguments(self) -> Arguments:
        return Arguments(self._settings)

    def _program(self, arguments: Arguments) -> Path | None:
        return arguments.program(self._search)

    def _weights(self) -> list[Path]:
        named = self._files.get("weights") or []
        if not isinstance(named, (list, tuple)) or not all(isinstance(name, str) for name in named):
            raise EngineFault("settings", "files: weights is no list of files.", "Write files: {weights: [FILE, …]}.")
        return [placed(name, self._search) for name in named]

    @staticmethod
    def _raw(settings: dict[str, Any]) -> bool:
        wanted = settings.get("audio", "wav")
        if wanted not in ("wav", "raw"):
            raise EngineFault("settings", f"The setting audio is {wanted!r}.", "Write wav or raw.")
        return bool(wanted == "raw")

    @staticmethod
    def _limit(settings: dict[str, Any]) -> float:
        return number(settings, "limit_s", LIMIT_S, 0.1, 3600.0)


def _must_have_ended_well(name: str, ran: Ran) -> None:
    if ran.status == 0:
        return
    how = f"ended with status {ran.status}" if ran.status > 0 else f"was ended by signal {-ran.status}"
    said = f": {ran.last_words}" if ran.last_words else "."
    raise EngineFault(
        "engine",
        f"The program {name} {how}{said}",
        "Try it in a terminal with the same text; its words are in the log.",
    )
