"""``arena-desktop synth`` with real voices: heard as English by a recogniser, and odd texts give speech or one
sentence.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import soundfile

from arena_desktop.store.roster_file import load_roster, shipped_roster_path
from tests.helpers.evidence import Figure, evidence
from tests.helpers.hearing import Ear, in_order, unlike_speech
from tests.helpers.odd_texts import ODD_TEXTS, SILENT
from tests.helpers.program import command

MODELS = load_roster(Path("none"), override=shipped_roster_path()).models
FAST = tuple(repo_id for repo_id, model in MODELS.items() if model.engine in ("hibari", "pico"))[:2]
SENTENCE = "This is the first time that I have seen the sea."
ENOUGH = 6
HANG_S = 600
SOME = ("spaces", "emoji", "300 letters without a space", "NUL and other control characters")


def synth(data: Path, repo_id: str, text_file: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    arguments = ("--data-dir", str(data), "synth", repo_id, "--text-file", str(text_file), "-o", str(out))
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=HANG_S, check=False)


def text_file(folder: Path, text: str) -> Path:
    file = folder / "text.txt"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return file


@pytest.mark.proof("voices")
def test_each_voice_is_heard_as_english(tmp_path: Path, ear: Ear, full_counts: bool) -> None:
    models: Sequence[str] = tuple(MODELS) if full_counts else FAST
    figures: dict[str, Figure] = {}
    holds = True
    for repo_id in models:
        out = tmp_path / "out.wav"
        done = synth(tmp_path / "data", repo_id, text_file(tmp_path, SENTENCE), out)
        assert done.returncode == 0, done.stderr
        sound, rate = soundfile.read(out, dtype="float32")
        against = unlike_speech(sound, rate, len(SENTENCE))
        heard = ear.words(sound, rate)
        words = in_order(SENTENCE, heard)
        # A formant voice is too far from the speech that the recogniser learned: only the properties of speech count.
        enough = words >= ENOUGH or MODELS[repo_id].engine == "espeak"
        holds = holds and enough and not against
        figures[f"{repo_id}: words of 11"] = words
        figures[f"{repo_id}: heard"] = " ".join(heard) + ("; " + ", ".join(against) if against else "")
    claim = (
        f"Each voice speaks “{SENTENCE}” so that pocketsphinx hears {ENOUGH} of its 11 words (espeak-ng: like speech)."
    )
    evidence("voices", figures, holds, claim=claim)


@pytest.mark.proof("odd_texts")
def test_odd_texts_give_speech_or_one_sentence(tmp_path: Path, full_counts: bool) -> None:
    models: Sequence[str] = tuple(MODELS) if full_counts else FAST[1:]
    names: Sequence[str] = tuple(ODD_TEXTS) if full_counts else SOME
    counts = {"speech": 0, "one sentence": 0}
    wrong: list[str] = []
    for repo_id in models:
        for name in names:
            out = tmp_path / "out.wav"
            out.unlink(missing_ok=True)
            try:
                done = synth(tmp_path / "data", repo_id, text_file(tmp_path, ODD_TEXTS[name]), out)
            except subprocess.TimeoutExpired:
                wrong.append(f"{repo_id}, {name}: no answer in {HANG_S} s")
                continue
            lines = done.stderr.splitlines()
            if done.returncode == 0 and out.is_file() and name not in SILENT:
                counts["speech"] += 1
            elif done.returncode == 1 and len(lines) == 1 and not out.exists():
                counts["one sentence"] += 1
            else:
                wrong.append(f"{repo_id}, {name}: status {done.returncode}, {done.stderr[-300:]!r}")
    sizes = {"models": len(models), "texts": len(names)}
    figures: dict[str, Figure] = {**sizes, **counts, "wrong": "; ".join(wrong) or "none"}
    claim = "Whatever is typed, synth gives speech or one clear sentence; it never hangs and never shows a traceback."
    evidence("odd_texts", figures, not wrong and counts["speech"] > 0, claim=claim)
