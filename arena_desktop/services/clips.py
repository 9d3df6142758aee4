"""Clips: from the cache, else spoken."""

import threading
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.roster import ModelSpec, Voice, plain_json
from arena_desktop.engines.types import FailureKind, Identity, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.store.cache import CachedClip, ClipCache


class Speaker(Protocol):
    """What is needed of the speech host."""

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...


@dataclass(frozen=True)
class Fetched:
    """A clip with what exactly spoke it. ``key`` names it in the cache; ``cached`` says that it lay there already."""

    key: str
    spoken: Spoken
    identity: Identity
    cached: bool


@dataclass(frozen=True)
class ClipCounts:
    """What was asked for since the start of the program."""

    cached: int = 0
    spoken: int = 0
    failed: int = 0


class Clips:
    """Gets clips. Thread-safe; :meth:`get` blocks until the clip is there. ``spoken`` hears of each one that was not in
    the cache.
    """

    def __init__(
        self,
        host: Speaker,
        cache: ClipCache,
        spoken: Callable[[ModelSpec, Identity, Spoken], None] = lambda model, identity, spoken: None,
    ) -> None:
        self._noted = spoken
        self._host = host
        self._cache = cache
        self._lock = threading.Lock()
        self._counts = ClipCounts()

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int = 0) -> Fetched:
        """The clip of this text; raises SpeechFailure, or ArenaError if the cache can't be written to."""
        try:
            fetched = self._get(model, text, voice, take)
        except SpeechFailure:
            self._count(failed=1)
            raise
        self._count(cached=int(fetched.cached), spoken=int(not fetched.cached))
        return fetched

    def key(self, model: ModelSpec, text: str, voice: Voice | None, take: int = 0) -> str:
        """The key of this clip, wherever it is; raises SpeechFailure if it can't be found out what would speak."""
        return cache_key(model, self._host.identify(model, voice), text, voice, take)

    def has(self, key: str) -> bool:
        """Whether the clip lies in the cache."""
        return self._cache.has(key)

    def wait_for(self, key: str) -> None:
        """A prepared battle needs this clip: it stays until it is played."""
        self._cache.wait_for(key)

    def wait_for_only(self, keys: Collection[str]) -> None:
        """Prepared battles need these clips and no others."""
        self._cache.wait_for_only(keys)

    def room(self) -> int:
        """Bytes of the cache's limit that are left for clips that must stay."""
        return self._cache.room()

    def mark_voted(self, key: str) -> None:
        """Somebody voted on this clip: it stays longer."""
        self._cache.mark_voted(key)

    def pin(self, key: str, pinned: bool = True) -> None:
        """Keep this clip for a study, or no longer."""
        self._cache.pin(key, pinned)

    def counts(self) -> ClipCounts:
        """What was asked for so far."""
        with self._lock:
            return self._counts

    def _get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> Fetched:
        identity = self._host.identify(model, voice)
        key = cache_key(model, identity, text, voice, take)
        known = self._cache.get(key)
        if known is not None:
            spoken = _spoken(known)
            if spoken is not None:
                return Fetched(key, spoken, identity, cached=True)
            self._cache.remove(key)
        try:
            fresh = self._host.speak(model, text, voice, self._cache.place_for(key), take)
            if self._host.identify(model, voice).reference_sha256 != identity.reference_sha256:
                fresh.path.unlink(missing_ok=True)  # nobody knows which of the two clips it speaks like
                raise SpeechFailure(
                    FailureKind.ENGINE,
                    model.repo_id,
                    f"{model.name}: The clip of its voice was replaced while it was cloned.",
                )
            meta = {name: value for name, value in asdict(fresh).items() if name not in ("path", "clip_sha256")}
            stored = self._cache.put(key, fresh.path, {**meta, "clip_sha256": fresh.clip_sha256}, fresh.clip_sha256)
        except OSError as error:
            raise ArenaError(
                f"A clip could not be stored: {error.strerror or error}.",
                "Make room on the disk, or move the data directory.",
            ) from error
        self._noted(model, identity, fresh)
        spoken = _spoken(stored)
        assert spoken is not None
        return Fetched(key, spoken, identity, cached=False)

    def _count(self, cached: int = 0, spoken: int = 0, failed: int = 0) -> None:
        with self._lock:
            now = self._counts
            self._counts = ClipCounts(now.cached + cached, now.spoken + spoken, now.failed + failed)


def cache_key(model: ModelSpec, identity: Identity, text: str, voice: Voice | None, take: int) -> str:
    """SHA-256 of everything that the sound depends on. Where the weights are not known by their hash, the model's name
    and files stand in. Where the roster lists no voices, ``files`` may name the one that speaks: two voices, or two
    blends of the same styles, can share all their weights.
    """
    spoken_as = plain_json(model.files.get("voice")) if voice is None else [voice.id, voice.transcript]
    unhashed = None if identity.weights_hash else [model.repo_id, plain_json(model.files)]
    return sha256_hex(
        canonical(
            {
                "engine": identity.engine,
                "engine_version": identity.engine_version,
                "weights": identity.weights_hash or unhashed,
                "revision": identity.revision,
                "settings": identity.settings_hash,
                "voice": spoken_as,
                "reference": identity.reference_sha256,
                "text": text,
                "take": take,
            }
        )
    )


def _spoken(clip: CachedClip) -> Spoken | None:
    """The clip as it was spoken, None if what lies beside it isn't what we write."""
    try:
        spoken = Spoken(path=clip.path, **clip.meta)
        numbers = (spoken.rate, spoken.frames, spoken.elapsed, spoken.rtf)
        return spoken if all(isinstance(number, (int, float)) and number >= 0 for number in numbers) else None
    except TypeError:
        return None
