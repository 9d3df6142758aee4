"""The program of the child: started by file path, ``python child.py``, with requests on fd 0, replies on fd 1 and the
log on fd 2.

Before anything else is imported the descriptors are put out of a library's reach and the libraries are told to stay
offline.
"""

import os
import sys

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "DO_NOT_TRACK": "1",
    "DISABLE_TELEMETRY": "1",
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime keeps a database of events in the home directory otherwise
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
}
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def main() -> int:
    """Serve until ``quit`` or until the parent is gone; returns the exit status."""
    os.environ.update(OFFLINE)
    threads = os.environ.setdefault("ARENA_WORKER_THREADS", "1")
    for name in THREAD_VARIABLES:
        os.environ[name] = threads
    package = __package__ or _adopt_folder()
    from importlib import import_module

    channel = import_module(package + ".wire").Channel.claim()
    import_module(package + ".process").be_modest()
    serve = import_module(package + ".serve").serve
    return int(serve(channel))


def _adopt_folder() -> str:
    """Make the folder of this file the package ``arena_worker``, and keep the folder itself off the module path."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib is not loaded yet
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]  # noqa: PTH100
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("arena_worker", os.path.join(here, "__init__.py"), submodule_search_locations=[here])  # noqa: PTH118
    assert spec is not None
    assert spec.loader is not None
    package = module_from_spec(spec)
    sys.modules["arena_worker"] = package
    spec.loader.exec_module(package)
    return "arena_worker"


if __name__ == "__main__":
    sys.exit(main())
