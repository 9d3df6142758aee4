"""A log with one of everything: what counts, what doesn't and why, what is private, and what a spreadsheet fears."""

from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import private_hash
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.services.exchange import import_votes
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft, foreign_record, open_log, write_lines

QUESTION = "Which voice sounds more natural?"
MODELS = ("x/one", "x/two", "x/three")
RICH_ROSTER = Roster(
    {name: ModelSpec(name, name.upper(), tts_index=70 + place) for place, name in enumerate(MODELS)},
    {
        "english": ArenaSpec("english", MODELS, question=QUESTION),
        "german": ArenaSpec("german", MODELS[:2], question=QUESTION),
    },
)
SECRETS = (
    "secret own text",
    "5ec7e7" * 10 + "beef",
    "c11bac" * 10 + "aaaa",
    "c11bac" * 10 + "bbbb",
    "Secret Headphones",
    "a secret note",
    "the secret why",
    "secret in the original",
    "secret of an event",
    "secret name of a judge",
)
"""Own text, hashes of it and its clips, device, note, a retraction's note, what another program kept, an event's,
a listener's name in another program."""

ADA, BOB = "l-aaaaaaaaaaaaaaaa", "l-bbbbbbbbbbbbbbbb"
ELSEWHERE = "5c0cbb54-6d3c-4f43-9a4e-0000000000bb"
STUDY = {"id": "pilot", "plan_hash": "f" * 64, "trial": 4, "kind": "test"}


def cast(vote: str = "a", a: str = "x/one", b: str = "x/two", **changes: Any) -> dict[str, Any]:
    """The draft of a vote under the roster's question."""
    conditions = {"question": QUESTION, "gate": 0.9, "reveal": "each", "silent": False, "target_lufs": -23}
    return draft(
        vote=vote,
        model_a={"repo_id": a, "name": a.upper(), "device": "cpu", "rtf": 0.5, "take": 0, "clip_sha256": "a" * 64},
        model_b={"repo_id": b, "name": b.upper(), "device": "cpu", "rtf": 2, "take": 1, "clip_sha256": "b" * 64},
        conditions={**conditions, **changes.pop("conditions", {})},
        **changes,
    )


def rich_log(folder: Path) -> VoteLog:
    """The log, open. Eight votes count: six in ``english``, two in ``german``."""
    log = open_log(folder / "log")
    for vote, a, b in (("a", "x/one", "x/two"), ("b", "x/two", "x/three"), ("tie", "x/three", "x/one")):
        log.append_vote(cast(vote, a, b))
    log.append_vote(cast("both_bad", "x/one", "x/three", listener=BOB, study=STUDY))
    log.append_vote(cast("a", arena="german", listener=BOB))
    log.append_vote(
        cast(
            "b",
            "x/two",
            "x/one",
            prompt={"id": "own:0123456789ab", "sha256": SECRETS[1], "language": "en", "text": SECRETS[0]},
            private={"device": SECRETS[4], "note": SECRETS[5]},
        )
        | {
            "model_a": {"repo_id": "x/two", "clip_sha256": SECRETS[2]},
            "model_b": {"repo_id": "x/one", "clip_sha256": SECRETS[3]},
        }
    )
    gone = log.append_vote(cast("a"))
    log.append_retraction(gone["id"], ADA, "mistake", SECRETS[6])
    log.append_vote(cast("a", conditions={"silent": True}))
    log.append_vote(cast("a", conditions={"question": "Which is cuter?"}))
    log.append_vote(cast("a", "x/gone", "x/one"))
    log.append_vote(cast("a", "=cmd|'/c calc'!A0", "x/one", prompt={"id": "p", "text": '-5 °C,\n"so" he said\r\n\''}))
    log.append_vote(cast("a") | {"model_a": {"handle": "m1"}, "model_b": {"handle": "m2"}, "study": STUDY})
    twice = "01900000-0000-7000-8000-0000000000cc"
    write_lines(
        folder / "elsewhere.jsonl",
        _chain(
            {"rt": "odd", "listening": {"rt_ms": "soon", "heard_a": True}},
            {"id": twice, "vote": "a"},
            {"id": twice, "vote": "b"},
            {"id": twice[:-2] + "dd", "type": "event", "what": "unplugged", "said": SECRETS[8]},
            {"id": twice[:-2] + "ee", "at": "2026-03-01"},
        ),
    )
    old = {"arena": "german", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    write_lines(folder / "old.jsonl", [{**old, "at": "2025-02-03T04:05:06Z", "who": SECRETS[7]}])
    import_votes(log, [folder / "elsewhere.jsonl"], roster=RICH_ROSTER)
    import_votes(log, [folder / "old.jsonl"], roster=RICH_ROSTER, source="club")
    voted = {"model_a": "x/gone", "model_b": "x/one", "winner": "model_a", "judge": SECRETS[9], "tstamp": 1700000000}
    write_lines(folder / "battles.jsonl", [{**voted, "arena": "english", "language": "English"}])
    import_votes(log, [folder / "battles.jsonl"], roster=RICH_ROSTER, source="other club")
    return log


def _chain(*contents: dict[str, Any]) -> list[dict[str, Any]]:
    """Records of another station; what is ``said`` is private."""
    chain: list[dict[str, Any]] = []
    for seq, content in enumerate(contents, 1):
        private = {"salt": "00", "said": content.pop("said", None)}
        parts = {"private": private, "private_hash": private_hash(private)}
        before = chain[-1]["hash"] if chain else ""
        chain.append(foreign_record(station_id=ELSEWHERE, seq=seq, prev_hash=before, **parts, **content))
    return chain
