"""One file an engine. ``adapters/<engine>.py`` defines ``class Engine``; ``<engine>`` is what a roster writes as ``engine``.

Python ≥ 3.9 syntax (``from __future__ import annotations`` for annotations); at module level only the standard library, numpy and
``from ..faults import EngineFault`` (relative: see the package above); the engine's own library inside functions. An adapter runs in
the child process, where fd 0 is the null device and fds 1 and 2 are the log: a library may print. ::

    class Engine:
        NAME: str                        # = the file's name = the roster's `engine`

        def __init__(self, files: dict, settings: dict, search: list[str]) -> None
            # the roster's `files` and `settings`; `search`: folders where model files may lie. Cheap: reads no weights, imports nothing heavy.

        def check(self) -> list[dict]    # [{"what": …, "remedy": …}], [] = ready. Imports nothing heavy (importlib.util.find_spec, Path.exists)

        def version(self) -> str         # for the record, e.g. "hibari-tts 0.2.1"; works before load

        def weight_files(self) -> list[str]
            # the files whose bytes are the model (weights, styles, vocabularies); works before load. Where the model is compiled into a
            # package: that package's files. Their names and places don't count in the hash, only their bytes. [] = not known.

        def reference_files(self, voice: dict | None) -> list[str]     # the clips that `voice` is cloned from, else []

        def load(self, device: str) -> dict
            # device is cpu, cuda, mps or auto. Returns {"device": "cpu" | "cuda" | "mps", "dtype": "float32" | "int8" | …}: what was chosen.
            # Called once before the first speak. Threads the engine may use: int(os.environ.get("ARENA_WORKER_THREADS", "1")).

        def speak(self, text: str, voice: dict | None, settings: dict, take: int) -> tuple[np.ndarray, int]
            # float32 mono (full scale ±1) and its rate in Hz. `voice` is {"id", "audio", "transcript", "gender", "accent"} (all but id may be
            # None). The same take gives the same sound where the engine can; another take another one. Long text is split here.
            # Empty text never gets here.

        def close(self) -> None          # let go of memory; load may follow

``EngineFault(kind, message, remedy)`` refuses with words; any other exception is reported as ``engine`` with its type and first line.
Results are checked by the child (finite, not silent, plausible length, not clipped), so an adapter needs no such checks.
"""
