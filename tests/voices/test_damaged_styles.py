"""Files of Kokoro's styles that are broken or hostile: refused in words, whatever is wrong with them."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.kokoro.styles import SHAPE, Styles

WHOLE = np.ones(SHAPE, np.float32)


class Code:
    """What would run if it were unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return pytest.fail, ("a style was unpickled",)


def member(array: "np.ndarray[Any, Any]") -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def huge() -> bytes:
    out = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": (10**13,)}
    np.lib.format.write_array_header_1_0(out, header)
    return out.getvalue() + bytes(100_000)


def packed(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return path


def marked(path: Path, *, flags: int | None = None, method: int | None = None) -> None:
    """Say in both headings of the one member that it is encrypted, or packed in some other way."""
    raw = bytearray(path.read_bytes())
    second = raw.index(b"PK\x01\x02")
    if flags is not None:
        raw[6] = raw[second + 8] = flags
    if method is not None:
        raw[8] = raw[second + 10] = method
    path.write_bytes(raw)


def told(path: Path, name: str = "af_heart") -> str:
    styles = Styles([path])
    assert styles.file(name) is not None
    said = styles.fault(name)
    with pytest.raises(ValueError, match=r"read out of it|finite float32 numbers"):
        Styles([path])._style(name)
    return said


def test_a_whole_one_is_read(tmp_path: Path) -> None:
    assert Styles([packed(tmp_path / "v.npz", "af_heart.npy", member(WHOLE))]).fault("af_heart") == ""
    assert Styles([packed(tmp_path / "w.npz", "af_heart.npy", member(WHOLE.astype(float)))]).fault("af_heart") == ""


@pytest.mark.parametrize(
    "content",
    [
        member(np.array([Code(), None], object)),
        member(np.full(SHAPE, "x")),
        member(np.zeros(SHAPE, complex)),
        member(np.zeros(SHAPE, "M8[s]")),
        member(np.full(SHAPE, np.nan, np.float32)),
        member(np.zeros((3, 3), np.float32)),
        member(np.zeros((3000, 2000), np.float32)),
        huge(),
        b"\x93NUMPY\x01\x00\xff\xff",
        b"",
    ],
    ids=["objects", "text", "complex", "dates", "nan", "small", "large", "endless", "cut", "empty"],
)
def test_what_is_no_style_is_refused(tmp_path: Path, content: bytes) -> None:
    assert told(packed(tmp_path / "voices.npz", "af_heart.npy", content))


def test_archives_that_cannot_be_unpacked_are_refused(tmp_path: Path) -> None:
    for number, (name, content, place) in enumerate(
        [("af_heart.npy", member(WHOLE), "voices.npz"), ("x/data/0", WHOLE.tobytes(), "af_heart.pt")]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        for change in ({"flags": 1}, {"method": 77}):
            path = packed(folder / place, name, content)
            marked(path, **change)
            assert told(folder if place.endswith(".pt") else path)
        path = packed(folder / place, name, content)
        raw = bytearray(path.read_bytes())
        raw[60:90] = bytes(byte ^ 0xFF for byte in raw[60:90])
        path.write_bytes(raw)
        assert told(folder if place.endswith(".pt") else path)
