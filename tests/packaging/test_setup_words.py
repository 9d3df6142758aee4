"""What the set-up says: faults in one line, never a traceback, and the exact command where it may not act itself."""

import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import pip_calls
import styles
import system_packages
from saying import Fault, size
from system_packages import Need

ROOT = Path(__file__).resolve().parent.parent.parent
BOOTSTRAP = ROOT / "packaging" / "bootstrap.py"


def _bootstrap(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BOOTSTRAP), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_help_names_every_command() -> None:
    done = _bootstrap("--help")
    assert done.returncode == 0
    for word in ("run", "test", "prove", "torch", "styles", "lock"):
        assert f"bootstrap.py {word}" in done.stdout


@pytest.mark.parametrize(("arguments", "words"), [((), "bootstrap.py run"), (("fly",), "there is no command 'fly'")])
def test_wrong_usage_is_status_2_and_says_what_there_is(arguments: tuple[str, ...], words: str) -> None:
    done = _bootstrap(*arguments)
    assert done.returncode == 2
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_an_old_python_is_told_so_and_reads_no_further() -> None:
    """The first file must parse and speak under a Python that can't read the others."""
    code = "import runpy, sys; sys.version_info = (3, 8, 0); path, sys.argv = sys.argv[1], ['x', 'run']"
    code += "; runpy.run_path(path)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(BOOTSTRAP)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PATH": "/nowhere"},
    )
    assert done.returncode == 1
    assert done.stderr.startswith("bootstrap: this is Python 3.8; Arena Desktop needs 3.11 or newer.")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("count", "text"), [(840_000, "840 kB"), (12_340_000, "12.3 MB"), (2.4e9, "2.4 GB")])
def test_sizes(count: float, text: str) -> None:
    assert size(count) == text


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "the package index does not answer"),
        ("ERROR: something else", "something else"),
    ],
)
def test_pip_failures_are_put_in_words(line: str, meaning: str, tmp_path: Path) -> None:
    """A real child that fails as pip does."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\necho '{line}'\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    with (tmp_path / "lock").open("wb") as lock:
        pip = pip_calls.Pip(python, tmp_path, lock)
        with pytest.raises(Fault) as caught:
            pip.install(["x"])
    assert meaning in str(caught.value)
    assert "\n" not in str(caught.value)
    assert line in (tmp_path / pip_calls.LOG).read_text(encoding="utf-8")


def test_what_pip_fetches_is_counted_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    said = "Downloading big-1.0-py3-none-any.whl (58.4 MB)\nDownloading small-1.whl (30 kB)\n"
    said += "Installing collected packages: big, small"
    python.write_text(f"#!/bin/sh\nprintf '{said}\\n'\n", encoding="utf-8")
    python.chmod(0o755)
    with (tmp_path / "lock").open("wb") as lock:
        pip = pip_calls.Pip(python, tmp_path, lock)
        pip.install(["x"])
    assert pip.downloaded == pytest.approx(58.43e6)
    out = capsys.readouterr().out
    assert "fetching big (58.4 MB)" in out
    assert "small (" not in out
    assert "unpacking 2 packages" in out


MISSING = Need("libnowhere1", "libnowhere.so.1", lambda: False)


def test_without_the_right_to_install_the_exact_command_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "_has_apt", lambda: True)
    monkeypatch.setattr(system_packages, "_right_to_install", lambda: None)
    system_packages.ensure([MISSING])
    assert "sudo apt-get install --no-install-recommends libnowhere1" in capsys.readouterr().out


def test_without_venv_and_the_right_to_install_it_ends_there(monkeypatch: pytest.MonkeyPatch) -> None:
    venv = Need("python3-venv", "venv", lambda: False)
    monkeypatch.setattr(system_packages, "_has_apt", lambda: True)
    monkeypatch.setattr(system_packages, "_right_to_install", lambda: None)
    monkeypatch.setattr(system_packages, "FOR_VENV", (venv,))
    with pytest.raises(Fault, match="no environment can be made"):
        system_packages.ensure([venv])


def test_with_the_right_only_what_is_missing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    there = Need("libthere1", "libthere.so.1", lambda: True)
    monkeypatch.setattr(system_packages, "_has_apt", lambda: True)
    monkeypatch.setattr(system_packages, "_right_to_install", lambda: ["sudo", "-n"])

    def call(command: list[str]) -> bool:
        asked.append(command)
        return True

    monkeypatch.setattr(system_packages, "_call", call)
    system_packages.ensure([there, MISSING])
    assert len(asked) == 1
    assert asked[0][:3] == ["sudo", "-n", "env"]
    assert asked[0][-1] == "libnowhere1"
    assert "libthere1" not in asked[0]


def test_another_linux_is_told_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "_has_apt", lambda: False)
    system_packages.ensure([MISSING])
    assert "libnowhere.so.1" in capsys.readouterr().out


def test_this_machine_has_what_the_checks_need() -> None:
    assert [need.package for need in system_packages.FOR_TESTS if not need.present()] == []


def test_styles_without_npm_are_left_out_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert styles.ensure(tmp_path) is False
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "npm is not installed" in out


def _npm(folder: Path, script: str) -> None:
    (folder / "npm").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "npm").chmod(0o755)


@pytest.mark.parametrize(
    ("script", "words"),
    [("exit 1", "npm could not fetch the package"), ("echo junk > kokoro-js-1.2.1.tgz", "SHA-256 differs")],
)
def test_a_failed_or_wrong_package_of_styles_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], script: str, words: str
) -> None:
    _npm(tmp_path, script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert styles.ensure(tmp_path) is False
    assert words in capsys.readouterr().out
    assert not styles.folder_of(tmp_path).exists()


def test_styles_are_checked_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = {name: name.encode() * 100 for name in styles.SHA256}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in [*((f"package/voices/{n}.bin", d) for n, d in content.items()), ("package/LICENSE", b"text")]:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    digest = hashlib.sha256
    monkeypatch.setattr(styles, "PACKAGE_SHA256", digest(packed.getvalue()).hexdigest())
    monkeypatch.setattr(styles, "SHA256", {name: digest(data).hexdigest() for name, data in content.items()})
    source = tmp_path / "source.tgz"
    source.write_bytes(packed.getvalue())
    _npm(tmp_path, f"cp {source} kokoro-js-1.2.1.tgz")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    assert styles.ensure(tmp_path) is True
    folder = styles.folder_of(tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", *sorted(f"{name}.bin" for name in content)]
    _npm(tmp_path, "exit 1")
    assert styles.ensure(tmp_path) is True
    (folder / "bf_emma.bin").write_bytes(b"changed")
    assert styles.ensure(tmp_path) is False
