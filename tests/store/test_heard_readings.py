"""Which readings a listener has heard is read from the log: by voice, prompt and take, whoever was on which side."""

from pathlib import Path

from arena_desktop.store.heard import heard_readings
from tests.helpers.vote_logs import draft, open_log

ME, OTHER = "l-aaaaaaaaaaaaaaaa", "l-bbbbbbbbbbbbbbbb"


def side(repo_id: str, take: object, voice: str | None = None) -> dict[str, object]:
    return {"repo_id": repo_id, "name": repo_id, "voice": voice, "take": take}


def test_heard_readings_of_one_listener(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.append_vote(draft(model_a=side("x/one", 2, "anna"), model_b=side("x/two", 0)))
        log.append_vote(draft(model_a=side("x/two", 1), model_b=side("x/one", 2, "anna")))
        log.append_vote(draft(model_a=side("x/one", 1, "anna"), model_b=side("x/two", 1), listener=OTHER))
        taken_back = log.append_vote(draft(model_a=side("x/one", 0), model_b=side("x/two", None)))
        log.append_retraction(str(taken_back["id"]), ME, "mistake")
        assert heard_readings(log, ME, ["x/one"]) == {
            ("x/one", "anna", "en-short-001", 2): 2,
            ("x/one", None, "en-short-001", 0): 1,
        }
        assert heard_readings(log, ME, ["x/two"]) == {
            ("x/two", None, "en-short-001", 0): 1,
            ("x/two", None, "en-short-001", 1): 1,
        }
        assert heard_readings(log, "l-cccccccccccccccc", ["x/one", "x/two"]) == {}
