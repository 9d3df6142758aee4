"""Turn a Piper voice (VITS as ONNX) into a checkpoint folder of transformers: real speech for the transformers
engine, offline.

The ONNX file keeps the names of PyTorch's parameters, except for convolutions whose weight normalisation was
folded: those are found by the name of their node. Piper's decoder has residual blocks of one convolution a step,
transformers' of two; a second convolution that does nothing is added (its kernel is 1 in the middle). The
activation between them must do nothing either: a bias of +128 keeps its input positive, and the second convolution
takes it off again.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LIFT = 128.0
Weights = dict[str, NDArray[Any]]


def convert(model: Path, config_file: Path, out: Path) -> Path:
    """Write the checkpoint of the Piper voice into the folder ``out`` and return it."""
    import torch
    from transformers import VitsModel, VitsTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # its thread would outlive the test
    voice = json.loads(config_file.read_text(encoding="utf-8"))
    weights, shapes = _read(model)
    config = _config(weights, shapes, voice)
    target = VitsModel(config).eval()
    state = target.state_dict()
    for name, value in _renamed(weights, config):
        if state[name].shape != value.shape:
            raise ValueError(f"{name}: {tuple(state[name].shape)} wanted, {value.shape} found")
        state[name] = torch.from_numpy(np.array(value, np.float32))
    target.load_state_dict(state)
    out.mkdir(parents=True, exist_ok=True)
    target.save_pretrained(str(out))
    vocabulary = out / "phonemes.json"
    vocabulary.write_text(json.dumps({phoneme: ids[0] for phoneme, ids in voice["phoneme_id_map"].items()}))
    VitsTokenizer(
        str(vocabulary), pad_token="_", unk_token="_", add_blank=True, normalize=False, phonemize=False
    ).save_pretrained(str(out))
    vocabulary.unlink()
    return out


def _read(model: Path) -> tuple[Weights, dict[str, tuple[int, int]]]:
    """All weights by PyTorch's names, and the (dilation, stride) of each convolution."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(model)).graph
    weights = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    shapes = {}
    for node in graph.node:
        if node.op_type not in ("Conv", "ConvTranspose"):
            continue
        module = node.name.strip("/").rpartition("/")[0].replace("/", ".")
        for kind, source in zip(("weight", "bias"), node.input[1:], strict=False):
            weights[f"{module}.{kind}"] = weights[source]
        numbers = {attribute.name: list(attribute.ints) for attribute in node.attribute}
        shapes[module] = (numbers.get("dilations", [1])[0], numbers.get("strides", [1])[0])
    return weights, shapes


def _config(weights: Weights, shapes: dict[str, tuple[int, int]], voice: dict[str, Any]) -> Any:
    from transformers import VitsConfig

    ups = _count(weights, r"dec\.ups\.(\d+)\.weight")
    blocks = _count(weights, r"dec\.resblocks\.(\d+)\.convs\.0\.weight") // ups
    steps = _count(weights, r"dec\.resblocks\.0\.convs\.(\d+)\.weight")
    usual = voice["inference"]
    return VitsConfig(
        vocab_size=weights["sid"].shape[0],  # the exporter gave the phoneme table this name
        upsample_initial_channel=weights["dec.conv_pre.weight"].shape[0],
        upsample_rates=[shapes[f"dec.ups.{up}"][1] for up in range(ups)],
        upsample_kernel_sizes=[weights[f"dec.ups.{up}.weight"].shape[2] for up in range(ups)],
        resblock_kernel_sizes=[weights[f"dec.resblocks.{block}.convs.0.weight"].shape[2] for block in range(blocks)],
        resblock_dilation_sizes=[
            [shapes[f"dec.resblocks.{block}.convs.{step}"][0] for step in range(steps)] for block in range(blocks)
        ],
        sampling_rate=voice["audio"]["sample_rate"],
        noise_scale=usual["noise_scale"],
        noise_scale_duration=usual["noise_w"],
        speaking_rate=1.0 / usual["length_scale"],
        pad_token_id=None,
    )


def _count(weights: Weights, pattern: str) -> int:
    return len({match[1] for name in weights if (match := re.fullmatch(pattern, name))})


