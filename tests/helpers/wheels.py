"""Packages for environments, made on this disk: small ones, slow ones, and copies of what is installed here."""

import base64
import hashlib
import importlib.metadata
import os
import tarfile
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

LEFT_OUT = ("/tests/", "/__pycache__/", "/include/")


def installed(packages: Mapping[str, str]) -> dict[str, str]:
    """What was put into an environment, without the pip that an old Python brings along."""
    return {name: version for name, version in packages.items() if name not in ("pip", "setuptools")}


def make_wheel(folder: Path, name: str, version: str, files: Mapping[str, str | bytes], needs: str = "") -> Path:
    """A pure wheel of these files; ``needs`` is one requirement."""
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += f"Requires-Dist: {needs}\n" if needs else ""
    return _write(folder, name, version, "py3-none-any", {path: _bytes(text) for path, text in files.items()}, metadata)


def repacked(folder: Path, name: str) -> Path:
    """A wheel of the package ``name`` as it is installed here, without its own tests; for this Python and machine."""
    distribution = importlib.metadata.distribution(name)
    tags = [line for line in (distribution.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: ")]
    tag = tags[0].removeprefix("Tag: ")
    files: dict[str, bytes] = {}
    for entry in distribution.files or ():
        path = entry.as_posix()
        if path.startswith("..") or ".dist-info/" in path or any(part in f"/{path}" for part in LEFT_OUT):
            continue
        files[path] = Path(str(entry.locate())).read_bytes()
    metadata = distribution.read_text("METADATA") or ""
    return _write(folder, name, distribution.version, tag, files, metadata)


def make_slow_source(folder: Path, name: str, version: str, seconds: float, mark: Path) -> Path:
    """A source package whose building takes so long; its process leaves its id in ``mark``."""
    setup = (
        "import os, time\n"
        f"open({str(mark)!r}, 'w').write(str(os.getpid()))\n"
        f"time.sleep({seconds})\n"
        "raise SystemExit('built nothing')\n"
    )
    content = {
        "setup.py": setup,
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n",
        "backend.py": f"exec({setup!r})\n",
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
    }
    target = folder / f"{name}-{version}.tar.gz"
    with tarfile.open(target, "w:gz") as archive:
        for path, text in content.items():
            info = tarfile.TarInfo(f"{name}-{version}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, BytesIO(text.encode()))
    return target


def use_wheels(monkeypatch: pytest.MonkeyPatch, folder: Path, cache: Path) -> None:
    """Have pip find packages in this folder and nowhere else."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CACHE_DIR", str(cache))
    monkeypatch.setenv("PIP_NO_COMPILE", "1")


def _write(folder: Path, name: str, version: str, tag: str, files: Mapping[str, bytes], metadata: str) -> Path:
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    whole = dict(files)
    whole[f"{info}/METADATA"] = metadata.encode()
    pure = "true" if tag == "py3-none-any" else "false"
    whole[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()
    rows = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in whole.items()]
    whole[f"{info}/RECORD"] = ("\n".join([*rows, f"{info}/RECORD,,"]) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for path, data in whole.items():
            archive.writestr(path, data)
    return target


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
