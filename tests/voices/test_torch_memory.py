"""A torch model that is put away gives its memory back, and comes back sounding the same."""

import json
import subprocess
import sys
from pathlib import Path

from tests.helpers.tiny_checkpoints import build

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from arena_desktop.engines.worker.process import resident_bytes
from arena_desktop.engines.worker.shelf import Shelf

def request(path, **settings):
    return {"key": path, "engine": {"name": "transformers"}, "files": {"path": path}, "settings": settings,
            "search": [], "device": "cpu", "threads": 1}

shelf = Shelf()
def heard(asked, text):
    sound, _ = shelf.load(asked).engine.speak(text, None, {}, 0)
    return hashlib.sha256(sound.tobytes()).hexdigest()

small, large = request(sys.argv[2]), request(sys.argv[3], phonemes="hibari")
heard(small, "The libraries are loaded with this.")
heard(large, "And the front end.")
shelf.drop(large["key"])
figures = {"before": resident_bytes(), "sounds": [], "while": [], "after": []}
for _ in range(3):
    figures["sounds"].append(heard(large, "Open the door."))
    figures["while"].append(resident_bytes())
    shelf.drop(large["key"])
    figures["after"].append(resident_bytes())
print(json.dumps(figures))
"""


def test_closing_gives_the_memory_back_each_time(converted_voice: Path, tmp_path: Path) -> None:
    small = build("fastspeech2", tmp_path / "small").files["path"]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ROOT), small, str(converted_voice)],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(set(found["sounds"])) == 1
    took = min(found["while"]) - found["before"]
    left = max(found["after"]) - found["before"]
    assert took > 60 * 2**20, found  # 97 MB of weights, the file's own pages counted once
    assert left < 0.3 * took, found
