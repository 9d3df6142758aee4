"""One file an engine. ``adapters/<engine>.py`` defines ``class Engine``; ``<engine>`` is what a roster writes as
``engine``.

Python ≥ 3.9 syntax (``from __future__ import annotations`` for annotations); at module level only the standard library,
numpy and relative imports of the worker package, such as ``from ..faults import EngineFault``; the engine's own library
inside functions. An adapter runs in the child process, where fd 0 is the null device and fds 1 and 2 are the log: a
library may print. ::

    class Engine:
        NAME: str                        # = the file's name = the roster's `engine`

        def __init__(self, files: dict, settings: dict, search: list[str]) -> None
            # The roster's `files` and `settings`; `search`: folders where model files may lie, the most particular
            # first (that of the roster file, then the data directory's). Reads no weights, imports nothing heavy.

        def check(self) -> list[dict]
            # [{"what": …, "remedy": …}], [] = ready. Imports nothing heavy (importlib.util.find_spec, Path.exists).

        def version(self) -> str
            # For the record, e.g. "hibari-tts 0.2.1". Works before load.

        def weight_files(self) -> list[str]
            # The files whose bytes are the model (weights, styles, vocabularies). Where the model is compiled into a
            # package: that package's files. Names and places don't count in the hash, only bytes. [] = not known.
            # Works before load.

        def reference_files(self, voice: dict | None) -> list[str]
            # The clips that `voice` is cloned from, else [].

        def load(self, device: str) -> dict
            # `device` is cpu, mps, cuda:0 (a GPU by its number), cuda or auto. Returns {"device": "cpu" | "cuda" |
            # "mps", "dtype": "float32" | …}: what was chosen. Called once before the first speak. Threads the engine
            # may use: int(os.environ.get("ARENA_WORKER_THREADS", "1")).

        def speak(self, text: str, voice: dict | None, settings: dict, take: int) -> tuple[np.ndarray, int]
            # Float32 mono (full scale ±1) and its rate in Hz. `voice` is {"id", "audio", "transcript", "gender",
            # "accent"} (all but id may be None). The same take gives the same sound where the engine can, another take
            # another one. Long text is split here. Empty text never gets here.

        def close(self) -> None
            # Let go of memory. load may follow.

        def clip_needs(self) -> dict                    # may be left out
            # What it wants of the clip of a voice: {"clones": bool, "transcript": bool, "longest_s": float}, each may
            # be left out (True, False, 30): whether it clones, must know what is said, and how much it listens to.
            # Whether the clip is there, can be read and is of a fit length is checked for it. Works before load.

        def check_voice(self, voice: dict) -> None      # may be left out
            # EngineFault where it can't speak as `voice` of the roster: there is no voice of that name. Works before
            # load; asked when check() finds nothing missing.

        def takes(self) -> int                          # may be left out, which means 1
            # How many readings of one text are worth hearing: 1 where every take sounds the same or differs in noise
            # alone, 3 where the model samples. A fixed seed in the settings doesn't change it: the take is part of the
            # seed. Works before load; asked when check() finds nothing missing.

        def languages(self) -> list[str]                # may be left out
            # The tags of the languages that it speaks here ("de", "pt-br"), [] where that isn't known. Works before
            # load. An engine with many voices lists them by a function beside the class, voices() -> [{"id", "name",
            # "language", "gender"}].

        # What decides where it runs; each may be left out (all work before load, and import nothing heavy):

        RUNTIME: str                     # "torch" or "onnx": it can use a GPU by that library; else it gets the cpu.

        def architecture(self) -> str    # Which row of engines/precision.py holds for it; else NAME.

        def dtypes(self) -> list[str]
            # The number types that it can be loaded in ("float32", "float16", "bfloat16"). The chosen one then stands
            # in its settings as `dtype` when load is called. Running out of memory it is loaded once more in a smaller.

        def quantised(self) -> bool      # Its weights are integers: a GPU would be no gain.

Running out of memory is raised as it comes (MemoryError, torch's own), or as EngineFault ``out_of_memory``.

``EngineFault(kind, message, remedy)`` refuses with words; any other exception is reported as ``engine`` with its type
and first line. Results are checked by the child (finite, not silent, plausible length, not clipped), so an adapter
needs no such checks.

A package adds an engine of its own by an entry point of the group ``arena_desktop.engines``, ``name = module:Class``;
it raises any exception with the attributes ``kind``, ``message`` and ``remedy`` to refuse with words. Under another
interpreter that lacks the package its one file is loaded by path.
"""
