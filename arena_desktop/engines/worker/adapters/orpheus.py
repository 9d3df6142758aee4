"""Orpheus: a Llama that writes the codes of the SNAC codec, both from local folders.

``files``: ``{path: FOLDER, snac: FOLDER}``: the Llama as transformers reads it (safetensors), and SNAC at 24 kHz
(``config.json``, ``pytorch_model.bin``); without ``snac`` the folder ``snac`` inside ``path`` is used, else
hubertsiuzdak/snac_24khz in Hugging Face's cache. A voice is a name that the model learned (tara, leah, jess, leo, dan,
mia, zac, zoe), put before the text. ``settings``: ``temperature`` 0.1–2, ``top_p``, ``repetition_penalty``, ``seed``.
It samples: another take is another reading.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from ..checkpoints.directory import read_checkpoint
from ..checkpoints.loading import load_model, load_part
from ..faults import EngineFault
from ..speech.model_folder import lacking, open_weights, unnamed
from ..speech.options import number
from ..speech.places import place_of, placed
from ..speech.torch_engine import TorchEngine
from ..texts import longest_plausible_s

CODEC = "hubertsiuzdak/snac_24khz"
FRAME = 7
"""Codes of one frame; SNAC takes 1 + 2 + 4 of them in three layers."""
LAYERS = ((0,), (1, 4), (2, 3, 5, 6))
BOOK = 4096
FRAME_SAMPLES = 2048
#: Marks of the prompt, by their names in the tokenizer.
START_OF_PERSON, END_OF_PERSON, START_OF_MODEL = "<custom_token_3>", "<custom_token_4>", "<custom_token_5>"
START_OF_SPEECH, END_OF_SPEECH, FIRST_CODE = "<custom_token_1>", "<custom_token_2>", "<custom_token_10>"
END_OF_TEXT = "<|eot_id|>"
LONGEST_PART_S = 60.0


class Engine(TorchEngine):
    """Speaks with an Orpheus model."""

    NAME = "orpheus"
    TITLE = "Orpheus"
    RECIPE = "orpheus"
    MODULES: ClassVar[dict[str, str]] = {"snac": "snac", "transformers": "transformers", "torch": "torch"}
    SETTINGS = ("temperature", "top_p", "repetition_penalty")
    DTYPES = ("float32", "bfloat16")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._snac = placed(str(files["snac"]), search) if files.get("snac") else None
        if self._snac is None and self._folder is not None:
            inside = self._folder / "snac"
            self._snac = inside if inside.is_dir() else place_of({"hub": CODEC}, search) or inside
        self._codec: Any = None
        self._tokenizer: Any = None
        self._marks: dict[str, int] = {}

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None or self._snac is None:
            return unnamed("the folder of an Orpheus model", "files: {path: FOLDER, snac: FOLDER}")
        missing = lacking(self._folder, "config.json", "tokenizer.json")
        missing += lacking(self._snac, "config.json", "pytorch_model.bin")
        if missing:
            return missing
        read_checkpoint(self._folder, ("llama",))
        return []

    def model_files(self) -> list[Any]:
        if self._folder is None or self._snac is None:
            return []
        codec = [self._snac / name for name in ("config.json", "pytorch_model.bin")]
        return [*read_checkpoint(self._folder, ("llama",)).files(), *(file for file in codec if file.is_file())]

    def open(self, device: str, dtype: str) -> Any:
        from transformers import AutoTokenizer, LlamaForCausalLM

        folder = self._folder
        assert folder is not None
        self._tokenizer = load_part(AutoTokenizer, folder)
        self._marks = {mark: self._token(mark) for mark in _MARKS}
        model = load_model(LlamaForCausalLM, read_checkpoint(folder, ("llama",)), device, dtype)
        self._codec = self._open_codec().to(device)
        self.rate = int(self._codec.sampling_rate)
        return model

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        import torch

        name = str((voice or {}).get("id") or "")
        said = self._tokenizer(f"{name}: {text}" if name else text).input_ids
        marks = self._marks
        prompt = [marks[START_OF_PERSON], *said, marks[END_OF_TEXT]]
        prompt += [marks[END_OF_PERSON], marks[START_OF_MODEL], marks[START_OF_SPEECH]]
        seconds = min(LONGEST_PART_S, longest_plausible_s(text))
        most = round(seconds * self.rate / FRAME_SAMPLES) * FRAME
        inputs = torch.tensor([prompt], device=self.device)
        written = self.model.generate(
            inputs,
            attention_mask=torch.ones_like(inputs),
            max_new_tokens=min(most, int(self.model.config.max_position_embeddings) - len(prompt)),
            do_sample=True,
            top_k=0,  # transformers would take the best 50, the model was made for all
            temperature=number(settings, "temperature", 0.6, 0.1, 2.0),
            top_p=number(settings, "top_p", 0.95, 0.05, 1.0),
            repetition_penalty=number(settings, "repetition_penalty", 1.1, 1.0, 2.0),
            eos_token_id=marks[END_OF_SPEECH],
            pad_token_id=marks[END_OF_SPEECH],
        )
        return self._sound(written[0, len(prompt) :].tolist())

    def close(self) -> None:
        super().close()
        self._codec = self._tokenizer = None

    def _sound(self, written: list[int]) -> np.ndarray | None:
        """The sound of the whole frames among the tokens; a frame with a code that its place can't have is left out,
        as the model's own decoder does.
        """
        import torch

        first = self._marks[FIRST_CODE]
        codes = [token - first for token in written if token >= first]
        frames = [
            [code - place * BOOK for place, code in enumerate(codes[at : at + FRAME])]
            for at in range(0, len(codes) - FRAME + 1, FRAME)
        ]
        frames = [frame for frame in frames if all(0 <= code < BOOK for code in frame)]
        if not frames:
            raise EngineFault("engine", "Orpheus wrote no sound for this text.", "Try another take or voice.")
        layers = [
            torch.tensor([[frame[place] for frame in frames for place in places]], device=self.device)
            for places in LAYERS
        ]
        return np.asarray(self._codec.decode(layers)[0, 0].float().cpu().numpy(), np.float32)

    def _open_codec(self) -> Any:
        from snac import SNAC

        assert self._snac is not None
        config = json.loads((self._snac / "config.json").read_text(encoding="utf-8"))
        codec = SNAC(**config)
        if list(config.get("vq_strides", ())) != [4, 2, 1]:
            raise EngineFault("settings", f"{self._snac} is not the SNAC of Orpheus.", "Get hubertsiuzdak/snac_24khz.")
        codec.load_state_dict(open_weights(self._snac / "pytorch_model.bin"))
        return codec.eval()

    def _token(self, mark: str) -> int:
        found = self._tokenizer.convert_tokens_to_ids(mark)
        if not isinstance(found, int) or found == self._tokenizer.unk_token_id:
            raise EngineFault(
                "settings", f"{self._folder} is a Llama, but not Orpheus: its tokenizer lacks {mark}.",
                "Name the folder of an Orpheus model.",
            )  # fmt: skip
        return found


_MARKS = (
    START_OF_PERSON, END_OF_PERSON, START_OF_MODEL, START_OF_SPEECH, END_OF_SPEECH, FIRST_CODE, END_OF_TEXT
)  # fmt: skip
