"""The styles of the Kokoro voice in all its languages, from the npm package that carries them (Apache-2.0).

They lie in ``.venv/share/arena-desktop/kokoro-js/NAME.bin`` (510 × 256 float32) beside the package's LICENSE.
"""

import hashlib
import io
import os
import runpy
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from saying import say, size

PACKAGE = "kokoro-js@1.2.1"
PACKAGE_SHA256 = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
_HASHES = Path(__file__).resolve().parents[1] / "arena_desktop" / "engines" / "worker" / "kokoro" / "style_hashes.py"
SHA256: dict[str, str] = runpy.run_path(str(_HASHES))["KNOWN"]
"""Of every style; the program checks them by the same table. It is read by path: nothing is installed yet."""
PATIENCE_SECONDS = 180


def folder_of(environment: Path) -> Path:
    """Where the styles lie in an environment."""
    return environment / "share" / "arena-desktop" / "kokoro-js"


def complete(environment: Path) -> bool:
    """Whether all styles are there, unchanged."""
    folder = folder_of(environment)
    return all(_is(folder / f"{name}.bin", digest) for name, digest in SHA256.items())


def ensure(environment: Path) -> bool:
    """Fetch the styles unless they are there; gives whether they are."""
    return complete(environment) or fetch(environment)


def fetch(environment: Path) -> bool:
    """Fetch, check and put the styles in place. A failure is said in one line; gives whether they are there."""
    npm = shutil.which("npm")
    if npm is None:
        return _without("npm is not installed")
    say(f"Fetching the styles of Kokoro ({PACKAGE}, with npm)")
    with tempfile.TemporaryDirectory(prefix="arena-desktop-") as place:
        command = [npm, "pack", PACKAGE, "--silent", "--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=60000"]
        try:
            done = subprocess.run(
                command,
                cwd=place,
                env=os.environ | {"npm_config_update_notifier": "false", "npm_config_cache": place + "/cache"},
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return _without("npm did not come to an end")
        archives = list(Path(place).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            return _without("npm could not fetch the package (no network?)")
        content = archives[0].read_bytes()
    if hashlib.sha256(content).hexdigest() != PACKAGE_SHA256:
        return _without("the package that npm fetched is not the expected one (its SHA-256 differs)")
    return _unpack(content, folder_of(environment))


def _unpack(content: bytes, folder: Path) -> bool:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"package/voices/{name}.bin": f"{name}.bin" for name in SHA256} | {"package/LICENSE": "LICENSE"}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for member in archive:
            target = wanted.pop(member.name, None)
            source = archive.extractfile(member) if target else None
            if target is None or source is None:
                continue
            part = folder / f"{target}.part"
            part.write_bytes(source.read())
            if target.endswith(".bin") and not _is(part, SHA256[target.removesuffix(".bin")]):
                part.unlink()
                return _without(f"{target} in the package is not the expected file (its SHA-256 differs)")
            part.replace(folder / target)
    if any(name.endswith(".bin") for name in wanted):
        return _without(f"the package has no {', '.join(wanted)}")
    say(f"  {len(SHA256)} styles checked and in place (package of {size(len(content))})")
    return True


def _without(reason: str) -> bool:
    say(f"Kokoro's styles are left out: {reason}. The Models page says how to get them; the other voices work.")
    return False


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest
