"""Programs that speak, tried with those that Debian has, and with ones that misbehave."""

import contextlib
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import soundfile

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import FailureKind, SpeechFailure
from tests.engines.conftest import MakeHost
from tests.helpers.hearing import Ear, in_order

SENTENCE = "The birch canoe slid on the smooth planks."
ARGV: dict[str, dict[str, Any]] = {
    "flite": {"argv": ["flite", "-voice", "{voice}", "-t", "{text}", "-o", "{out}"]},
    "festival": {"argv": ["text2wave", "-o", "{out}"]},
    "espeak-ng": {"argv": ["espeak-ng", "-v", "{voice}", "--stdin", "--stdout"]},
}
VOICES = {"flite": "slt", "espeak-ng": "en-us"}


@pytest.fixture
def host(make_host: MakeHost) -> SpeechHost:
    return make_host(deadlines=Deadlines(speak=30.0))


def command(*argv: str, **settings: Any) -> ModelSpec:
    return ModelSpec("test/command", "A command", engine="command", settings={"argv": list(argv), **settings})


def script(folder: Path, body: str) -> list[str]:
    """A Python program with this body; ``out`` is its last argument, ``said`` its input."""
    path = folder / "speaker.py"
    head = "import math, os, struct, subprocess, sys, time, wave\nout = sys.argv[-1]\n"
    path.write_text(f"{head}{body}\n", encoding="utf-8")
    return [sys.executable, str(path)]


TONE = "b''.join(struct.pack('<h', int(9000 * math.sin(n / 9))) for n in range(44100))"
WRITE = f"w = wave.open(out, 'wb'); w.setparams((1, 2, 22050, 0, 'NONE', '')); w.writeframes({TONE}); w.close()"


@pytest.mark.parametrize("program", sorted(ARGV))
def test_a_program_of_the_system_speaks_and_is_understood(host: SpeechHost, tmp_path: Path, program: str) -> None:
    name = VOICES.get(program)
    model = ModelSpec("test/program", program, engine="command", settings=ARGV[program])
    assert host.check(model) == ()
    spoken = host.speak(model, SENTENCE, Voice(name) if name else None, tmp_path / "a.wav")
    assert 1.5 < spoken.frames / spoken.rate < 6
    assert host.identify(model).weights_hash
    if program == "flite":
        samples, rate = soundfile.read(spoken.path, dtype="float32")
        assert in_order(SENTENCE, Ear().words(samples, rate)) >= 2


def test_bare_samples_on_the_output_are_taken_as_the_roster_says(host: SpeechHost, tmp_path: Path) -> None:
    argv = script(tmp_path, f"sys.stdin.read(); sys.stdout.buffer.write({TONE})")
    model = command(*argv, audio="raw", rate=44100, channels=2)
    spoken = host.speak(model, SENTENCE, None, tmp_path / "a.wav")
    assert (spoken.rate, spoken.frames) == (44100, 22050)


def test_a_text_is_one_argument_and_never_a_line_of_a_shell(host: SpeechHost, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    argv = script(tmp_path, f"open({str(heard)!r}, 'w').write(repr(sys.argv[1:-1])); {WRITE}")
    text = "--help; $(touch /tmp/never) `id` \"quoted\" 'so' & two > one \\ done"
    host.speak(command(*argv, "{text}", "{out}"), text, None, tmp_path / "a.wav")
    assert heard.read_text() == repr([f" {text}"])


def test_the_text_comes_whole_by_standard_input(host: SpeechHost, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    argv = script(tmp_path, f"open({str(heard)!r}, 'wb').write(sys.stdin.buffer.read()); {WRITE}")
    text = "Grüße aus Köln, 東京! " * 7
    host.speak(command(*argv, "{out}"), text, None, tmp_path / "a.wav")
    assert heard.read_text(encoding="utf-8") == text.strip() + "\n"


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("sys.exit('no such voice: bella')", FailureKind.ENGINE, "ended with status 1: no such voice: bella"),
        ("os.abort()", FailureKind.ENGINE, "was ended by signal 6"),
        ("pass", FailureKind.MISSING, "What .* wrote is not there"),
        ("open(out, 'w').write('speech')", FailureKind.ENGINE, "is no sound that can be read"),
        ("open(out, 'w')", FailureKind.SILENCE, "holds no sound"),
        ("time.sleep(60)", FailureKind.HANG, "did not end within 1 s"),
        ("while True: sys.stdout.buffer.write(bytes(1 << 20))", FailureKind.TOO_LONG, "wrote more than"),
        (WRITE.replace("9000", "0"), FailureKind.SILENCE, "silence"),
    ],
    ids=["refuses", "crashes", "writes nothing", "writes text", "empty file", "hangs", "endless", "silence"],
)
def test_what_goes_wrong_is_said_with_the_programs_own_words(
    host: SpeechHost, tmp_path: Path, body: str, kind: FailureKind, words: str
) -> None:
    model = command(*script(tmp_path, body), "{out}", limit_s=1 if kind is FailureKind.HANG else 60)
    with pytest.raises(SpeechFailure, match=words) as caught:
        host.speak(model, SENTENCE, None, tmp_path / "a.wav")
    assert caught.value.kind is kind
    assert not (tmp_path / "a.wav").exists()


