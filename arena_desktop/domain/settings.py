"""The settings, one declaration each: the field's name is the key in the file, its default holds when the file is silent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Everything a user can set.

    ``output_device`` is a device's name, None the system's default. ``target_lufs`` −36…−14. ``gate`` 0–1: share of each side to be heard
    before a vote counts. ``reveal`` is ``each`` (after every vote) or ``set`` (after ``reveal_set`` votes). ``playback`` is ``start_over`` or
    ``same_position``. ``theme`` is ``system``, ``light`` or ``dark``. ``volume_db`` −20…+6. ``prompt_kind`` is ``builtin``, ``own`` or ``file``.
    """

    output_device: str | None = None
    latency: float = 0.05
    target_lufs: float = -23.0
    gate: float = 0.9
    autoplay: bool = True
    reveal: str = "each"
    reveal_set: int = 20
    playback: str = "start_over"
    loop: bool = False
    theme: str = "system"
    volume_db: float = 0.0
    listener: str = ""
    arena: str = ""
    prompt_kind: str = "builtin"
    prompt_category: str = ""
    prompt_text: str = ""
    prompt_path: str = ""
    cache_gb: float = 5.0
    disabled_models: tuple[str, ...] = ()
    device: str = "auto"
