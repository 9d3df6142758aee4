"""The host when all is well, and when it is closed."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import soundfile

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.placement import GB, MB, Machine
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure
from tests.engines.conftest import ADAPTERS, MakeHost, MakeModel, open_files, wait_for

TEXT = "The birch canoe slid on."


def test_a_clip_is_a_float_wav_with_the_samples_of_the_engine(
    host: SpeechHost, model: MakeModel, tmp_path: Path
) -> None:
    out = tmp_path / "a.wav"
    spoken = host.speak(model(), TEXT, None, out)
    samples, rate = soundfile.read(out, dtype="float32")
    assert (rate, samples.shape) == (spoken.rate, (spoken.frames,))
    at = np.arange(spoken.frames) / rate
    np.testing.assert_allclose(samples, 0.3 * np.sin(2 * np.pi * 220 * at), atol=1e-6)
    assert soundfile.info(out).subtype == "FLOAT"
    assert spoken.clip_sha256 == hashlib.sha256(out.read_bytes()).hexdigest()
    assert (spoken.device, spoken.dtype, spoken.path) == ("cpu", "float32", out)
    assert spoken.rtf == pytest.approx(spoken.elapsed / (spoken.frames / spoken.rate))
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_check_says_what_is_missing_and_how_to_get_it(host: SpeechHost, model: MakeModel) -> None:
    assert host.check(model()) == ()
    assert host.check(model("lacking")) == (Missing("the voice file", "Run: get voice"),)


def test_identity_follows_the_bytes_of_the_weights_the_settings_and_the_cloned_clip(
    host: SpeechHost, tmp_path: Path
) -> None:
    first, second, clip = (tmp_path / name for name in ("first.bin", "second.bin", "clip.wav"))
    first.write_bytes(b"weights")
    second.write_bytes(b"more")
    clip.write_bytes(b"sound")
    settings = {"act": "tone", "speed": 1.25}
    one = ModelSpec(
        "t/one", "One", engine="acting", settings=settings, files={"paths": [str(first)], "revision": "ab" * 20}
    )
    voice = Voice("anna", audio="clip.wav", transcript="Hello")
    both = ModelSpec("t/two", "Two", engine="acting", files={"paths": [str(second), str(first)]}, base=str(tmp_path))
    identity = host.identify(one)
    assert identity.engine_version == "acting 1.0"
    assert identity.weights_hash == hashlib.sha256(b"weights").hexdigest()
    assert identity.revision == "ab" * 20
    assert identity.settings_hash == hashlib.sha256(b'{"act":"tone","speed":1.25}').hexdigest()
    assert identity.reference_sha256 is None
    hashes = sorted(hashlib.sha256(data).hexdigest() for data in (b"weights", b"more"))
    assert host.identify(both, voice).weights_hash == hashlib.sha256("\n".join(hashes).encode()).hexdigest()
    assert host.identify(both, voice).reference_sha256 == hashlib.sha256(b"sound").hexdigest()
    (tmp_path / "clip.wav").write_bytes(b"another speaker")  # while the program runs
    replaced = hashlib.sha256(b"another speaker").hexdigest()
    assert host.identify(both, voice).reference_sha256 == replaced
    (tmp_path / "clip.wav").unlink()
    assert host.identify(both, voice).reference_sha256 == replaced
    first.write_bytes(b"other weights")
    assert host.check(one) == ()
    assert host.identify(one).weights_hash == hashlib.sha256(b"other weights").hexdigest()


def test_weight_files_that_are_gone_are_missing_by_name(host: SpeechHost, tmp_path: Path) -> None:
    gone = ModelSpec("t/gone", "Gone", engine="acting", files={"paths": [str(tmp_path / "gone.bin")]})
    with pytest.raises(SpeechFailure, match=r"gone\.bin") as caught:
        host.identify(gone)
    assert caught.value.kind is FailureKind.MISSING


def test_known_hashes_survive_the_host_and_a_damaged_store_is_begun_anew(make_host: MakeHost, tmp_path: Path) -> None:
    weights, store = tmp_path / "w.bin", tmp_path / "hashes.json"
    weights.write_bytes(b"weights")
    one = ModelSpec("t/one", "One", engine="acting", files={"paths": [str(weights)]})
    make_host(hashes=store).identify(one)
    known = json.loads(store.read_text())
    assert "w.bin" not in store.read_text(), "the file tells nobody which model was used"
    known = dict.fromkeys(known, "ee" * 32)  # a wrong one proves that the file isn't read again
    store.write_text(json.dumps(known))
    assert make_host(hashes=store).identify(one).weights_hash == "ee" * 32
    store.write_text("{ damaged")
    assert make_host(hashes=store).identify(one).weights_hash == hashlib.sha256(b"weights").hexdigest()


def test_calls_from_many_threads_all_get_their_own_clip(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    texts = ["word " * count for count in range(1, 25)]
    with ThreadPoolExecutor(8) as pool:
        spoken = list(
            pool.map(lambda pair: host.speak(model(), pair[1], None, tmp_path / f"{pair[0]}.wav"), enumerate(texts))
        )
    assert [clip.frames for clip in spoken] == [int((0.08 * len(text) + 0.2) * 16_000) for text in texts]
    assert len(psutil.Process().children()) == 1


def test_models_share_a_child_and_the_least_recently_used_is_put_away_when_memory_is_short(
    make_host: MakeHost, model: MakeModel, tmp_path: Path
) -> None:
    host = make_host(describe_machine=lambda: Machine("Linux", "x86_64", 2, 2 * GB))  # 1 GB for models
    models = [ModelSpec(f"t/{n}", f"N{n}", engine="acting", settings={"megabytes": 300, "n": n}) for n in range(4)]
    for one in models:
        host.speak(one, TEXT, None, tmp_path / "a.wav")
    (child,) = psutil.Process().children()
    assert child.memory_info().rss < GB
    host.speak(models[0], TEXT, None, tmp_path / "a.wav")  # put away long ago: it is loaded again
    assert 300 * MB < child.memory_info().rss < GB


def test_another_interpreter_gets_a_child_of_its_own(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    venv_python = tmp_path / "env" / "python"
    venv_python.parent.mkdir()
    venv_python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    venv_python.chmod(0o755)
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    foreign = ModelSpec("t/foreign", "Foreign", engine="acting", python=str(venv_python))
    assert host.speak(foreign, TEXT, None, tmp_path / "b.wav").frames > 0
    assert len(psutil.Process().children()) == 2


def test_the_child_is_modest_and_tells_nothing_on_its_command_line(
    host: SpeechHost, model: MakeModel, tmp_path: Path
) -> None:
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    (child,) = psutil.Process().children()
    assert child.nice() >= 10
    assert Path(f"/proc/{child.pid}/oom_score_adj").read_text().strip() == "1000"
    assert [Path(part).name for part in child.cmdline()[1:]] == ["child.py"]
    environment = child.environ()
    assert environment["ARENA_WORKER_THREADS"] in ("1", "2")
    log = (tmp_path / "logs" / "speech.log").read_text()
    assert "tone" not in log
    assert TEXT not in log


def test_the_child_imports_nothing_of_the_program(host: SpeechHost, tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    source = (ADAPTERS / "acting.py").read_text()
    probe.write_text(
        source.replace('return "acting 1.0"', 'return ",".join(sorted({name.split(".")[0] for name in sys.modules}))')
    )
    from arena_desktop.engines.catalogue import Catalogue

    probing = SpeechHost(tmp_path / "l", tmp_path / "r", catalogue=Catalogue({"probe": probe}))
    try:
        loaded = probing.identify(ModelSpec("t/probe", "Probe", engine="probe")).engine_version.split(",")
    finally:
        probing.close()
    assert "arena_worker" in loaded
    assert not {"arena_desktop", "PySide6", "yaml", "orjson", "child", "sound"} & set(loaded)


def test_the_libraries_are_told_to_stay_offline_before_they_are_imported(host: SpeechHost, tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    source = (ADAPTERS / "acting.py").read_text()
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK", "OMP_NUM_THREADS")
    probe.write_text(
        source.replace(
            "RATE = 16_000", f"RATE = 16_000\nSEEN = ' '.join(os.environ.get(name, '-') for name in {names})"
        ).replace('return "acting 1.0"', "return SEEN")
    )
    from arena_desktop.engines.catalogue import Catalogue

    probing = SpeechHost(tmp_path / "l", tmp_path / "r", catalogue=Catalogue({"probe": probe}))
    try:
        seen = probing.identify(ModelSpec("t/probe", "Probe", engine="probe")).engine_version.split()
    finally:
        probing.close()
    assert seen[:4] == ["1", "1", "1", "1"]
    assert seen[4] in ("1", "2")


def test_close_during_a_request_ends_it_at_once_and_for_good(
    make_host: MakeHost, model: MakeModel, mark: Path, tmp_path: Path
) -> None:
    host = make_host(deadlines=Deadlines())
    caught: list[SpeechFailure] = []

    def speak(act: str) -> None:
        try:
            host.speak(model(act), "slow words", None, tmp_path / "a.wav")
        except SpeechFailure as failure:
            caught.append(failure)

    threads = [threading.Thread(target=speak, args=(act,)) for act in ("slow_native", "slow_native", "tone")]
    threads[0].start()
    wait_for(lambda: mark.exists() and mark.read_text(), "speaking")
    for thread in threads[1:]:  # these wait for their turn
        thread.start()
    host.close()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert [failure.kind for failure in caught] == [FailureKind.CANCELLED] * 3
    assert psutil.Process().children() == []
    with pytest.raises(SpeechFailure) as late:
        host.speak(model(), TEXT, None, tmp_path / "b.wav")
    assert late.value.kind is FailureKind.CANCELLED
    host.start()
    host.close()
    assert psutil.Process().children() == []
    assert host.failures("test/slow_native").counts == {}


def test_twenty_restarts_leave_no_file_thread_or_process(make_host: MakeHost, model: MakeModel, tmp_path: Path) -> None:
    host = make_host(deadlines=Deadlines())  # nothing hangs here: a busy machine is to be waited for
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    files, threads = open_files(), threading.active_count()
    for number in range(20):
        with pytest.raises(SpeechFailure):
            host.speak(model("leave"), f"Text number {number}.", None, tmp_path / "a.wav")
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    assert (open_files(), threading.active_count()) == (files, threads)
    assert len(psutil.Process().children()) == 1


PARENT = """
import sys
from pathlib import Path
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost

