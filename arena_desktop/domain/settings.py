"""The settings, each declared once: its name is the key in the file, its default holds when the file is silent, its
rule says what it may be.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from arena_desktop.domain.devices import DEVICE_FORM, is_device


class BadValue(ValueError):
    """A setting's value is not allowed; the text says what is, as the end of a sentence ("must be …")."""


class Rule(Protocol):
    """What a setting may be."""

    def check(self, value: object) -> Any:
        """``value`` in the form in which it is kept. Raises :class:`BadValue`."""


@dataclass(frozen=True)
class Number:
    """A finite number from ``low`` to ``high``, in ``unit``; a ``whole`` one is an integer. ``step`` is for spin
    boxes.
    """

    low: float
    high: float
    step: float = 0.1
    unit: str = ""
    whole: bool = False

    def check(self, value: object) -> float | int:
        words = f"must be a {'whole ' if self.whole else ''}number from {self.low:g} to {self.high:g}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadValue(words)
        # NaN is in no range; the range keeps int() and float() from huge numbers
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            raise BadValue(words)
        return int(value) if self.whole else float(value)


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise BadValue("must be true or false")
        return value


@dataclass(frozen=True)
class Choice:
    """One of a few words, in the order in which they are offered."""

    options: tuple[str, ...]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise BadValue("must be one of " + ", ".join(self.options))
        return value


@dataclass(frozen=True)
class Device:
    """What models run on, see :mod:`.devices`."""

    def check(self, value: object) -> str:
        if not isinstance(value, str) or not is_device(value):
            raise BadValue(f"must be {DEVICE_FORM}")
        return value


@dataclass(frozen=True)
class Text:
    """Text of at most ``longest`` characters; None is allowed where ``optional``."""

    longest: int = 200
    optional: bool = False

    def check(self, value: object) -> str | None:
        if value is None and self.optional:
            return None
        if not isinstance(value, str):
            raise BadValue("must be text")
        if len(value) > self.longest:
            raise BadValue(f"must be text of at most {self.longest:,} characters")
        if any(0xD800 <= ord(char) <= 0xDFFF for char in value):
            raise BadValue("must be text without broken characters")
        return value


@dataclass(frozen=True)
class TextList:
    """Any number of different texts, at most ``most``; kept as a tuple."""

    most: int = 10_000

    def check(self, value: object) -> tuple[str, ...]:
        words = "must be a list of texts"
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise BadValue(words)
        if not all(isinstance(item, str) and len(item) <= 300 for item in value):
            raise BadValue(words)
        for item in value:
            Text(300).check(item)
        return tuple(dict.fromkeys(value))


def _setting(default: Any, rule: Rule) -> Any:
    return field(default=default, metadata={"rule": rule})


@dataclass(frozen=True)
class Settings:
    """Everything a user can set.

    ``output_device`` is a device's name, None the system's default. ``gate``: share of each side to be heard
    before a vote counts.
    ``reveal`` is ``each`` (after every vote) or ``set`` (after ``reveal_set`` votes). ``volume_db`` applies to
    both sides alike.
    ``pair_choice`` says which models meet, by a name in :data:`arena_desktop.ratings.pairing.POLICIES`.
    ``listener`` is a pseudonym, ``arena`` an arena's id, "" the first. ``prompt_*``: see
    ``services.views.PromptSource``.
    ``disabled_models`` are repo_ids kept out of battles. ``sync_folder`` is the folder that votes are exchanged
    through, "" for none; ``sync_private``: whether own texts, devices and notes go along.
    ``looked_for_models``: the disk was searched for models at a first start. ``hub`` is the
    address of the hub that models are downloaded from, "" for the usual one. ``recogniser`` listens
    where ``models check --asr`` names none: ``pocketsphinx`` (or ""), or the folder of a Whisper checkpoint. ``device``
    is what engines compute on.
    """

    output_device: str | None = _setting(None, Text(300, optional=True))
    latency: float = _setting(0.05, Number(0.005, 1.0, 0.005, "s"))
    target_lufs: float = _setting(-23.0, Number(-36, -14, 0.5, "LUFS"))
    gate: float = _setting(0.9, Number(0, 1, 0.05))
    autoplay: bool = _setting(True, Flag())
    reveal: str = _setting("each", Choice(("each", "set")))
    reveal_set: int = _setting(20, Number(2, 200, 1, "votes", whole=True))
    playback: str = _setting("start_over", Choice(("start_over", "same_position")))
    loop: bool = _setting(False, Flag())
    theme: str = _setting("system", Choice(("system", "light", "dark")))
    volume_db: float = _setting(0.0, Number(-20, 6, 1, "dB"))
    listener: str = _setting("", Text())
    arena: str = _setting("", Text())
    pair_choice: str = _setting("rank-gain", Choice(("rank-gain", "uniform")))
    prompt_kind: str = _setting("builtin", Choice(("builtin", "own", "file")))
    prompt_category: str = _setting("", Text())
    prompt_text: str = _setting("", Text(8_000))
    prompt_path: str = _setting("", Text(4_096))
    cache_gb: float = _setting(5.0, Number(0.1, 1_000, 0.5, "GB"))
    disabled_models: tuple[str, ...] = _setting((), TextList())
    sync_folder: str = _setting("", Text(4_096))
    sync_private: bool = _setting(False, Flag())
    looked_for_models: bool = _setting(False, Flag())
    hub: str = _setting("", Text(500))
    recogniser: str = _setting("", Text(4_096))
    device: str = _setting("auto", Device())


RULES: Mapping[str, Rule] = {one.name: one.metadata["rule"] for one in fields(Settings)}
"""The rule of each setting, by its name; ``Number`` and ``Choice`` also tell a settings page its ranges and options."""


def validated(values: Mapping[str, object], base: Settings | None = None) -> tuple[Settings, tuple[str, ...]]:
    """Settings from ``values``; what is missing or not allowed is taken from ``base`` (the defaults when None).

    The second part has one sentence for each value that was not allowed. Names that are no settings are left out in
    silence: whoever holds them (the settings file) keeps them.
    """
    base = base or Settings()
    taken: dict[str, Any] = {}
    problems = []
    for name, rule in RULES.items():
        taken[name] = getattr(base, name)
        if name in values:
            try:
                taken[name] = rule.check(values[name])
            except BadValue as bad:
                problems.append(f"The setting {name} {bad}; {_shown(taken[name])} is used.")
    return Settings(**taken), tuple(problems)


def _shown(value: object) -> str:
    if value is None or value == "" or value == ():
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
