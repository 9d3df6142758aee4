"""A machine in figures: what :mod:`arena_desktop.engines.placement` decides by."""

from dataclasses import dataclass

MB = 2**20
GB = 2**30


@dataclass(frozen=True)
class Gpu:
    """An NVIDIA GPU as its driver reports it. ``memory`` and what of it is ``free`` (None: unknown) in bytes,
    ``driver`` e.g. ``580.65.06``; ``capability`` is its compute capability, None if unknown. ``index`` is its number in
    torch.
    """

    name: str
    memory: int
    driver: str = ""
    free: int | None = None
    capability: tuple[int, int] | None = None
    index: int = 0


@dataclass(frozen=True)
class Torch:
    """The installed torch, as its files tell it. ``cuda`` is the CUDA version that it was built for, None for a build
    without.
    """

    version: str
    cuda: str | None


@dataclass(frozen=True)
class Machine:
    """``memory`` is the RAM in bytes that this program may use (a container's limit counts), ``free`` what is left of
    it now, None if unknown. ``system`` is ``Linux``, ``Windows`` or ``Darwin``; ``processor`` e.g. ``x86_64``,
    ``arm64``. ``torch`` is None when it isn't installed; ``onnx_on`` are the devices that the installed onnxruntime can
    use beside the processor.
    """

    system: str
    processor: str
    cores: int
    memory: int
    gpus: tuple[Gpu, ...] = ()
    torch: Torch | None = None
    free: int | None = None
    onnx_on: frozenset[str] = frozenset()

    @property
    def has_mps(self) -> bool:
        """Apple's GPU."""
        return self.system == "Darwin" and self.processor == "arm64"
