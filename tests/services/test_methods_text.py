"""The methods text: every count from the votes, what they don't say named as unknown."""

from typing import Any

from arena_desktop.services.board import Board
from arena_desktop.services.exports import board_export, board_report
from tests.helpers.boards import Records, board_of, roster_of, vote
from tests.helpers.vote_logs import foreign_record

NAMES = ("Ada", "Bob", "Cleo")


def methods(board: Board, method: str = "rating") -> str:
    return board_export(board_report(board, "", method), "methods").decode("utf-8")


def board_with(records: list[dict[str, Any]], **options: Any) -> Board:
    return Board(roster_of(NAMES), Records(records), **options)


def test_the_counts_of_a_small_panel() -> None:
    outcomes = ["a", "a", "b", "tie", "both_bad", "a"]
    records = [vote(place, "org/m-0", "org/m-1", outcome) for place, outcome in enumerate(outcomes)]
    records[5] = vote(
        5,
        "org/m-0",
        "org/m-1",
        "a",
        listener="l-aaaaaaaaaaaaaaaa",
        policy={"pair": "rank-gain"},
        at="2026-06-03T01:00:00.000000Z",
    )
    found = methods(board_with(records))
    for sentence in (
        "3 text-to-speech systems of the arena “English”",
        "2 of them took part in at least one counted vote.",
        "Question put to the listener: “Which?”.",
        "6 votes by 5 listeners known by pseudonym count; the effective number of listeners, ",
        "1 / Σ (share of votes)², is 4.5.",
        "Votes per listener: 1 to 2, median 1.",
        "4 votes preferred one sample (3 Sample A, 1 Sample B), 1 were ties and 1 both bad.",
        "1 of 3 possible pairs met; votes per pair that met: 6 each.",
        "First vote 2026-05-28, last vote 2026-06-03 (UTC).",
        "In 3 votes the listener had not yet seen the two names revealed, in 3 they had, 0 votes don't say.",
        "6 texts were read out.",
        "Categories of text: names (3; 50 %), short (3; 50 %).",
        "[BS1770]): −23 LUFS.",
        "had to be heard before a vote: 90 %.",
        "Rule that chose the pair, as recorded: uniform (5; 83 %), rank-gain (1; 17 %).",
        "Played first: Sample A (4; 67 %), Sample B (2; 33 %).",
        "No vote of this arena was taken back.",
        "fewer than 5 effective listeners",
        "Sessions: not recorded.",
        "Switching: not recorded.",
    ):
        assert sentence in found, sentence
    references = found.split("References\n")[1].split("\n\n")[0]
    assert {line.split("]")[0][1:] for line in references.splitlines()} == {
        "BS1770", "Bradley1952", "Sidak1967", "Wilson1927", "Genz2009",
    }  # fmt: skip


def test_retractions_and_what_is_left_out() -> None:
    records = [vote(place, "org/m-0", "org/m-1", "a") for place in range(4)]
    taken = foreign_record(
        type="retraction",
        id="01900000-0000-7000-8000-0000000000ff",
        seq=9,
        retracts=records[1]["id"],
        listener=records[1]["listener"],
        reason="mistake",
    )
    silent = vote(7, "org/m-0", "org/m-1", "a", conditions={"question": "Which?", "silent": True})
    other = vote(8, "org/m-0", "org/m-1", "a", conditions={"question": "Another?"})
    found = methods(board_with([*records, taken, silent, other]))
    assert "Taken back and therefore left out: 1 vote of this arena (1 mistake)." in found
    assert (
        "of this log: 1 vote under another question, 1 vote taken back, 1 vote cast without sound (--silent)."
    ) in found
    assert "3 votes by 3 listeners" in found
    assert "1 vote were cast" not in found
    heard = methods(board_with([*records, silent], silent=True))
    assert "1 vote was cast without any sound (--silent)" in heard


def test_what_votes_do_not_say_is_unknown() -> None:
    nothing: dict[str, Any] = dict.fromkeys(("listener", "prompt", "conditions", "listening", "policy"))
    records = [vote(place, "org/m-0", "org/m-1", "a", **nothing) for place in range(3)]
    found = methods(board_with(records))
    for sentence in (
        "3 votes by 0 listeners known by pseudonym and 3 votes that name no listener",
        "Question put to the listener: not recorded.",
        "The texts are not recorded.",
        "Rule that chose the pair, as recorded: not recorded.",
        "Played first: not recorded.",
        "[BS1770]): not recorded.",
        "0 they had, 3 votes don't say.",
    ):
        assert sentence in found, sentence


def test_panels_large_enough_are_clustered() -> None:
    found = methods(board_of(NAMES, 300))
    assert "listeners as clusters with the CR3 correction [Bell2002]; texts as clusters" in found
    assert "Quantiles are Student's t with" in found
    assert "all 3 pairs together with 95 %" in found


def test_each_method_is_described_and_cited() -> None:
    board = board_of(NAMES, 60)
    for method, work in (
        ("rating", "Bradley1952"),
        ("bt", "Bradley1952"),
        ("davidson", "Davidson1970"),
        ("elo", "Elo1978"),
    ):
        found = methods(board, method)
        assert found.count(f"[{work}]") == 2
        assert ("Uncertainty\n" in found) == (method != "elo")


def test_systems_are_named_with_voice_and_weights() -> None:
    make = {"voice": "v1", "weights_hash": "0123456789abcdef", "settings_hash": None}
    records = [
        vote(0, "org/m-0", "org/m-1", "a", model_a={"repo_id": "org/m-0", **make}),
        vote(1, "org/m-0", "org/m-1", "a", model_a={"repo_id": "org/m-0", **make, "voice": "v2"}),
    ]
    lines = methods(board_with(records)).splitlines()
    assert (
        "- Ada (org/m-0): 2 battles; parameters 10M, licence not recorded, voice v1 and v2, weights 0123456789ab,"
        " settings not recorded" in lines
    )
    assert "- Cleo (org/m-2): 0 battles; parameters 30M, licence not recorded" in lines


def test_what_the_checks_found_is_told() -> None:
    apart = [vote(place, *pair, "a") for place, pair in enumerate([("org/m-0", "org/m-1"), ("org/m-2", "org/m-3")] * 9)]
    report = board_report(Board(roster_of((*NAMES, "Dan")), Records(apart)))
    assert report.audit.lines[0].check == "islands"
    for form in ("methods", "html"):
        found = board_export(report, form).decode("utf-8")
        assert report.audit.lines[0].title in found
        assert report.audit.lines[0].found in found
        assert "Checked, and nothing found: " in found
    clean = methods(board_of(NAMES, 300))
    assert "Checks of the votes\n" in clean
