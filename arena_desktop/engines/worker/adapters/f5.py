"""F5-TTS (and E2-TTS' shape of it): clones a voice from a clip and what is said in it, by flow matching.

``files``: ``{path: FOLDER, vocos: FOLDER}``. The folder (or one folder inside) has one ``*.safetensors`` and perhaps
``vocab.txt`` (else the package's own); ``vocos`` is the vocoder (``config.yaml``, ``pytorch_model.bin``), by default
the folder ``vocos`` inside ``path``, else charactr/vocos-mel-24khz in Hugging Face's cache. Sizes are read from the
weights; whether they are of ``v0`` or ``v1`` is read from their folder's name (``F5TTS_v1_Base``), else from the
setting ``version``. A voice needs ``audio`` and ``transcript``. ``settings``: ``steps`` 4–64 (32), ``guidance`` 0–10
(2), ``speed`` 0.5–2, ``version``, ``seed``. Another take is another reading.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.clip import read_clip
from ..speech.cloned_voice import clip_of, kept_as, words_of
from ..speech.model_folder import lacking, open_weights, unnamed
from ..speech.options import number, whole
from ..speech.places import place_of, placed
from ..speech.torch_engine import TorchEngine

RATE = 24000
VOCODER = "charactr/vocos-mel-24khz"
NEWEST = "F5TTS_v1_Base"
"""The folder that is meant where the makers' repository has several."""
LONGEST_CLIP_S = 12
HEAD = 64
"""Width of a head, the same in all released models."""
#: What a vocoder's description may name; it makes whatever class stands there.
VOCOS_CLASSES = frozenset({
    "vocos.feature_extractors.MelSpectrogramFeatures", "vocos.models.VocosBackbone", "vocos.heads.ISTFTHead"
})  # fmt: skip
#: How the two versions of the network differ, beyond their sizes.
VERSIONS = {"v0": {"text_mask_padding": False, "pe_attn_head": 1}, "v1": {}}


