"""Speak texts in a process that can be killed: ``python speak_in_child.py ROOT`` with a JSON job on stdin, one JSON
line a text.

The job: {"engine", "files", "settings", "voice", "texts"}. A line: {"seconds", "peak"} or {"kind", "message"}.
"""

import importlib
import json
import sys


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    job = json.loads(sys.stdin.read())
    faults = importlib.import_module("arena_desktop.engines.worker.faults")
    module = importlib.import_module(f"arena_desktop.engines.worker.adapters.{job['engine']}")
    engine = module.Engine(job["files"], job["settings"], [])
    engine.load("cpu")
    for text in job["texts"]:
        try:
            sound, rate = engine.speak(text, {"id": job["voice"]}, {}, 0)
            line = {"seconds": len(sound) / rate, "peak": float(abs(sound).max())}
        except faults.EngineFault as fault:
            line = {"kind": fault.kind, "message": fault.message}
        print(json.dumps(line), flush=True)
    engine.close()


if __name__ == "__main__":
    main()
