"""XTTS (coqui-tts): clones a voice from a clip, in seventeen languages.

``files``: ``{path: FOLDER}`` with config.json, model.pth, vocab.json and, for the voices that come with it,
speakers_xtts.pth. A voice with ``audio`` is cloned; one without is a speaker's name of speakers_xtts.pth.
``settings``: ``language`` (en, de, fr, …; "en"), ``temperature``, ``top_k``, ``top_p``, ``repetition_penalty``,
``speed`` 0.5–2, ``seed``. It samples: another take is another reading.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech.clip import read_clip
from ..speech.cloned_voice import clip_of, kept_as
from ..speech.model_folder import lacking, open_weights, unnamed
from ..speech.options import number, whole
from ..speech.places import place_of
from ..speech.torch_engine import TorchEngine

FILES = ("config.json", "model.pth", "vocab.json")
SPEAKERS = "speakers_xtts.pth"
CLIP_RATE = 22050
#: What a checkpoint of the makers holds beside numbers: its own description, as these plain classes.
DESCRIPTION = frozenset({
    "TTS.tts.configs.xtts_config.XttsConfig",
    "TTS.tts.models.xtts.XttsAudioConfig",
    "TTS.tts.models.xtts.XttsArgs",
    "TTS.config.shared_configs.BaseDatasetConfig",
})  # fmt: skip
#: Other keys of a checkpoint: parts that only training needs.
TRAINING = ("torch_mel_spectrogram_style_encoder", "torch_mel_spectrogram_dvae", "dvae")


class Engine(TorchEngine):
    """Speaks with an XTTS model."""

    NAME = "xtts"
    TITLE = "XTTS"
    RECIPE = "xtts"
    MODULES: ClassVar[dict[str, str]] = {
        "TTS": "coqui-tts",
        "torch": "torch",
        "torchaudio": "torchaudio",
        "transformers": "transformers",
    }
    SETTINGS = ("language", "temperature", "top_k", "top_p", "repetition_penalty", "speed")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._voices: dict[tuple[str, int, int], Any] = {}
        self._speakers: dict[str, Any] = {}
        self._voice: Any = None
        self._language = "en"

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None:
            return unnamed("the folder of an XTTS model", "files: {path: FOLDER}")
        missing = lacking(self._folder, *FILES)
        if not missing:
            self._config()
        return missing

    def model_files(self) -> list[Any]:
        if self._folder is None:
            return []
        return [self._folder / name for name in (*FILES, SPEAKERS) if (self._folder / name).is_file()]

    def open(self, device: str, dtype: str) -> Any:
        from TTS.tts.configs.xtts_config import XttsConfig
        from TTS.tts.layers.xtts.tokenizer import VoiceBpeTokenizer
        from TTS.tts.models.xtts import Xtts

        assert self._folder is not None
        config = XttsConfig()
        config.load_json(str(self._folder / "config.json"))
        # Not by the model's own load_checkpoint: it rewrites model.pth on the disk.
        model = Xtts(config)
        model.tokenizer = VoiceBpeTokenizer(vocab_file=str(self._folder / "vocab.json"))
        model.init_models()
        model.load_state_dict(self._weights())
        model.to(device)
        model.hifigan_decoder.eval()
        model.gpt.init_gpt_for_inference(kv_cache=model.args.kv_cache)
        model.gpt.eval()  # not model.eval(): it would prepare the network once more, and gives nothing back
        speakers = self._folder / SPEAKERS
        self._speakers = open_weights(speakers) if speakers.is_file() else {}
        self.rate = int(config.audio.output_sample_rate)
        return model

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        language = str(settings.get("language") or "en").lower()
        known = [str(name) for name in self.model.config.languages]
        self._language = next(
            (name for name in (language, language.split("-")[0], f"{language}-cn") if name in known), ""
        )
        if not self._language:
            raise EngineFault(
                "settings", f"This XTTS doesn't speak the language {language}.", f"Write one of: {', '.join(known)}."
            )
        self._voice = self._voice_of(voice)

    def fits(self, text: str) -> bool:
        tokenizer = self.model.tokenizer
        short = len(text) <= tokenizer.char_limits.get(self._language.split("-")[0], 200)
        return short and len(tokenizer.encode(text.lower(), lang=self._language.split("-")[0])) < 350

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        config = self.model.config
        latent, embedding = self._voice
        made = self.model.inference(
            text,
            self._language,
            latent,
            embedding,
            temperature=number(settings, "temperature", float(config.temperature), 0.05, 2.0),
            length_penalty=float(config.length_penalty),
            repetition_penalty=number(settings, "repetition_penalty", float(config.repetition_penalty), 1.0, 20.0),
            top_k=whole(settings, "top_k", int(config.top_k), 1, 1000),
            top_p=number(settings, "top_p", float(config.top_p), 0.05, 1.0),
            speed=number(settings, "speed", 1.0, 0.5, 2.0),
        )
        return np.asarray(made["wav"], np.float32)

    def close(self) -> None:
        super().close()
        self._voices.clear()
        self._speakers = {}
        self._voice = None

    def _voice_of(self, voice: dict[str, Any] | None) -> Any:
        name = str((voice or {}).get("id") or "")
        if not (voice or {}).get("audio") and name in self._speakers:
            found = self._speakers[name]
            return found["gpt_cond_latent"].float(), found["speaker_embedding"].float()
        if not (voice or {}).get("audio") and self._speakers and name:
            some = ", ".join(list(self._speakers)[:5])
            raise EngineFault(
                "settings", f"This XTTS has no speaker {name}, and the voice has no clip.", f"It has: {some}, …"
            )
        file = str(clip_of(voice, self.TITLE))
        known = kept_as(file)
        if known not in self._voices:
            self._voices[known] = self._learned(read_clip(file, CLIP_RATE))
        return self._voices[known]

    def _learned(self, samples: np.ndarray) -> tuple[Any, Any]:
        """What the model takes from a clip, as its own cloning takes it."""
        import torch

        config = self.model.config
        sound = torch.from_numpy(samples)[None].clip(-1, 1)[:, : CLIP_RATE * int(config.max_ref_len)].to(self.device)
        if config.sound_norm_refs:
            sound = sound / sound.abs().max() * 0.75
        embedding = self.model.get_speaker_embedding(sound, CLIP_RATE)
        latent = self.model.get_gpt_cond_latents(
            sound, CLIP_RATE, length=int(config.gpt_cond_len), chunk_length=int(config.gpt_cond_chunk_len)
        )
        return latent, embedding

    def _weights(self) -> dict[str, Any]:
        assert self._folder is not None
        with _description_allowed():
            held = open_weights(self._folder / "model.pth", allowed=DESCRIPTION)
        weights = {key.removeprefix("xtts."): value for key, value in held["model"].items()}
        return {
            key: value
            for key, value in weights.items()
            if key.split(".")[0] not in TRAINING and not key.startswith("gpt.gpt_inference.")
        }

    def _config(self) -> dict[str, Any]:
        assert self._folder is not None
        file = self._folder / "config.json"
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
            sound = config["model"] == "xtts"
        except (OSError, ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise EngineFault("missing", f"{file} is not the configuration of XTTS", "Get the whole model again.")
        return dict(config)


def _description_allowed() -> Any:
    """Lets torch's weights-only loader make the classes of :data:`DESCRIPTION`, by the names that they had when the
    checkpoints were written.
    """
    import torch
    from TTS.config.shared_configs import BaseDatasetConfig
    from TTS.tts.configs.xtts_config import XttsArgs, XttsAudioConfig, XttsConfig

    return torch.serialization.safe_globals(
        [
            (XttsAudioConfig, "TTS.tts.models.xtts.XttsAudioConfig"),
            (XttsArgs, "TTS.tts.models.xtts.XttsArgs"),
            XttsConfig,
            BaseDatasetConfig,
        ]
    )
