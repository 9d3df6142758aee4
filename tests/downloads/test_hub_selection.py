"""Which files are brought: what an engine needs, once; what is left out is told why."""

import pytest

from arena_desktop.domain.hub import HubFile
from arena_desktop.domain.hub_selection import pick

SHARDS = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json"]
CLUTTER = [
    *(".gitattributes", "modeling.py", "optimizer.pt", "runs/events.out.tfevents.1", "x.gguf", "a.png"),
    *("checkpoint-500/model.safetensors", "training_args.bin", "model.mlpackage/Manifest.json"),
]


def _wanted(paths: list[str], patterns: tuple[str, ...] = ()) -> list[str]:
    return [one.file.path for one in pick([HubFile(path, 1) for path in paths], patterns) if one.wanted]


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        pytest.param(
            [
                "config.json",
                "model.safetensors",
                "pytorch_model.bin",
                "tf_model.h5",
                "flax_model.msgpack",
                "vocab.json",
            ],
            ["config.json", "model.safetensors", "vocab.json"],
            id="vits",
        ),
        pytest.param(
            [
                "model-00001-of-00002.safetensors",
                "model-00002-of-00002.safetensors",
                "model.safetensors.index.json",
                "pytorch_model-00001-of-00001.bin",
                "pytorch_model.bin.index.json",
            ],
            SHARDS,
            id="shards",
        ),
        pytest.param(
            ["kokoro-v1_0.pth", "config.json", "voices/af_heart.pt", "voices/bm_george.pt", "samples/a.wav"],
            ["kokoro-v1_0.pth", "config.json", "voices/af_heart.pt", "voices/bm_george.pt", "samples/a.wav"],
            id="kokoro, pickles for want of anything else",
        ),
        pytest.param(
            ["s3gen.pt", "s3gen.safetensors", "ve.pt", "ve.safetensors", "conds.pt", "tokenizer.json"],
            ["s3gen.safetensors", "ve.safetensors", "conds.pt", "tokenizer.json"],
            id="chatterbox",
        ),
        pytest.param(
            [
                "onnx/model.onnx",
                "onnx/model_q4.onnx",
                "onnx/model_fp16.onnx",
                "onnx/model_quantized.onnx",
                "voices/af.bin",
            ],
            ["onnx/model.onnx", "voices/af.bin"],
            id="onnx in several precisions",
        ),
        pytest.param(
            ["model.safetensors", "onnx/model.onnx", "onnx/model_q4.onnx"], ["model.safetensors"], id="onnx for the web"
        ),
        pytest.param(
            ["onnx/model_quantized.onnx", "config.json"],
            ["onnx/model_quantized.onnx", "config.json"],
            id="one precision",
        ),
        pytest.param(
            ["en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json", "MODEL_CARD"],
            ["en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json", "MODEL_CARD"],
            id="piper",
        ),
        pytest.param(
            [
                ".gitattributes",
                "README.md",
                "modeling.py",
                "optimizer.pt",
                "runs/events.out.tfevents.1",
                "x.gguf",
                "a.png",
                "checkpoint-500/model.safetensors",
                "training_args.bin",
                "model.mlpackage/Manifest.json",
            ],
            ["README.md"],
            id="what nobody needs to listen",
        ),
    ],
)
def test_what_an_engine_needs_is_wanted_once(paths: list[str], wanted: list[str]) -> None:
    assert _wanted(paths) == wanted


def test_what_is_left_out_says_why_and_pickles_are_marked() -> None:
    picked = {one.file.path: one for one in pick([HubFile("a.py", 1), HubFile("m.pth", 1), HubFile("c.json", 1)])}
    assert picked["a.py"].why.startswith("code")
    assert picked["m.pth"].wanted
    assert picked["m.pth"].pickle
    assert not picked["c.json"].pickle


def test_patterns_choose_alone() -> None:
    paths = ["a/model.safetensors", "b/model.safetensors", "a/config.json", "run.py"]
    assert _wanted(paths, ("a/*",)) == ["a/model.safetensors", "a/config.json"]
    assert _wanted(paths, ("*.py", "config.json")) == ["a/config.json", "run.py"]
    assert _wanted(paths, ("nothing",)) == []
