"""What an interrupted installation leaves is found by the packages' own lists, and only that is taken out."""

import base64
import hashlib
from pathlib import Path

import pytest

import damage


def _install(site: Path, name: str, files: dict[str, bytes]) -> Path:
    """A package as pip leaves it: files, METADATA, and a list of all with digests and sizes."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {name}\n", encoding="utf-8")
    rows = [f"{info.name}/RECORD,,", f"{name}/__pycache__/x.pyc,,"]
    for path, content in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(content)}")
    (info / "RECORD").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return info


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site-packages"
    _install(site, "good", {"good/a.py": b"a = 1\n"})
    _install(site, "bad", {"bad/a.py": b"a = 1\n", "bad/b.py": b"b = 2\n"})
    return site


def test_whole_packages_stay(site: Path) -> None:
    before = sorted(site.rglob("*"))
    damage.repair(site)
    assert sorted(site.rglob("*")) == before
    assert damage.is_whole(site, "bad")


def test_compiled_files_that_a_wheel_lists_may_be_compiled_again(site: Path) -> None:
    _install(
        site, "compiled", {"compiled/a.py": b"a = 1\n", "compiled/__pycache__/a.cpython-311.pyc": b"by the publisher"}
    )
    (site / "compiled" / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"by this Python")
    damage.repair(site)
    assert damage.is_whole(site, "compiled")
    assert (site / "compiled" / "a.py").exists()


@pytest.mark.parametrize("harm", ["missing", "shorter", "other", "no list", "no description"])
def test_a_broken_package_is_taken_out_and_no_other(site: Path, harm: str, capsys: pytest.CaptureFixture[str]) -> None:
    target, info = site / "bad" / "b.py", site / "bad-1.0.dist-info"
    if harm == "missing":
        target.unlink()
    elif harm == "shorter":
        target.write_bytes(b"b = ")
    elif harm == "other":
        target.write_bytes(b"\0" * 6)
    else:
        (info / ("RECORD" if harm == "no list" else "METADATA")).unlink()
    assert not damage.is_whole(site, "bad")

    damage.repair(site)

    assert not info.exists()
    assert damage.is_whole(site, "good")
    assert (site / "good" / "a.py").read_bytes() == b"a = 1\n"
    assert "bad-1.0" in capsys.readouterr().out


def test_what_pip_moved_aside_is_cleared(site: Path) -> None:
    (site / "~ood").mkdir()
    (site / "~ood" / "a.py").write_bytes(b"")
    damage.repair(site)
    assert not (site / "~ood").exists()


def test_a_list_that_points_outside_harms_nothing(site: Path, tmp_path: Path) -> None:
    outside = tmp_path / "mine.txt"
    outside.write_text("keep", encoding="utf-8")
    with (site / "bad-1.0.dist-info" / "RECORD").open("a", encoding="utf-8") as record:
        record.write("../mine.txt,sha256=x,1\n")
    damage.repair(site)
    assert outside.read_text(encoding="utf-8") == "keep"