def _renamed(weights: Weights, config: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "text_encoder.embed_tokens.weight", weights["sid"]
    yield from _pair(weights, "text_encoder.project", "enc_p.proj")
    for layer in range(config.num_hidden_layers):
        yield from _encoder_layer(weights, layer)
    yield from _durations(weights)
    for flow in range(config.prior_encoder_num_flows):
        yield from _flow(
            weights, f"flow.flows.{flow}", f"flow.flows.{2 * flow}", config.prior_encoder_num_wavenet_layers
        )
    yield from _decoder(weights, config)


def _pair(weights: Weights, target: str, source: str) -> Iterator[tuple[str, NDArray[Any]]]:
    for kind in ("weight", "bias"):
        yield f"{target}.{kind}", weights[f"{source}.{kind}"]


def _norm(weights: Weights, target: str, source: str) -> Iterator[tuple[str, NDArray[Any]]]:
    yield f"{target}.weight", weights[f"{source}.gamma"]
    yield f"{target}.bias", weights[f"{source}.beta"]


def _encoder_layer(weights: Weights, layer: int) -> Iterator[tuple[str, NDArray[Any]]]:
    target, source = f"text_encoder.encoder.layers.{layer}", "enc_p.encoder"
    for letter, name in (("q", "q_proj"), ("k", "k_proj"), ("v", "v_proj"), ("o", "out_proj")):
        conv = f"{source}.attn_layers.{layer}.conv_{letter}"
        yield f"{target}.attention.{name}.weight", weights[f"{conv}.weight"][:, :, 0]
        yield f"{target}.attention.{name}.bias", weights[f"{conv}.bias"]
    for name in ("emb_rel_k", "emb_rel_v"):
        yield f"{target}.attention.{name}", weights[f"{source}.attn_layers.{layer}.{name}"]
    yield from _norm(weights, f"{target}.layer_norm", f"{source}.norm_layers_1.{layer}")
    yield from _norm(weights, f"{target}.final_layer_norm", f"{source}.norm_layers_2.{layer}")
    for half in (1, 2):
        yield from _pair(weights, f"{target}.feed_forward.conv_{half}", f"{source}.ffn_layers.{layer}.conv_{half}")


def _durations(weights: Weights) -> Iterator[tuple[str, NDArray[Any]]]:
    yield from _pair(weights, "duration_predictor.conv_pre", "dp.pre")
    yield from _pair(weights, "duration_predictor.conv_proj", "dp.proj")
    yield from _separable(weights, "duration_predictor.conv_dds", "dp.convs")
    yield "duration_predictor.flows.0.translate", weights["dp.flows.0.m"]
    # The exporter folded exp(-log_scale) into a constant.
    yield "duration_predictor.flows.0.log_scale", -np.log(weights["/dp/flows.0/Exp_output_0"])
    # Piper keeps a flip after each flow as an entry of its own, and drops the first flow, as inference never runs it.
    for target_index, source_index in ((2, 3), (3, 5), (4, 7)):
        target, source = f"duration_predictor.flows.{target_index}", f"dp.flows.{source_index}"
        yield from _pair(weights, f"{target}.conv_pre", f"{source}.pre")
        yield from _pair(weights, f"{target}.conv_proj", f"{source}.proj")
        yield from _separable(weights, f"{target}.conv_dds", f"{source}.convs")


def _separable(weights: Weights, target: str, source: str) -> Iterator[tuple[str, NDArray[Any]]]:
    for layer in range(3):
        yield from _pair(weights, f"{target}.convs_dilated.{layer}", f"{source}.convs_sep.{layer}")
        yield from _pair(weights, f"{target}.convs_pointwise.{layer}", f"{source}.convs_1x1.{layer}")
        for norm in (1, 2):
            yield from _norm(weights, f"{target}.norms_{norm}.{layer}", f"{source}.norms_{norm}.{layer}")


def _flow(weights: Weights, target: str, source: str, layers: int) -> Iterator[tuple[str, NDArray[Any]]]:
    yield from _pair(weights, f"{target}.conv_pre", f"{source}.pre")
    yield from _pair(weights, f"{target}.conv_post", f"{source}.post")
    for kind in ("in_layers", "res_skip_layers"):
        for layer in range(layers):
            name, conv = f"{target}.wavenet.{kind}.{layer}", f"{source}.enc.{kind}.{layer}"
            folded = weights[f"{conv}.weight"]
            # Weight normalisation again: a length for each output channel, and a direction of any length.
            yield f"{name}.parametrizations.weight.original0", np.sqrt((folded**2).sum((1, 2), keepdims=True))
            yield f"{name}.parametrizations.weight.original1", folded
            yield f"{name}.bias", weights[f"{conv}.bias"]


def _decoder(weights: Weights, config: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    yield from _pair(weights, "decoder.conv_pre", "dec.conv_pre")
    yield "decoder.conv_post.weight", weights["dec.conv_post.weight"]
    ups = len(config.upsample_rates)
    for up in range(ups):
        yield from _pair(weights, f"decoder.upsampler.{up}", f"dec.ups.{up}")
    for block in range(ups * len(config.resblock_kernel_sizes)):
        for step in range(len(config.resblock_dilation_sizes[0])):
            kernel = weights[f"dec.resblocks.{block}.convs.{step}.weight"]
            bias = weights[f"dec.resblocks.{block}.convs.{step}.bias"]
            target = f"decoder.resblocks.{block}"
            yield f"{target}.convs1.{step}.weight", kernel
            yield f"{target}.convs1.{step}.bias", bias + LIFT
            yield f"{target}.convs2.{step}.weight", _doing_nothing(kernel)
            yield f"{target}.convs2.{step}.bias", np.full_like(bias, -LIFT)


def _doing_nothing(kernel: NDArray[Any]) -> NDArray[Any]:
    same = np.zeros_like(kernel)
    channels = np.arange(kernel.shape[0])
    same[channels, channels, kernel.shape[2] // 2] = 1.0
    return same
