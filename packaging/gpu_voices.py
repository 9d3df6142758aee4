"""Every architecture of transformers on an NVIDIA GPU: ``python3 packaging/gpu_voices.py``.

For a machine that has one, after ``bootstrap.py run`` or ``test`` made the environment. Does what the proof
``transformers_voices`` does, with the device cuda: tiny checkpoints and one real voice, spoken, checked, repeated by
seed, with load time, real-time factor and memory, in ``docs/evidence/transformers_voices_cuda.md``. Exit 1 where torch
can use no GPU.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOK = "import sys, torch; sys.exit(0 if torch.cuda.is_available() else 1)"


def main() -> int:
    """The exit status."""
    python = ROOT / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        sys.stderr.write("gpu_voices: there is no environment yet; run: python3 packaging/bootstrap.py run\n")
        return 1
    if subprocess.call([str(python), "-c", LOOK], stderr=subprocess.DEVNULL):
        sys.stderr.write("gpu_voices: torch can use no NVIDIA GPU here; `arena-desktop doctor` says why\n")
        return 1
    prove = [sys.executable, str(ROOT / "packaging" / "bootstrap.py"), "prove", "transformers_voices"]
    return subprocess.call(prove, cwd=ROOT, env={**os.environ, "ARENA_DESKTOP_PROVE_DEVICE": "cuda"})


if __name__ == "__main__":
    sys.exit(main())
