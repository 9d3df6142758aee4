"""Weights that nothing else knows, with the reason why nothing can be made of them."""

from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found, FoundState

LEAST = 100_000
"""Bytes: what is smaller holds no voice."""

WHY = {
    ".gguf": (
        "GGUF file",
        "It is made for llama.cpp and its like; with their own program it can speak here by engine: command.",
    ),
    ".ggml": ("GGML file", "It is made for a program of its own; with that it can speak here by engine: command."),
    ".nemo": ("NeMo archive", "No engine here reads it: it holds a pickle, and opening one can run any code."),
    ".ckpt": (
        "training checkpoint",
        "It is a pickle without a description of its model, and opening one can run any code.",
    ),
    ".pth": ("PyTorch file", "It is a pickle without a description of its model, and opening one can run any code."),
    ".pt": ("PyTorch file", "It is a pickle without a description of its model, and opening one can run any code."),
    ".safetensors": ("weights", "The description of the model, config.json, is not beside them."),
    ".onnx": ("ONNX model", "No description lies beside it (for a Piper voice the file of its name with .json)."),
    ".tflite": ("TensorFlow Lite model", "No engine here reads it."),
    ".mlmodel": ("Core ML model", "No engine here reads it."),
}
"""By ending: what it is, and why it can't speak."""
_DESCRIBED = frozenset({".safetensors", ".pth", ".pt", ".bin"})
"""Of these a ``config.json`` beside them says what they are."""
_BIN = "PyTorch file", "It is a pickle without a description of its model, and opening one can run any code."


def loose(folder: Folder, taken: frozenset[str] = frozenset()) -> list[Found]:
    """One entry an ending for the files in ``folder`` that nobody has ``taken``."""
    found = []
    odd = _odd_description(folder)
    kinds = WHY | ({".bin": _BIN} if odd else {})  # else a .bin may be anything
    for ending, (kind, reason) in kinds.items():
        described = bool(odd) and ending in _DESCRIBED
        names = [name for name in folder.ending(ending) if name not in taken and folder.files[name] >= LEAST]
        if names:
            several = f" and {len(names) - 1} more" if len(names) > 1 else ""
            found.append(
                Found(
                    path=str(folder.path / names[0]),
                    kind=kind,
                    title=f"{names[0]}{several}",
                    state=FoundState.CANT,
                    reason=odd if described else reason,
                    license=folder.card.license,
                    size_bytes=folder.size(names),
                    source=folder.source,
                    revision=folder.revision,
                    speech=described,
                )
            )
    return found


def _odd_description(folder: Folder) -> str:
    """What is wrong with the description of weights in ``folder``, in a sentence; "" where none is there."""
    why = folder.why_not_json("config.json")
    if not why and "config.json" in folder.files:
        return "Its description, config.json, names no model_type: nothing tells what would play it."
    return f"Its description can't be used: config.json {why}. Get that file again." if why else ""
