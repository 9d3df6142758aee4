"""Tiny ONNX voices that say back what they were given: each sample tells one id, so a test can read what reached the
network.
"""

from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, save

STEP = 0.005
"""A sample's distance for each unit of an id; ids stay below 200, so samples below full scale."""


def piper(file: Path, speakers: int = 1) -> Path:
    """A network with the inputs of a Piper voice. Its sound is the ids; with several speakers the last sample is the
    speaker's number; the sample before it the length scale.
    """
    inputs = [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, "length"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    nodes = [
        helper.make_node("Squeeze", ["input", "zero"], ["row"]),
        helper.make_node("Slice", ["scales", "one", "two"], ["slowness"]),
        helper.make_node("Cast", ["row"], ["ids"], to=TensorProto.FLOAT),
    ]
    parts = ["ids", "slowness"]
    if speakers > 1:
        inputs.append(helper.make_tensor_value_info("sid", TensorProto.INT64, [1]))
        nodes.append(helper.make_node("Cast", ["sid"], ["speaker"], to=TensorProto.FLOAT))
        parts.append("speaker")
    nodes += [
        helper.make_node("Concat", parts, ["said"], axis=0),
        helper.make_node("Mul", ["said", "step"], ["small"]),
        helper.make_node("Unsqueeze", ["small", "zeros"], ["output"]),
    ]
    constants = {"zero": [0], "one": [1], "two": [2], "zeros": [0, 1, 2], "step": STEP}
    return _saved(file, nodes, inputs, "output", constants)


def kokoro(
    file: Path, tokens: str = "input_ids", number: int = TensorProto.FLOAT, speed: int = TensorProto.FLOAT
) -> Path:
    """A network with the inputs of a Kokoro export. Its sound is the ids, then the style's first number, then the
    speed.
    """
    inputs = [
        helper.make_tensor_value_info(tokens, TensorProto.INT64, [1, "length"]),
        helper.make_tensor_value_info("style", number, [1, 256]),
        helper.make_tensor_value_info("speed", speed, [1]),
    ]
    nodes = [
        helper.make_node("Squeeze", [tokens, "zero"], ["row"]),
        helper.make_node("Cast", ["row"], ["ids"], to=TensorProto.FLOAT),
        helper.make_node("Squeeze", ["style", "zero"], ["numbers"]),
        helper.make_node("Slice", ["numbers", "zero", "one"], ["first"]),
        helper.make_node("Cast", ["first"], ["tone"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["speed"], ["pace"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["ids", "tone", "pace"], ["said"], axis=0),
        helper.make_node("Mul", ["said", "step"], ["waveform"]),
    ]
    return _saved(file, nodes, inputs, "waveform", {"zero": [0], "one": [1], "step": STEP})


def said(sound: np.ndarray) -> list[float]:
    """What a network above was given, out of its sound."""
    return [round(float(sample) / STEP, 2) for sample in sound]


def _saved(file: Path, nodes: list[Any], inputs: list[Any], output: str, constants: dict[str, Any]) -> Path:
    values = []
    for name, value in constants.items():
        array = np.asarray(value, np.float32 if isinstance(value, float) else np.int64)
        kind = TensorProto.FLOAT if array.dtype == np.float32 else TensorProto.INT64
        values.append(helper.make_tensor(name, kind, array.shape, array.ravel()))
    result = helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "voice", inputs, [result], values)
    model: ModelProto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    file.parent.mkdir(parents=True, exist_ok=True)
    save(model, str(file))
    return file
