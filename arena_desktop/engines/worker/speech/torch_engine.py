"""What adapters of models with an environment of their own have in common: torch, a seed a take, one sentence after
another.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..checkpoints.device import check_dtype, chosen_device, chosen_dtype, memory_in_words
from ..faults import EngineFault
from . import packages
from .onnx_session import threads
from .options import known_only, seed_of, unknown
from .sound import joined
from .text import cleaned, nothing_said
from .text_split import Part, split_sentences


class TorchEngine(ABC):
    """Base of an adapter. A subclass names itself, its packages and settings, and gives :meth:`problems`,
    :meth:`model_files`, :meth:`open` and :meth:`say`.
    """

    NAME = ""
    TITLE = ""
    #: Importable names, the one that carries the version first, and the distributions that carry them.
    MODULES: ClassVar[dict[str, str]] = {}
    #: The recipe that makes an environment with them.
    RECIPE = ""
    SETTINGS: tuple[str, ...] = ()
    #: How many renderings of one text are worth hearing.
    TAKES = 3
    #: The number types that it can be loaded in.
    DTYPES: tuple[str, ...] = ("float32",)
    RUNTIME = "torch"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self.files = dict(files)
        self.settings = dict(settings)
        self.search = list(search)
        self.device = "cpu"
        self.rate = 24000
        self.model: Any = None

    def problems(self) -> list[dict[str, str]]:
        """Entries for :meth:`check` on the files and settings, without the engine's library."""
        return []

    def model_files(self) -> list[Any]:
        """The files whose bytes are the model."""
        return []

    @abstractmethod
    def open(self, device: str, dtype: str) -> Any:
        """The loaded model, in numbers of the type ``dtype``. Sets ``rate``."""

    @abstractmethod
    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Mono float32 sound of one part; None when nothing in it can be spoken."""

    def fits(self, text: str) -> bool:
        """Whether the model takes this much at once."""
        return len(text) <= 250

    def parts(self, text: str) -> list[Part]:
        """``text`` as the model takes it."""
        return split_sentences(text, self.fits)

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:  # noqa: B027  # may refuse nothing
        """Refuse a voice or settings before anything is spoken."""

    def check(self) -> list[dict[str, str]]:
        missing = self.lacking_packages(tuple(self.MODULES))
        missing += unknown(self.settings, self._known(), self.TITLE)
        try:
            check_dtype(self.settings.get("dtype"), self.DTYPES)
            missing += self.problems()
        except EngineFault as fault:
            missing.append({"what": fault.message, "remedy": fault.remedy})
        return missing

    def lacking_packages(self, modules: Sequence[str]) -> list[dict[str, str]]:
        """One entry for all packages that are not there: they come together, by the recipe."""
        lacking = [self.MODULES[module] for module in modules if not packages.there(module)]
        if not lacking:
            return []
        named = f"the package {lacking[0]}" if len(lacking) == 1 else f"the packages {', '.join(lacking)}"
        return [
            {
                "what": f"{named} that {self.TITLE} runs on",
                "remedy": f"Press Set up on the Models page, or run: arena-desktop environments make {self.RECIPE}, "
                f"and write python: env:{self.RECIPE}.",
            }
        ]

    def takes(self) -> int:
        return self.TAKES

    def dtypes(self) -> list[str]:
        return list(self.DTYPES)

    def version(self) -> str:
        return packages.distributions(*self.MODULES.values())

    def weight_files(self) -> list[str]:
        return [str(file) for file in self.model_files()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return [str(voice["audio"])] if voice and voice.get("audio") else []

    def load(self, device: str) -> dict[str, str]:
        problem = next(iter(self.check()), None)
        if problem is not None:
            raise EngineFault("missing", f"{self.TITLE} lacks {problem['what']}.", problem["remedy"])
        import torch

        torch.set_num_threads(threads())
        self.device = chosen_device(torch, device)
        dtype = chosen_dtype(torch, self.device, self.settings.get("dtype"), self.DTYPES)
        # no_grad, not inference_mode: some libraries compute with gradients on, which weights made in that mode refuse.
        with memory_in_words(self.device), torch.no_grad():
            self.model = self.open(self.device, dtype)
        return {"device": self.device, "dtype": dtype}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        if self.model is None:
            raise EngineFault("engine", f"{self.TITLE} was asked to speak before it was loaded.")
        import torch

        chosen = {**self.settings, **settings}
        known_only(chosen, self._known(), self.TITLE)
        seed = seed_of(chosen, take)
        spoken = []
        with memory_in_words(self.device), torch.no_grad():
            self.ready(voice, chosen)
            for index, part in enumerate(self.parts(cleaned(text))):
                _seed_all(torch, seed + index)
                sound = self.say(part.text, voice, chosen)
                if sound is not None and len(sound):
                    spoken.append((np.asarray(sound, np.float32).ravel(), part.pause))
        if not spoken:
            raise nothing_said(self.TITLE)
        return joined(spoken, self.rate), self.rate

    def _known(self) -> tuple[str, ...]:
        return ("seed", "dtype", *self.SETTINGS)

    def close(self) -> None:
        self.model = None
        if self.device.startswith("cuda"):
            import torch

            torch.cuda.empty_cache()


def _seed_all(torch: Any, seed: int) -> None:
    """Every generator that a model may draw from."""
    import random

    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)  # the libraries draw from this one
    random.seed(seed)