home, adapter, act, deadline = sys.argv[1:]
host = SpeechHost(Path(home) / "l", Path(home) / "r", catalogue=Catalogue({"acting": Path(adapter)}),
                  deadlines=Deadlines(speak=float(deadline), speak_per_character=0.0))
settings = {"act": act, "mark": home + "/mark"}
host.speak(ModelSpec("t/m", "M", engine="acting", settings=settings), "slow words", None, Path(home) / "a.wav")
"""


@pytest.mark.parametrize(("act", "deadline"), [("sleep", 600.0), ("slow_native", 1.0)])
def test_when_the_parent_is_killed_the_child_goes_too(
    tmp_path: Path, act: str, deadline: float, monkeypatch: Any
) -> None:
    """Also from the middle of a request; a child stuck in native code goes a grace period after its deadline."""
    mark = tmp_path / "mark"
    argv = [sys.executable, "-c", PARENT, str(tmp_path), str(ADAPTERS / "acting.py"), act, str(deadline)]
    surroundings = {**os.environ, "TMPDIR": str(tmp_path)}  # for what a killed parent leaves
    with subprocess.Popen(argv, cwd=Path(__file__).parents[2], env=surroundings) as parent:
        child = int(wait_for(lambda: mark.exists() and mark.read_text(), "the child speaks"))
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    wait_for(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == "zombie", "the child is gone")
