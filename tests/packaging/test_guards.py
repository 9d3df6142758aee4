"""Each guard of ``tests/helpers/guards`` fires at what it is for, says where it came from, and lets the rest pass."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import psutil
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

OFFENCES = """
import logging, os, socket, subprocess, sys, threading, time, urllib.request
import pytest

release = threading.Event()


def test_good():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()):
            pass
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.join(os.environ["HOME"], "one.sock"))
    thread = threading.Thread(target=lambda: time.sleep(0.2))
    thread.start()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    logging.getLogger("some").info("fine")


def test_connects_and_swallows_the_refusal():
    with socket.socket() as client:
        try:
            client.connect(("192.0.2.1", 80))
        except BaseException:
            pass


def test_looks_a_name_up():
    with pytest.raises(AssertionError):
        socket.getaddrinfo("example.org", 80)


def test_listens_to_the_world():
    with socket.socket() as server, pytest.raises(AssertionError):
        server.bind(("0.0.0.0", 0))


def test_child_connects():
    code = "import socket; socket.socket().connect(('192.0.2.1', 80))"
    subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL)


def test_logs_a_warning():
    logging.getLogger("some.where").warning("the cat is loose")


def test_logs_an_announced_warning(expect_log):
    expect_log("cat .* loose", logger="some")
    logging.getLogger("some.where").warning("the cat is loose")


def test_announces_a_warning_that_never_comes(expect_log):
    expect_log("the dog")


def test_leaves_a_thread():
    threading.Thread(target=release.wait, name="left-thread", daemon=True).start()


def test_leaves_a_process():
    global left
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


def test_leaves_a_grandchild_without_parent():
    inner = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(601)'])"
    subprocess.run([sys.executable, "-c", inner], check=True)


@pytest.fixture(scope="module")
def server():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(602)"])
    yield process
    process.kill()
    process.wait()


def test_uses_a_server_of_its_module(server):
    assert server.poll() is None


def test_leaves_a_timer(qapp):
    from PySide6.QtCore import QTimer
    global timer
    timer = QTimer()
    timer.start(60000)


def test_leaves_a_qt_thread(qapp):
    from PySide6.QtCore import QThread
    global worker
    worker = QThread()
    worker.start()


def teardown_module():
    worker.quit()
    worker.wait()


def test_makes_qt_complain(qapp):
    from PySide6.QtCore import qWarning
    qWarning("Qt is cross")


def test_deprecated():
    import warnings
    warnings.warn("old", DeprecationWarning)


def test_home():
    assert "arena-home-" in os.environ["HOME"]
    assert os.path.expanduser("~") == os.environ["HOME"]
    assert "arena-home-" in os.environ["ARENA_DESKTOP_HOME"]
    assert os.environ["XDG_CACHE_HOME"].startswith(os.environ["HOME"])
    assert not os.path.exists(os.environ["ARENA_DESKTOP_HOME"])
"""

EXPECTED: dict[str, tuple[str, ...]] = {
    "test_connects_and_swallows_the_refusal": ("socket.connect ('192.0.2.1', 80)", "test_offences.py:"),
    "test_looks_a_name_up": ("socket.getaddrinfo 'example.org'",),
    "test_listens_to_the_world": ("socket.bind ('0.0.0.0', 0)",),
    "test_child_connects": ("socket.connect ('192.0.2.1', 80) in process",),
    "test_logs_a_warning": ("WARNING some.where: the cat is loose",),
    "test_announces_a_warning_that_never_comes": ("never came: ['the dog']",),
    "test_leaves_a_thread": ("thread left-thread, started at", "test_offences.py:"),
    "test_leaves_a_process": ("time.sleep(600), started at", "test_offences.py:"),
    "test_leaves_a_grandchild_without_parent": ("time.sleep(601)",),
    "test_leaves_a_timer": ("a Qt timer that still runs (every 60000 ms, without parent)",),
    "test_leaves_a_qt_thread": ("a Qt thread that still runs",),
    "test_makes_qt_complain": ("Qt messages with level WARNING or above", "Qt is cross"),
    "test_deprecated": ("DeprecationWarning: old",),
}
HARMLESS = ("test_good", "test_logs_an_announced_warning", "test_uses_a_server_of_its_module", "test_home")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the guards said about each test of ``OFFENCES``; a test that passed is not in it."""
    place = tmp_path_factory.mktemp("offences")
    (place / "test_offences.py").write_text(OFFENCES, encoding="utf-8")
    (place / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    (place / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8")
    results = place / "results.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", f"--junitxml={results}"]
    done = subprocess.run(
        [*command, "test_offences.py"],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(ROOT), "ARENA_DESKTOP_TEST_GRACE": "0.3"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    said: dict[str, str] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        for element in case:
            if element.tag in ("failure", "error"):
                name = case.attrib["name"]
                said[name] = said.get(name, "") + f"{element.attrib['message']}\n{element.text}"
            assert element.tag != "skipped"
    return said


@pytest.mark.parametrize("name", EXPECTED)
def test_guard_fires_and_says_what_it_saw(said: dict[str, str], name: str) -> None:
    for words in EXPECTED[name]:
        assert words in said[name]


def test_guards_let_pass_what_is_meant(said: dict[str, str]) -> None:
    assert set(re.findall(r"^def (test_\w+)", OFFENCES, re.MULTILINE)) == set(EXPECTED) | set(HARMLESS)
    assert set(said) == set(EXPECTED)


LEFT = """
import subprocess, sys
import pytest


@pytest.fixture(scope="session", autouse=True)
def server():
    global left
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(603)"])


def test_passes():
    pass


def test_passes_too():
    pass
"""


@pytest.mark.parametrize("shared_out", [[], ["--dist=worksteal", "--tx=popen"]], ids=["in one process", "by a worker"])
def test_what_is_left_at_the_end_of_the_run_fails_it_and_is_ended(tmp_path: Path, shared_out: list[str]) -> None:
    (tmp_path / "test_left.py").write_text(LEFT, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *shared_out, "test_left.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert "2 passed" in done.stdout
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    left = re.search(r"left at the end of the tests: process (\d+): .*sleep\(603\)", done.stderr)
    assert left is not None, done.stderr
    assert not psutil.pid_exists(int(left[1]))
