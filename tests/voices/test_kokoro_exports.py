"""Kokoro as it comes from a hub: exports of any precision, styles in every form, blends of them."""

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto

from arena_desktop.engines.worker.adapters import kokoro
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.kokoro.model import Packaged, models_in, packaged_vocabulary
from arena_desktop.engines.worker.kokoro.styles import Share, Styles, blend_of
from tests.helpers import onnx_voices

STYLE = np.arange(510 * 256, dtype=np.float32).reshape(510, 256) / 1000


def style(number: float) -> np.ndarray:
    return np.full((510, 256), number, np.float32)


def as_pt(content: np.ndarray) -> bytes:
    """The numbers as torch saves them, with a pickle that must not be opened."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("voice/data.pkl", b"cos\nsystem\n(S'echo this ran'\ntR.")
        archive.writestr("voice/data/0", content.astype("<f4").tobytes())
    return packed.getvalue()


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A folder in the form of the ONNX export on the hub: two precisions, styles, a tokenizer."""
    onnx_voices.kokoro(tmp_path / "onnx" / "model.onnx")
    onnx_voices.kokoro(tmp_path / "onnx" / "model_fp16.onnx", number=TensorProto.FLOAT16)
    onnx_voices.kokoro(tmp_path / "onnx" / "model_q8f16.onnx", speed=TensorProto.INT32)
    (tmp_path / "voices").mkdir()
    (tmp_path / "voices" / "am_one.bin").write_bytes(style(1).tobytes())
    (tmp_path / "voices" / "am_four.bin").write_bytes(style(4).tobytes())
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"$": 0, **packaged_vocabulary()}}}))
    return tmp_path


def said(files: dict[str, Any], voice: str, settings: dict[str, Any] | None = None) -> list[float]:
    engine = kokoro.Engine(files, settings or {}, [])
    engine.load("cpu")
    found = onnx_voices.said(engine.speak("Yes.", {"id": voice}, {}, 0)[0])
    engine.close()
    return found


@pytest.mark.parametrize(
    ("precision", "dtype"), [("", "float32"), ("fp32", "float32"), ("fp16", "float16"), ("q8f16", "int8")]
)
def test_an_export_of_any_precision_speaks(precision: str, dtype: str, hub: Path) -> None:
    files = {"path": str(hub), "voice": "am_one", **({"precision": precision} if precision else {})}
    engine = kokoro.Engine(files, {}, [])
    assert engine.check() == []
    assert engine.load("cpu") == {"device": "cpu", "dtype": dtype}
    assert engine.quantised() == dtype.startswith("int")
    spoken = onnx_voices.said(engine.speak("Yes.", None, {}, 0)[0])
    table = packaged_vocabulary()
    assert spoken == [0, *(table[char] for char in "jˈɛs."), 0, 1, 1]
    assert [Path(file).name for file in engine.weight_files()][1:] == ["tokenizer.json", "am_one.bin"]


def test_the_row_of_a_style_is_that_of_the_number_of_phonemes(hub: Path) -> None:
    rows = np.repeat(np.arange(510, dtype=np.float32)[:, None], 256, axis=1)
    (hub / "voices" / "am_rows.bin").write_bytes(rows.tobytes())
    spoken = said({"path": str(hub)}, "am_rows")
    phonemes = len(spoken) - 4  # less a 0 at either end, the style and the speed
    assert spoken[-2] == phonemes - 1


def test_the_most_exact_of_several_is_taken_whatever_their_names(tmp_path: Path) -> None:
    for name in ("kokoro-v1.0.int8.onnx", "kokoro-v1.0.fp16.onnx", "kokoro-v1.0.onnx"):
        (tmp_path / name).touch()
    assert [one.name for one in models_in(tmp_path)] == [
        "kokoro-v1.0.onnx", "kokoro-v1.0.fp16.onnx", "kokoro-v1.0.int8.onnx",
    ]  # fmt: skip


