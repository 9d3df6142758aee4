"""Where an ONNX model runs: what is asked of onnxruntime for each device, and what is said of what it got.

No GPU is at hand: onnxruntime's own part is played by a stand-in that answers as its documents say.
"""

from typing import Any

import onnxruntime
import pytest

from arena_desktop.engines.worker.faults import EngineFault, describe
from arena_desktop.engines.worker.speech.onnx_session import onnx_session

CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"


class Session:
    """Takes what it is offered, less what ``refused`` names."""

    refused: tuple[str, ...] = ()

    def __init__(self, model: Any, options: Any, providers: list[Any]) -> None:
        self.asked = providers
        names = [one if isinstance(one, str) else one[0] for one in providers]
        self.names = [name for name in names if name not in self.refused]

    def get_providers(self) -> list[str]:
        return self.names


@pytest.mark.parametrize(
    ("device", "available", "refused", "got", "asked"),
    [
        ("cpu", [CUDA, CPU], (), "cpu", [CPU]),
        ("cuda", [CUDA, CPU], (), "cuda", [(CUDA, {}), CPU]),
        ("cuda:1", [CUDA, CPU], (), "cuda", [(CUDA, {"device_id": 1}), CPU]),
        ("auto", [CUDA, CPU], (), "cuda", [(CUDA, {}), CPU]),
        ("auto", [CPU], (), "cpu", [CPU]),
        ("cuda:0", [CPU], (), "cpu", [CPU]),  # an onnxruntime that isn't built for it
        ("cuda:0", [CUDA, CPU], (CUDA,), "cpu", [(CUDA, {"device_id": 0}), CPU]),  # or that can't use the card
        ("mps", [CPU], (), "cpu", [CPU]),
    ],
)
def test_a_device_is_asked_for_and_what_was_got_is_said(
    device: str, available: list[str], refused: tuple[str, ...], got: str, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: available)
    monkeypatch.setattr(onnxruntime, "InferenceSession", type("Some", (Session,), {"refused": refused}))
    session, device_got = onnx_session(b"model", device)
    assert (device_got, session.asked) == (got, asked)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (
            "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Failed to allocate memory for requested buffer",
            "out_of_memory",
        ),
        ("[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Protobuf parsing failed.", "engine"),
    ],
)
def test_too_little_memory_is_told_apart_from_a_file_that_is_no_model(
    words: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class RuntimeException(Exception):  # as onnxruntime's own is called
        pass

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeException(words)

    monkeypatch.setattr(onnxruntime, "InferenceSession", fail)
    with pytest.raises((RuntimeException, EngineFault)) as caught:
        onnx_session("voice.onnx")
    assert describe(caught.value)["kind"] == kind
