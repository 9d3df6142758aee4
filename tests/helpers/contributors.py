"""Fifty listeners on machines of their own, three of them none: their votes as real chained records."""

import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena_desktop.domain.canonical import uuid7
from arena_desktop.domain.records import Envelope, vote_record
from arena_desktop.domain.roster import ArenaSpec
from arena_desktop.domain.times import time_text
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.vote_table import VoteRow

MODELS = tuple(f"org/voice-{n}" for n in range(8))
ARENA = "english"
SCRIPT, SIDED, SWAPPED = 7, 19, 31
"""Which of the contributors play by script, vote for a side, and had another model under a known name."""


@dataclass(frozen=True)
class Crowd:
    """``votes`` of each of ``people``, drawn from ``seed``; ``faults`` are planted or not."""

    people: int = 50
    votes: int = 60
    seed: int = 1
    faults: bool = True

    def station(self, person: int) -> str:
        """The id of a person's machine."""
        return str(uuid.UUID(int=(self.seed << 64) + person + 1, version=4))

    def listener(self, person: int) -> str:
        """A person's pseudonym."""
        return "l-" + "".join(random.Random(f"{self.seed} {person}").choices("abcdefghijklmnopqrstuvwxyz234567", k=16))

    def logs(self) -> list[list[dict[str, Any]]]:
        """Each person's records."""
        panel = simulate(MODELS, self.people * self.votes, listeners=self.people, seed=self.seed)
        mine: list[list[VoteRow]] = [[] for _ in range(self.people)]
        for row, person in zip(panel.rows(), panel.listener.tolist(), strict=True):
            mine[person].append(row)
        return [list(self._records(person, rows)) for person, rows in enumerate(mine)]

    def _records(self, person: int, rows: Sequence[VoteRow]) -> Iterator[dict[str, Any]]:
        chance = random.Random(f"{self.seed} records {person}")
        script, sided, swapped = (self.faults and person == one for one in (SCRIPT, SIDED, SWAPPED))
        last, start = "", rows[0].at
        for number, row in enumerate(rows, 1):
            vote, at, rt = row.vote, row.at, max(250, round(chance.lognormvariate(7.2, 0.6)))
            if script:
                vote, at, rt = chance.choice(("a", "b")), start + number * 900_000, 3
            if sided and chance.random() < 0.9:
                vote = "a"
            draft = {
                "arena": ARENA,
                "vote": vote,
                **{f"model_{side}": _model(name, swapped=swapped) for side, name in (("a", row.a), ("b", row.b))},
                "prompt": {
                    "id": row.prompt,
                    "sha256": "c" * 64,
                    "category": row.category,
                    "language": "en",
                    "text": "Sentence. " * (row.length // 10),
                },
                "listener": self.listener(person),
                "session_id": row.session,
                "conditions": {"question": ArenaSpec.question, "gate": 0.9, "silent": False, "reveal": "each"},
                "listening": {
                    "first_played": "ab"[row.first],
                    "plays_a": 1,
                    "plays_b": 1,
                    "heard_a": 1 - 0.05 * chance.random(),
                    "heard_b": 1 - 0.05 * chance.random(),
                    "rt_ms": rt,
                    "reveals_before": row.reveals_before,
                },
                "policy": {"pair": row.policy, "probability": 1 / 28, "seed": f"{number}"},
                "app_version": "0.1",
            }
            salt = f"{chance.getrandbits(128):032x}"
            record_id = uuid7(at // 1000, chance.getrandbits(74))
            record = vote_record(draft, Envelope(record_id, self.station(person), number, time_text(at), last, salt))
            last = record["hash"]
            yield record


def _model(name: str, *, swapped: bool) -> dict[str, Any]:
    weights = f"{MODELS.index(name):064x}"
    if swapped and name == MODELS[2]:
        weights = "f" * 64
    return {
        "repo_id": name,
        "name": name,
        "weights_hash": weights,
        "settings_hash": "0" * 64,
        "device": "cpu",
        "rtf": 1,
    }


def roster_text() -> str:
    """The roster as a file."""
    models = "".join(f"  - {{repo_id: {name}, name: {name[4:]}}}\n" for name in MODELS)
    return f"schema: 1\nmodels:\n{models}arenas:\n  - {{id: {ARENA}, models: [{', '.join(MODELS)}]}}\n"