def test_a_program_that_hangs_is_gone_with_all_that_it_started(host: SpeechHost, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)"
    )
    with pytest.raises(SpeechFailure):
        host.speak(command(*script(tmp_path, body), "{out}", limit_s=2), SENTENCE, None, tmp_path / "a.wav")
    _until(lambda: not any(psutil.pid_exists(int(pid)) for pid in pids.read_text().split()))


LEAVES = (
    "import subprocess, sys\n"
    "def leave(times):\n"
    "    code = 'import os, time; os.fork() and os._exit(0); '\n"
    "    code += 'open({0!r}, chr(97)).write(str(os.getpid()) + chr(10)); '\n"
    "    code = code.replace('{0!r}', repr(pids)) + 'time.sleep(600)'\n"
    "    for _ in range(times):\n"
    "        subprocess.Popen([sys.executable, '-c', code], start_new_session=True, stdin=subprocess.DEVNULL,\n"
    "            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ) if marked else {}).wait()\n"
    "    while len(open(pids).readlines()) < times: time.sleep(0.01)\n"
)


@pytest.mark.parametrize(
    ("ending", "fails"),
    [("time.sleep(600)", True), (WRITE, False), ("sys.exit(3)", True), ("os.kill(os.getppid(), 9)", True)],
    ids=["hangs", "speaks", "refuses", "takes the speech process down"],
)
def test_what_left_the_session_of_a_program_goes_with_it(
    host: SpeechHost, tmp_path: Path, ending: str, fails: bool
) -> None:
    pids = tmp_path / "pids"
    # Only with the speech process itself gone does it take the mark in the environment.
    body = f"pids = {str(pids)!r}; marked = {'getppid' in ending}\n{LEAVES}leave(3)\n{ending}"
    model = command(*script(tmp_path, body), "{out}", limit_s=2)
    with pytest.raises(SpeechFailure) if fails else contextlib.nullcontext():
        host.speak(model, SENTENCE, None, tmp_path / "a.wav")
    left = [int(pid) for pid in pids.read_text().split()]
    assert len(left) == 3
    assert not any(map(_lives, left))


