"""Weights in torch's own format: what only rebuilds tensors is loaded, what would call anything else never is, unless
the roster allows it for that one model.
"""

import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.adapters.transformers import Engine
from arena_desktop.engines.worker.checkpoints import pickles
from arena_desktop.engines.worker.checkpoints.tensors import read_arrays, single_array
from arena_desktop.engines.worker.faults import EngineFault
from tests.helpers.checkpoints import tiny_vits


class Hostile:
    """Unpickled in good faith it makes a folder."""

    def __init__(self, file: Path) -> None:
        self._file = str(file)

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.mkdir, (self._file,))


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_vits(tmp_path_factory.mktemp("safe") / "vits")


@pytest.fixture
def folder(safe: Path, tmp_path: Path) -> Path:
    """The same checkpoint without weights."""
    copy = tmp_path / "vits"
    copy.mkdir()
    for file in safe.iterdir():
        if file.suffix != ".safetensors":
            (copy / file.name).write_bytes(file.read_bytes())
    return copy


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Made by code that ran."""
    return tmp_path / "it ran"


def weights(safe: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(str(safe / "model.safetensors")))


def spoken(folder: Path, **files: Any) -> np.ndarray:
    engine = Engine({"path": str(folder), **files}, {}, [])
    assert engine.check() == []
    engine.load("cpu")
    return np.asarray(engine.speak("Hello there.", None, {}, 0)[0])


def test_a_pytorch_model_sounds_as_its_safetensors(safe: Path, folder: Path) -> None:
    import torch

    torch.save(weights(safe), folder / "pytorch_model.bin")
    assert pickles.strange_names(folder / "pytorch_model.bin") == []
    assert np.array_equal(spoken(folder), spoken(safe))
    named = Engine({"path": str(folder)}, {}, []).weight_files()
    assert str(folder / "pytorch_model.bin") in named


def test_the_format_before_archives_is_read_too(safe: Path, folder: Path) -> None:
    import torch

    torch.save(weights(safe), folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    assert np.array_equal(spoken(folder), spoken(safe))


@pytest.mark.parametrize("ending", ["safetensors", "bin"])
def test_shards(ending: str, safe: Path, folder: Path) -> None:
    import torch
    from safetensors.torch import save_file

    whole = weights(safe)
    stem = "model" if ending == "safetensors" else "pytorch_model"
    names = [f"{stem}-0000{part}-of-00002.{ending}" for part in (1, 2)]
    places = {name: names[index % 2] for index, name in enumerate(whole)}
    for file in names:
        part = {name: whole[name].contiguous() for name in whole if places[name] == file}
        if ending == "safetensors":
            save_file(part, str(folder / file), {"format": "pt"})
        else:
            torch.save(part, folder / file)
    index = folder / (f"{stem}.{ending}.index.json")
    index.write_text(json.dumps({"metadata": {}, "weight_map": places}))
    assert np.array_equal(spoken(folder), spoken(safe))
    assert {Path(file).name for file in Engine({"path": str(folder)}, {}, []).weight_files()} >= set(names)
    index.write_text(json.dumps({"weight_map": {**places, "a": "other.pkl"}}))
    (folder / "other.pkl").write_bytes(b"")
    assert "other.pkl" in Engine({"path": str(folder)}, {}, []).check()[0]["what"]


@pytest.mark.parametrize("archive", [True, False])
def test_a_pickle_that_calls_something_is_refused_and_does_not_run(
    archive: bool, safe: Path, folder: Path, trace: Path
) -> None:
    import torch

    hostile = {**weights(safe), "hidden": Hostile(trace)}
    torch.save(hostile, folder / "pytorch_model.bin", _use_new_zipfile_serialization=archive)
    engine = Engine({"path": str(folder)}, {}, [])
    (told,) = engine.check()
    assert ".mkdir" in told["what"]
    assert "any code" in told["what"]
    assert "allow_pickle: true" in told["remedy"]
    with pytest.raises(EngineFault, match="any code"):
        engine.load("cpu")
    assert not trace.exists()


def test_the_loader_itself_refuses_what_the_look_beforehand_missed(
    safe: Path, folder: Path, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    torch.save({**weights(safe), "hidden": Hostile(trace)}, folder / "pytorch_model.bin")
    monkeypatch.setattr(pickles, "strange_names", lambda file: [])
    with pytest.raises(EngineFault, match="weights-only loader refuses"):
        Engine({"path": str(folder)}, {}, []).load("cpu")
    assert not trace.exists()


def test_allowed_for_one_model_it_is_loaded(safe: Path, folder: Path, trace: Path) -> None:
    import torch

    torch.save({**weights(safe), "hidden": Hostile(trace)}, folder / "pytorch_model.bin")
    assert Engine({"path": str(folder), "allow_pickle": True}, {}, []).check() == []
    assert not trace.exists()
    assert np.array_equal(spoken(folder, allow_pickle=True), spoken(safe))
    assert trace.exists()
    assert "allow_pickle" in Engine({"path": str(folder), "allow_pickle": "yes"}, {}, []).check()[0]["what"]


def test_allowing_pickles_does_not_open_plain_weights_another_way(
    safe: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    torch.save(weights(safe), folder / "pytorch_model.bin")
    seen: list[Any] = []
    usual = torch.load

    def watched(*args: Any, **options: Any) -> Any:
        seen.append(options["weights_only"])
        return usual(*args, **options)

    monkeypatch.setattr(torch, "load", watched)
    spoken(folder, allow_pickle=True)
    assert seen
    assert all(seen)


def test_safetensors_are_preferred(safe: Path, folder: Path, trace: Path) -> None:
    (folder / "model.safetensors").write_bytes((safe / "model.safetensors").read_bytes())
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Hostile(trace)))
    assert np.array_equal(spoken(folder), spoken(safe))
    assert not trace.exists()


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"version https://git-lfs.github.com/spec/v1\n", b"\x80\x02}q\x00."]
)
def test_weights_that_are_none(content: bytes, folder: Path) -> None:
    (folder / "pytorch_model.bin").write_bytes(content)
    assert "not whole" in Engine({"path": str(folder)}, {}, []).check()[0]["what"]


def test_an_archive_that_torch_did_not_write(folder: Path) -> None:
    with zipfile.ZipFile(folder / "pytorch_model.bin", "w") as archive:
        archive.writestr("../../evil", "x")
    assert "none that torch wrote" in Engine({"path": str(folder)}, {}, []).check()[0]["what"]


def test_weights_under_a_name_of_their_own_are_not_followed(safe: Path, folder: Path) -> None:
    (folder / "model.safetensors").write_bytes((safe / "model.safetensors").read_bytes())
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "transformers_weights": "../other.safetensors"}))
    assert "weights of its own" in Engine({"path": str(folder)}, {}, []).check()[0]["what"]


def test_what_is_called_plain_is_what_torch_allows() -> None:
    from torch._weights_only_unpickler import _get_allowed_globals

    allowed = set(_get_allowed_globals())
    assert {name for name in pickles._PLAIN if name not in allowed} == set()


def test_small_files_of_numbers(tmp_path: Path, trace: Path) -> None:
    import torch
    from safetensors.torch import save_file

    wanted = np.arange(4, dtype=np.float32)
    np.save(tmp_path / "a.npy", wanted)
    np.savez(tmp_path / "a.npz", wanted)
    torch.save(torch.from_numpy(wanted), tmp_path / "a.pt")
    torch.save({"x": torch.from_numpy(wanted)}, tmp_path / "a.bin")
    save_file({"x": torch.from_numpy(wanted)}, str(tmp_path / "a.safetensors"))
    for file in tmp_path.glob("a.*"):
        assert np.array_equal(single_array(file), wanted), file
    np.savez(tmp_path / "two.npz", a=wanted, b=wanted)
    with pytest.raises(EngineFault, match="holds 2 arrays"):
        single_array(tmp_path / "two.npz")
    hostile = np.array([Hostile(trace)], dtype=object)
    np.save(tmp_path / "bad.npy", hostile, allow_pickle=True)
    np.savez(tmp_path / "bad.npz", hostile)
    torch.save(Hostile(trace), tmp_path / "bad.pt")
    (tmp_path / "cut.npy").write_bytes((tmp_path / "a.npy").read_bytes()[:-3])
    (tmp_path / "raw.npz").write_bytes(pickle.dumps(Hostile(trace)))
    (tmp_path / "cut.safetensors").write_bytes(b"\x08")
    for name in ("bad.npy", "bad.npz", "bad.pt", "cut.npy", "raw.npz", "cut.safetensors", "none.npy"):
        with pytest.raises(EngineFault) as caught:
            read_arrays(tmp_path / name)
        assert caught.value.kind == "missing"
        assert name in caught.value.message
    with pytest.raises(EngineFault, match="no file of numbers"):
        read_arrays(tmp_path / "speaker.pkl")
    assert not trace.exists()
