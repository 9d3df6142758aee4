"""Has a model speak its texts and says what is wrong with what came of it."""

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena_desktop.audio.examine import KINDS, MISSED, Flag, examine, paced, same_twice
from arena_desktop.audio.signs import signs
from arena_desktop.audio.types import Clip
from arena_desktop.domain.fixed_set import FixedSet, FixedText
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure, Spoken
from arena_desktop.services.fixed_texts import lacking, texts_for

HOPELESS = frozenset(
    {
        FailureKind.MISSING,
        FailureKind.ENVIRONMENT,
        FailureKind.HANG,
        FailureKind.OUT_OF_MEMORY,
        FailureKind.SETTINGS,
        FailureKind.CANCELLED,
    }
)
"""After these no other text is tried: it would fail alike, and a hang takes minutes each."""
MOST_WORDS = 6


class Host(Protocol):
    """What is needed of the speech host."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def prompts(self, model: ModelSpec) -> frozenset[str] | None: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...


@dataclass(frozen=True)
class Heard:
    """One text. ``spoken`` is None where ``failure`` says why."""

    text: FixedText
    spoken: Spoken | None = None
    failure: SpeechFailure | None = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class Examination:
    """What came of one model. ``flags`` are about all clips together."""

    model: ModelSpec
    language: str
    heard: tuple[Heard, ...]
    flags: tuple[Flag, ...] = ()

    @property
    def failures(self) -> tuple[SpeechFailure, ...]:
        """Why texts could not be spoken."""
        return tuple(one.failure for one in self.heard if one.failure is not None)

    @property
    def spoke(self) -> bool:
        """Whether every text was spoken."""
        return not self.failures

    @property
    def clear(self) -> bool:
        """Whether every text was spoken and nothing is odd."""
        return self.spoke and not self.words

    @property
    def words(self) -> tuple[str, ...]:
        """What is wrong, a few words each: what of all clips, what of how many, what failed."""
        found = [KINDS[flag.kind] for flag in self.flags]
        counted: dict[str, int] = {}
        for one in self.heard:
            for words in dict.fromkeys(KINDS[flag.kind] for flag in one.flags):
                counted[words] = counted.get(words, 0) + 1
        found += [f"{words} ({number} of {len(self.heard)})" for words, number in counted.items() if words not in found]
        failed = {failure.kind.value.replace("_", " "): str(failure) for failure in self.failures}
        return (*found, *(f"could not speak: {kind}" for kind in failed))[:MOST_WORDS]


Overhear = Callable[[FixedText, Clip, str], None]
"""Gets a clip, with its text and language."""


def nobody(text: FixedText, clip: Clip, language: str) -> None:
    """Overhears nothing."""


def examine_model(
    model: ModelSpec,
    host: Host,
    read: Callable[[Path], Clip],
    prompts: Callable[[], Iterable[Prompt]],
    *,
    texts: FixedSet | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    overhear: Overhear = nobody,
) -> Examination:
    """Have ``model`` speak ``texts`` (None: those that fit it) and examine every clip. ``read`` reads a clip's file,
    ``prompts`` gives the built-in prompts; ``progress`` gets (done, total) texts and may end it by an exception;
    ``overhear`` gets every clip, with its text and language.

    Raises :class:`SpeechFailure` where something is missing. A text that can't be spoken is no error here.
    """
    missing = host.check(model)
    if missing:
        raise SpeechFailure(FailureKind.MISSING, model.repo_id, lacking(missing))
    wanted = texts or texts_for(model, host.prompts(model), prompts())
    heard: list[Heard] = []
    clips: list[Clip] = []
    with tempfile.TemporaryDirectory(prefix="arena-examine-") as folder:
        for place, text in enumerate(wanted.texts):
            progress(place, len(wanted.texts))
            one, clip = _hear(model, host, read, text, wanted.language, Path(folder) / "clip.wav")
            heard.append(one)
            if clip is not None:
                clips.append(clip)
                overhear(text, clip, wanted.language)
            if one.failure is not None and one.failure.kind in HOPELESS:
                break
    return Examination(model, wanted.language, tuple(heard), _together(heard, clips, wanted))


def _hear(
    model: ModelSpec, host: Host, read: Callable[[Path], Clip], text: FixedText, language: str, out: Path
) -> tuple[Heard, Clip | None]:
    try:
        spoken = host.speak(model, text.text, model.voices[0] if model.voices else None, out)
    except SpeechFailure as failure:
        if failure.kind is FailureKind.CANCELLED:
            raise
        return Heard(text, failure=failure), None
    clip = read(out)
    return Heard(text, spoken, flags=examine(clip.samples, clip.rate, text.text, language, text.letters)), clip


def _together(heard: list[Heard], clips: list[Clip], wanted: FixedSet) -> tuple[Flag, ...]:
    """What only shows over all clips: the pace, more exactly, and whether they differ."""
    texts = [one.text for one in heard if one.spoken is not None]
    if len(texts) < 2:
        return ()
    silent = {flag.kind for one in heard for flag in one.flags} & {"silence"}
    active = 0.0 if silent else sum(signs(clip.samples, clip.rate).active for clip in clips)
    letters = sum(text.letters for text in texts)
    flags = () if silent else paced(active, letters, wanted.language, 1.0 if wanted.exact else MISSED)
    same = same_twice([(clip.samples, clip.rate) for clip in clips])
    if same is None:
        return flags
    one, other = (texts[place].kind for place in same)
    return (*flags, Flag("same", f"“{one}” and “{other}” are one and the same clip"))