def test_a_precision_that_is_not_there_names_those_that_are(hub: Path) -> None:
    [entry] = kokoro.Engine({"path": str(hub), "precision": "q4"}, {}, []).check()
    assert "no model of precision q4" in entry["what"]
    assert "fp32, fp16, q8f16" in entry["remedy"]


def test_a_file_is_named_by_itself_too(hub: Path) -> None:
    file = hub / "onnx" / "model_fp16.onnx"
    assert said({"path": str(file)}, "am_four")[-2] == 4
    assert [one.name for one in models_in(hub)] == ["model.onnx", "model_fp16.onnx", "model_q8f16.onnx"]
    [entry] = kokoro.Engine({"path": str(hub / "onnx" / "gone.onnx"), "voice": "am_one"}, {}, []).check()
    assert "gone.onnx" in entry["what"]


def test_speeds_between_whole_ones_are_refused_by_an_export_that_takes_none(hub: Path) -> None:
    files = {"path": str(hub), "precision": "q8f16"}
    assert said(files, "am_one", {"speed": 2})[-1] == 2
    with pytest.raises(EngineFault, match="whole speeds") as caught:
        said(files, "am_one", {"speed": 1.5})
    assert caught.value.kind == "settings"
    assert said({"path": str(hub)}, "am_one", {"speed": 0.75})[-1] == 0.75


def test_styles_as_one_archive_as_torch_saves_them_and_one_by_one_are_the_same(tmp_path: Path) -> None:
    np.savez(tmp_path / "packed.npz", af_mine=STYLE.reshape(510, 1, 256))
    (tmp_path / "packed.npz").rename(tmp_path / "voices-v1.0.bin")
    (tmp_path / "af_mine.pt").write_bytes(as_pt(STYLE))
    (tmp_path / "af_mine.bin").write_bytes(STYLE.tobytes())
    for name in ("voices-v1.0.bin", "af_mine.pt", "af_mine.bin"):
        place = tmp_path / name
        alone = tmp_path / f"only-{name}"
        alone.mkdir()
        (alone / name).write_bytes(place.read_bytes())
        styles = Styles([alone, alone / "voices-v1.0.bin"])
        assert styles.names() == ["af_mine"], name
        assert np.array_equal(styles.blend(blend_of("af_mine")), STYLE), name
        found = styles.file("af_mine")
        assert found is not None
        assert found.name == name


def test_the_form_of_kokoro_onnx_speaks(tmp_path: Path) -> None:
    onnx_voices.kokoro(tmp_path / "kokoro-v1.0.fp16.onnx", tokens="tokens")
    np.savez(tmp_path / "voices.npz", af_a=style(2), am_b=style(3))
    (tmp_path / "voices.npz").rename(tmp_path / "voices-v1.0.bin")
    engine = kokoro.Engine({"path": str(tmp_path)}, {}, [])
    assert engine.check() == []
    assert engine.load("cpu")["dtype"] == "float16"
    assert onnx_voices.said(engine.speak("Yes.", {"id": "am_b"}, {}, 0)[0])[-2] == 3
    assert {"voices-v1.0.bin", "kokoro-v1.0.fp16.onnx"} <= {Path(file).name for file in engine.weight_files()}


def test_a_folder_of_styles_alone_speaks_by_the_packaged_model(tmp_path: Path) -> None:
    (tmp_path / "af_mine.bin").write_bytes(STYLE.tobytes())
    engine = kokoro.Engine({"path": str(tmp_path), "voice": "af_mine"}, {}, [])
    assert engine.check() == []
    assert any("part.bin" in file for file in engine.weight_files())


