"""How fast a model was on this machine, and what memory it took."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One model on one device, as measured here. ``cold_s`` and ``warm_s`` are seconds from the request to the sound,
    with the model still to be loaded and loaded already; ``rtf`` is seconds of work for a second of sound; None where
    it wasn't measured. ``when`` is in UTC, ISO 8601.
    """

    repo_id: str
    weights_hash: str | None
    device: str
    dtype: str
    memory_mb: float | None
    cold_s: float | None
    warm_s: float | None
    rtf: float | None
    when: str
