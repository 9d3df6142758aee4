"""Real checks from end to end: does what must work together work on this machine.

Each has a throw-away folder; nothing of the user's is touched. A check that fails says why, and the others go on.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.engines.types import Missing, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.doctor import counted

if TYPE_CHECKING:
    from arena_desktop.audio.types import Clip

WORD = "Hello."
SPEED_OF_SOUND = 50.0
"""How much faster than real time the silent player's clock runs here."""


@dataclass(frozen=True)
class Check:
    """What one check found: ``detail`` is a sentence, or why it failed."""

    name: str
    ok: bool
    detail: str


class Failed(ArenaError):
    """Something did not come out as it must."""


class Host(Protocol):
    """The speech host, as far as it is tried here."""

    def check(self, model: ModelSpec) -> Sequence[Missing]: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...


class SelfTest:
    """``roster`` reads the effective roster, ``host`` makes the speech host; both may raise."""

    def __init__(self, roster: Callable[[], Roster], host: Callable[[], Host]) -> None:
        self._roster = roster
        self._host = host
        self._clips: list[Clip] = []

    def run(self) -> Iterator[Check]:
        """Every check in order, each as soon as it is done."""
        checks: dict[str, Callable[[Path], str]] = {
            "settings": check_settings,
            "database": check_database,
            "ratings": check_ratings,
            "prompts": check_prompts,
            "roster": self._check_roster,
            "speech": self._check_speech,
            "levels": self._check_levels,
            "player": self._check_player,
        }
        with tempfile.TemporaryDirectory(prefix="arena-selftest-") as scratch:
            for name, check in checks.items():
                folder = Path(scratch, name)
                folder.mkdir()
                yield _outcome(name, check, folder)

    def _check_roster(self, folder: Path) -> str:
        roster = self._roster()
        return counted(roster)

    def _check_speech(self, folder: Path) -> str:
        """One model of every engine that is ready says one word."""
        from arena_desktop.audio.clip_file import read_clip

        host, spoken = self._host(), []
        for number, model in enumerate(_one_of_each_engine(self._roster(), host)):
            out = folder / f"{number}.wav"
            host.speak(model, WORD, model.voices[0] if model.voices else None, out)
            self._clips.append(read_clip(out))
            spoken.append(str(model.engine))
        if not spoken:
            raise Failed("No model is ready, so nothing can be heard.", "arena-desktop doctor says what is missing.")
        return f"the engines {', '.join(spoken)} said a word"

    def _check_levels(self, folder: Path) -> str:
        from arena_desktop.audio.levels import TOLERANCE_LU, prepare_pair

        pair = prepare_pair(*self._two_clips())
        if pair.lufs_a is not None and pair.lufs_b is not None and abs(pair.lufs_a - pair.lufs_b) > TOLERANCE_LU:
            raise Failed(f"Two clips came out at {pair.lufs_a:.2f} and {pair.lufs_b:.2f} LUFS.")
        return f"two clips are alike after {pair.gain_a_db:+.1f} and {pair.gain_b_db:+.1f} dB"

    def _check_player(self, folder: Path) -> str:
        from arena_desktop.audio.levels import prepare_pair
        from arena_desktop.audio.silent import SilentPlayer

        pair = prepare_pair(*self._two_clips())
        ticks = itertools.count()
        player = SilentPlayer(SPEED_OF_SOUND, clock=lambda: next(ticks) / 100)
        player.start()
        player.load(pair)
        enough = 10 + int((len(pair.a) + len(pair.b)) / pair.rate / SPEED_OF_SOUND * 100)
        try:
            for side in Side:
                player.play(side)
                for _ in range(enough):
                    player.status()
            status = player.status()
        finally:
            player.close()
        if status.heard_a < 1 or status.heard_b < 1:
            raise Failed(f"Only {status.heard_a:.0%} and {status.heard_b:.0%} of two clips were played.")
        return "both clips of a pair were played to the end"

    def _two_clips(self) -> "tuple[Clip, Clip]":
        """What was spoken, else (and besides) tones: these checks must say something even where no voice is ready."""
        first, second = [*self._clips, _tone(220.0, 0.1), _tone(330.0, 0.4)][:2]
        return first, second


def _outcome(name: str, check: Callable[[Path], str], folder: Path) -> Check:
    try:
        return Check(name, True, check(folder))
    except ArenaError as error:
        return Check(name, False, str(error))
    except Exception as error:  # whatever breaks here is the finding
        return Check(name, False, f"{type(error).__name__}: {error}")