@pytest.mark.parametrize(
    ("written", "shares"),
    [
        ("af_heart", [("af_heart", 1.0)]),
        ("af_heart*0.6+am_michael*0.4", [("af_heart", 0.6), ("am_michael", 0.4)]),
        (" af_heart * .25 + am_michael * .75 ", [("af_heart", 0.25), ("am_michael", 0.75)]),
        ("a_b+c_d+e_f", [("a_b", 1 / 3), ("c_d", 1 / 3), ("e_f", 1 / 3)]),
    ],
)
def test_blends(written: str, shares: list[tuple[str, float]]) -> None:
    found = blend_of(written)
    assert [share.style for share in found] == [name for name, _ in shares]
    assert [share.share for share in found] == pytest.approx([share for _, share in shares])


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("af_heart*0.6+am_michael*0.6", "add up to 1.2"),
        ("af_heart*0.6+am_michael", "others have none"),
        ("af_heart*2", "not a number above 0"),
        ("af_heart*-1+am_michael*2", "not a number above 0"),
        ("af_heart*nan+am_michael*1", "not a number above 0"),
        ("af_heart*x", "share of af_heart is x"),
        ("af_heart*", "is missing"),
        ("af_heart+af_heart", "named twice"),
        ("af_heart+", "empty part"),
        ("../af_heart", "no name of a style"),
        ("", "empty part"),
    ],
)
def test_what_is_no_blend_is_said(written: str, words: str) -> None:
    with pytest.raises(EngineFault, match="Kokoro can't speak as") as caught:
        blend_of(written)
    assert words in caught.value.message
    assert caught.value.kind == "settings"


def test_a_blend_is_the_sum_of_its_shares_and_its_files_are_hashed(hub: Path) -> None:
    files = {"path": str(hub), "voice": "am_one*0.25+am_four*0.75"}
    assert said(files, "")[-2] == pytest.approx(3.25)
    names = [Path(file).name for file in kokoro.Engine(files, {}, []).weight_files()]
    assert names == ["model.onnx", "tokenizer.json", "am_one.bin", "am_four.bin"]
    everything = kokoro.Engine({"path": str(hub)}, {}, []).weight_files()
    assert {"am_one.bin", "am_four.bin"} <= {Path(file).name for file in everything}


def test_a_part_of_a_blend_that_is_not_there_is_named(hub: Path) -> None:
    [entry] = kokoro.Engine({"path": str(hub), "voice": "am_one*0.5+am_nobody*0.5"}, {}, []).check()
    assert "am_nobody" in entry["what"]
    assert "am_one" in entry["remedy"]


def test_blended_real_styles_are_neither_of_them(loaded: Callable[..., Any]) -> None:
    place = Path(sys.prefix) / "share" / "arena-desktop" / "kokoro-js"
    styles = Styles([place])
    heart, michael = (styles.blend([Share(name, 1.0)]) for name in ("af_heart", "am_michael"))
    mixed = styles.blend(blend_of("af_heart*0.6+am_michael*0.4"))
    assert np.allclose(mixed, 0.6 * heart + 0.4 * michael, atol=1e-6)


def test_the_real_export_from_a_folder_sounds_as_the_packaged_one(tmp_path: Path, loaded: Callable[..., Any]) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model_quantized.onnx").write_bytes(Packaged._bytes())
    own = kokoro.Engine({"path": str(tmp_path), "voice": "af_heart"}, {}, [])
    assert own.load("cpu") == {"device": "cpu", "dtype": "int8"}
    packaged = loaded("kokoro", {"voice": "af_heart"})
    first, second = (engine.speak("Yes.", {"id": "af_heart"}, {}, 0)[0] for engine in (own, packaged))
    own.close()
    assert np.array_equal(first, second)


@pytest.mark.parametrize("content", [b"not ONNX", b""])
def test_a_file_that_is_no_model_is_refused(content: bytes, hub: Path) -> None:
    (hub / "onnx" / "model.onnx").write_bytes(content)
    with pytest.raises(EngineFault, match=r"can't read .*model\.onnx"):
        kokoro.Engine({"path": str(hub)}, {}, []).load("cpu")


def test_an_export_of_another_model_is_refused(tmp_path: Path) -> None:
    onnx_voices.piper(tmp_path / "kokoro.onnx")
    with pytest.raises(EngineFault, match="no input for tokens"):
        kokoro.Engine({"path": str(tmp_path)}, {}, []).load("cpu")