class Engine(TorchEngine):
    """Speaks with an F5-TTS model."""

    NAME = "f5"
    TITLE = "F5-TTS"
    RECIPE = "f5"
    MODULES: ClassVar[dict[str, str]] = {
        "f5_tts": "f5-tts",
        "vocos": "vocos",
        "torch": "torch",
        "torchaudio": "torchaudio",
    }
    SETTINGS = ("steps", "guidance", "speed", "version")
    DTYPES = ("float32", "float16")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._vocos = placed(str(files["vocos"]), search) if files.get("vocos") else None
        if self._vocos is None and self._folder is not None:
            inside = self._folder / "vocos"
            self._vocos = inside if inside.is_dir() else place_of({"hub": VOCODER}, search) or inside
        self._vocoder: Any = None
        self._clip: tuple[tuple[str, int, int], Any] | None = None

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None or self._vocos is None:
            return unnamed("the folder of an F5-TTS model", "files: {path: FOLDER, vocos: FOLDER}")
        missing = lacking(self._folder)
        if missing:
            return missing
        weights = self._weights()
        _shape(weights)
        self._version(weights)
        return lacking(self._vocos, "config.yaml", "pytorch_model.bin")

    def clip_needs(self) -> dict[str, Any]:
        return {"transcript": True, "longest_s": LONGEST_CLIP_S}

    def model_files(self) -> list[Any]:
        if self._folder is None or self._vocos is None or not self._folder.is_dir():
            return []
        files = [self._weights(), self._vocabulary(), self._vocos / "config.yaml", self._vocos / "pytorch_model.bin"]
        return [file for file in files if file is not None and file.is_file()]

    def open(self, device: str, dtype: str) -> Any:
        import torch
        from f5_tts.model import CFM, DiT
        from f5_tts.model.utils import get_tokenizer
        from safetensors.torch import load_file

        weights = self._weights()
        symbols, count = get_tokenizer(str(self._vocabulary()), "custom")
        shape = {**_shape(weights), **VERSIONS[self._version(weights)]}
        sound = {"n_fft": 1024, "hop_length": 256, "win_length": 1024, "n_mel_channels": 100}
        model = CFM(
            transformer=DiT(**shape, text_num_embeds=count, mel_dim=100),
            mel_spec_kwargs={**sound, "target_sample_rate": RATE, "mel_spec_type": "vocos"},
            odeint_kwargs={"method": "euler"},
            vocab_char_map=symbols,
        )
        held = {key.removeprefix("ema_model."): value for key, value in load_file(str(weights)).items()}
        ignored = (
            "initted",
            "step",
            "update",
            "mel_spec.mel_stft.mel_scale.fb",
            "mel_spec.mel_stft.spectrogram.window",
        )
        model.load_state_dict({key: value for key, value in held.items() if key not in ignored})
        self._vocoder = self._open_vocoder().to(device)
        self.rate = RATE
        return model.to(device=device, dtype=getattr(torch, dtype)).eval()

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        words_of(voice, self.TITLE)
        file = str(clip_of(voice, self.TITLE))
        if self._clip is None or self._clip[0] != kept_as(file):
            self._clip = (kept_as(file), read_clip(file, RATE)[: LONGEST_CLIP_S * RATE])

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        import torch
        from f5_tts.infer.utils_infer import infer_batch_process

        assert self._clip is not None
        words = words_of(voice, self.TITLE)
        words += " " if words.endswith((".", "!", "?", "。")) else ". "
        made, _, _ = next(
            infer_batch_process(
                (torch.from_numpy(self._clip[1])[None], RATE),
                words,
                [text],
                self.model,
                self._vocoder,
                progress=None,
                nfe_step=whole(settings, "steps", 32, 4, 64),
                cfg_strength=number(settings, "guidance", 2.0, 0.0, 10.0),
                speed=number(settings, "speed", 1.0, 0.5, 2.0),
                device=self.device,
            )
        )
        return np.asarray(made, np.float32)

    def fits(self, text: str) -> bool:
        """With the clip, half a minute at most: what the model learned."""
        return len(text.encode()) <= 200

    def close(self) -> None:
        super().close()
        self._vocoder = self._clip = None

    def _weights(self) -> Path:
        assert self._folder is not None
        found = sorted(self._folder.glob("*.safetensors")) or sorted(self._folder.glob("*/*.safetensors"))
        found = [file for file in found if file.parent.name == NEWEST] or found
        if len(found) != 1:
            some = ", ".join(str(file.relative_to(self._folder)) for file in found[:4]) or "none"
            raise EngineFault(
                "missing",
                f"{self._folder} should hold one model in safetensors, and holds {some}",
                "Name the folder of one model.",
            )
        return found[0]

    def _vocabulary(self) -> Path | None:
        near = [place / "vocab.txt" for place in (self._weights().parent, self._folder) if place is not None]
        package = packages.folder("f5_tts")
        own = package / "infer" / "examples" / "vocab.txt" if package is not None else None
        return next((file for file in near if file.is_file()), own)

    def _version(self, weights: Path) -> str:
        written = self.settings.get("version")
        if written is not None and written not in VERSIONS:
            raise EngineFault("settings", f"The setting version is {written!r}", "Write v0 or v1.")
        if written is not None:
            return str(written)
        named = weights.parent.name
        if re.search(r"_v1(_|$)", named):
            return "v1"
        if named in ("F5TTS_Base", "F5TTS_Small"):
            return "v0"
        raise EngineFault(
            "settings",
            f"whether {weights} is of the first F5-TTS or of version 1 (its folder's name doesn't tell)",
            "Write settings: {version: v0} or {version: v1}.",
        )

    def _open_vocoder(self) -> Any:
        from vocos import Vocos

        assert self._vocos is not None
        vocoder_classes(self._vocos / "config.yaml")
        vocoder = Vocos.from_hparams(str(self._vocos / "config.yaml"))
        vocoder.load_state_dict(open_weights(self._vocos / "pytorch_model.bin"))
        return vocoder.eval()


def vocoder_classes(file: Path) -> set[str]:
    """The classes that a vocoder's description names. EngineFault ``missing`` for others than those of the vocoder: its
    library makes whatever object is named there, with whatever arguments.
    """
    import yaml

    try:
        described = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        described = None
    parts = described.values() if isinstance(described, dict) else ()
    named = {str(part.get("class_path")) for part in parts if isinstance(part, dict)}
    if not named or not named <= VOCOS_CLASSES:
        raise EngineFault("missing", f"{file} is not the vocoder of F5-TTS.", f"Get {VOCODER} (config.yaml and all).")
    return named


def _shape(weights: Path) -> dict[str, Any]:
    """The sizes of the network, from the names and shapes in the header of its weights."""
    try:
        with weights.open("rb") as stream:
            header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
        shapes = {
            key.removeprefix("ema_model."): entry["shape"] for key, entry in header.items() if key != "__metadata__"
        }
        blocks = {
            int(found[1]) for key in shapes if (found := re.match(r"transformer\.transformer_blocks\.(\d+)\.", key))
        }
        convs = {
            int(found[1])
            for key in shapes
            if (found := re.match(r"transformer\.text_embed\.text_blocks\.(\d+)\.", key))
        }
        dim = int(shapes["transformer.proj_out.weight"][1])
        first = "transformer.transformer_blocks.0."
        return {
            "dim": dim,
            "depth": len(blocks),
            "heads": int(shapes[first + "attn.to_q.weight"][0]) // HEAD,
            "ff_mult": int(shapes[first + "ff.ff.0.0.weight"][0]) // dim,
            "text_dim": int(shapes["transformer.text_embed.text_embed.weight"][1]),
            "conv_layers": len(convs),
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, MemoryError) as error:
        raise EngineFault("missing", f"{weights} is no model of F5-TTS, or not whole", "Get the file again.") from error