def _one_of_each_engine(roster: Roster, host: Host) -> Iterator[ModelSpec]:
    seen: set[str] = set()
    for model in roster.models.values():
        if model.engine is not None and model.engine not in seen and not host.check(model):
            seen.add(model.engine)
            yield model


def _tone(frequency: float, amplitude: float) -> "Clip":
    import numpy as np

    from arena_desktop.audio.types import RATE, Clip

    moments = np.arange(RATE) / RATE
    return Clip((amplitude * np.sin(2 * np.pi * frequency * moments)).astype(np.float32), RATE)


def check_settings(folder: Path) -> str:
    """Settings come back as they were written."""
    from arena_desktop.store.settings_file import SettingsFile

    path, changed = folder / "settings.json", Settings(gate=0.8, theme="dark")
    SettingsFile(path).save(changed)
    if SettingsFile(path).load() != changed:
        raise Failed("Settings did not come back as they were written.")
    return "settings are kept"


def check_database(folder: Path) -> str:
    """Votes and a retraction are found again after closing and their chain verifies; their export is the same log."""
    from arena_desktop.services.exchange import export_votes, import_votes, verify_log
    from arena_desktop.store.vote_log import VoteLog

    first, export = folder / "votes.sqlite", folder / "votes.jsonl"
    wanted = len(Vote) + 1
    with VoteLog.open(first) as log:
        for vote in Vote:
            last = log.append_vote(_draft(vote))
        log.append_retraction(last["id"], last["listener"], "undo")
    with VoteLog.open(first) as log, VoteLog.open(folder / "second.sqlite") as other:
        report = verify_log(log)
        if not report.ok or report.records != wanted:
            faults = "; ".join(fault.fault for fault in report.faults)
            raise Failed(f"{report.records} of {wanted} records were found again. {faults}")
        export_votes(log, export)
        import_votes(other, [export], roster=Roster({}, {}))
        if other.log_hash() != log.log_hash():
            raise Failed("A log that was exported and imported is not the same log.")
    _check_that_edits_show(export)
    return f"{wanted} records are kept, exported, imported, and their chain verifies"


def _check_that_edits_show(export: Path) -> None:
    from arena_desktop.services.exchange import verify_files

    edited = export.with_name("edited.jsonl")
    edited.write_bytes(export.read_bytes().replace(b'"vote":"tie"', b'"vote":"a"'))
    if not verify_files([export]).ok or verify_files([edited]).ok:
        raise Failed("A vote that was changed afterwards can't be told from one that was not.")


def _draft(vote: Vote) -> dict[str, object]:
    return {
        "arena": "selftest",
        "vote": vote.value,
        "listener": "l-aaaaaaaaaaaaaaaa",
        "model_a": {"repo_id": "selftest/one"},
        "model_b": {"repo_id": "selftest/two"},
        "conditions": {"silent": True},
    }


LIVE_ELO_AFTER_ONE_VOTE = 1060.770977859174, 919.2290221408259
"""Two models with the indices 87.5 and 74 after the first one won."""
RATING_AFTER_ONE_VOTE = 1087.0438232669294, 892.9561767330706


def check_ratings(folder: Path) -> str:
    """One vote, rated both ways, gives the numbers that the rules say."""
    from arena_desktop.ratings import EloStore, fit_bradley_terry, prior_elo

    one, two = "selftest/one", "selftest/two"
    indices = {one: 87.5, two: 74.0}
    models = [
        {"repo_id": name, "name": name, "params": "unknown", "params_m": 0, "tts_index": index}
        for name, index in indices.items()
    ]
    store = EloStore(models, {"selftest": [one, two]})
    moved = store.record_vote("selftest", one, two, "a")
    live = moved[one]["after"], moved[two]["after"]
    priors = {name: prior_elo(index) for name, index in indices.items()}
    fitted = fit_bradley_terry([(one, two, 1.0, 1.0)], priors)
    for got, wanted, tolerance in (
        (live, LIVE_ELO_AFTER_ONE_VOTE, 1e-9),
        ((fitted[one], fitted[two]), RATING_AFTER_ONE_VOTE, 1e-6),
    ):
        if any(abs(have - want) > tolerance for have, want in zip(got, wanted, strict=True)):
            raise Failed(f"One vote was rated {got} in place of {wanted}.")
    return "one vote gives the ratings that the rules say"


def check_prompts(folder: Path) -> str:
    """The built-in prompts can be read."""
    from arena_desktop.store.prompt_files import built_in_prompts

    return f"{len(built_in_prompts())} prompts"