def test_what_left_the_session_goes_when_the_host_is_closed(host: SpeechHost, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"pids = {str(pids)!r}; marked = False\n{LEAVES}leave(2)\ntime.sleep(600)"
    model = command(*script(tmp_path, body), "{out}", limit_s=300)
    speaking = threading.Thread(target=_suppressed, args=(host, model, tmp_path / "a.wav"))
    speaking.start()
    _until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
    host.close()
    speaking.join(20)
    assert not any(_lives(int(pid)) for pid in pids.read_text().split())


def test_what_a_program_has_put_aside_goes_with_the_speech_process_that_falls(
    make_host: MakeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    host = make_host()
    body = "import tempfile; open(tempfile.mkdtemp() + '/left.bin', 'wb').write(bytes(99)); "
    host.speak(command(*script(tmp_path, body + WRITE), "{out}"), SENTENCE, None, tmp_path / "a.wav")
    assert len(list(aside.rglob("left.bin"))) == 1
    deadly = command(*script(tmp_path, body + "os.kill(os.getppid(), 9)"), "{out}")
    with pytest.raises(SpeechFailure):
        host.speak(deadly, SENTENCE, None, tmp_path / "b.wav")
    assert not list(aside.rglob("left.bin"))
    host.speak(command(*script(tmp_path, body + WRITE), "{out}"), SENTENCE, None, tmp_path / "c.wav")
    host.close()
    assert not list(aside.iterdir())


WAV = f"{WRITE}; data = bytearray(open(out, 'rb').read())"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("os.mkdir(out)", "is no file"),
        ("os.mkfifo(out)", "is no file"),
        ("os.symlink('/dev/zero', out)", "is no file"),
        ("os.symlink(out, out)", "is no file"),
        ("os.symlink('/nowhere', out)", "is not there"),
        ("f = open(out, 'wb')\nwhile True: f.truncate(f.tell() + (1 << 24)); f.seek(0, 2)", "more than 256 MB"),
        ("open(out, 'wb').truncate(1 << 40)", "more than 256 MB"),
    ],
    ids=["folder", "pipe", "endless device", "loop", "dangling", "grows without end", "a terabyte"],
)
def test_what_is_no_finished_file_is_told_and_never_waited_for(
    host: SpeechHost, tmp_path: Path, body: str, words: str
) -> None:
    model = command(*script(tmp_path, body), "{out}", limit_s=60, audio="raw", rate=22050)
    with pytest.raises(SpeechFailure, match=words):
        host.speak(model, SENTENCE, None, tmp_path / "a.wav")


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (40, 0, ""),
        (40, 0xFFFFFFFF, ""),
        (40, 0x7FFFFFFF, ""),
        (4, 0xFFFFFFFF, ""),
        (24, 0xFFFFFFFF, "no sound that can be read|claims 1 channels|what it is not|Hz"),
        (22, 0x0002FFFF, "no sound that can be read|channels"),
        (16, 0xFFFFFFF0, "no sound that can be read|holds no sound"),
    ],
    ids=["no samples", "no end", "too many samples", "whole file", "rate", "channels", "form"],
)
@pytest.mark.parametrize("by", ["file", "output"])
def test_a_wav_that_lies_about_itself_is_read_as_far_as_it_goes_or_refused(
    host: SpeechHost, tmp_path: Path, place: int, value: int, words: str, by: str
) -> None:
    lies = f"{WAV}; data[{place}:{place + 4}] = struct.pack('<I', {value})\n"
    if by == "file":
        model = command(*script(tmp_path, lies + "open(out, 'wb').write(data)"), "{out}")
    else:
        lies = lies.replace("wave.open(out", "wave.open('x.wav'").replace("open(out, 'rb')", "open('x.wav', 'rb')")
        model = command(*script(tmp_path, lies + "sys.stdout.buffer.write(data)"))
    if words:
        with pytest.raises(SpeechFailure, match=words):
            host.speak(model, SENTENCE, None, tmp_path / "a.wav")
    else:
        assert host.speak(model, SENTENCE, None, tmp_path / "a.wav").frames == 44100


def _suppressed(host: SpeechHost, model: ModelSpec, out: Path) -> None:
    with contextlib.suppress(SpeechFailure):
        host.speak(model, SENTENCE, None, out)


def _lives(pid: int) -> bool:
    """Whether it is there and no mere entry of what has ended."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_a_program_that_is_allowed_more_time_gets_it(make_host: MakeHost, tmp_path: Path) -> None:
    host = make_host(deadlines=Deadlines(speak=0.5, speak_per_character=0.0, speak_least=0.5))
    model = command(*script(tmp_path, f"time.sleep(1.5); {WRITE}"), "{out}", limit_s=30)
    assert host.speak(model, SENTENCE, None, tmp_path / "a.wav").elapsed > 1.5


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"argv": "flite -t {text}"}, "no list of arguments"),
        ({"argv": []}, "no list of arguments"),
        ({"argv": ["flite", "{speech}"]}, r"The argument \{speech\}"),
        ({"argv": ["flite"], "text": "argument"}, r"none is \{text\}"),
        ({"argv": ["flite", "{text}"], "text": "stdin"}, "Choose one of the two"),
        ({"argv": ["no-such-program"]}, "the program no-such-program"),
        ({"argv": ["./no-such-program"]}, "the program ./no-such-program"),
        ({"argv": ["flite"], "audio": "mp3"}, "The setting audio is 'mp3'"),
        ({"argv": ["flite"], "rat": 8000}, "a setting rat of a command"),
        ({"argv": ["flite"], "takes": 9}, "The setting takes is 9"),
    ],
)
def test_a_wrong_entry_is_told_by_the_check(host: SpeechHost, settings: dict[str, Any], words: str) -> None:
    import re

    found = host.check(ModelSpec("test/command", "A command", engine="command", settings=settings))
    assert re.search(words, " ".join(f"{item.what} {item.remedy}" for item in found))


def test_relative_arguments_lie_beside_the_roster_and_make_the_competitor(host: SpeechHost, tmp_path: Path) -> None:
    script(tmp_path, WRITE)
    model = ModelSpec(
        "test/command",
        "A command",
        engine="command",
        settings={"argv": [sys.executable, "speaker.py", "{out}"]},
        base=str(tmp_path),
    )
    host.speak(model, SENTENCE, None, tmp_path / "a.wav")
    before = host.identify(model).weights_hash
    with (tmp_path / "speaker.py").open("a") as file:
        file.write("# another voice\n")
    host.check(model)
    assert host.identify(model).weights_hash != before


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)
