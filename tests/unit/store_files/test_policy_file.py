"""policy.yaml and aliases.yaml: what they say, and every fault with its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.policy import SPLIT_PARTS, Exclusion, Policy, policy_hash, policy_json
from arena_desktop.store.documents import read_text
from arena_desktop.store.policy_file import PolicyError, data_policy, load_policy
from arena_desktop.store.policy_reader import read_policy

STATION = "5c0cbb54-6d3c-4f43-9a4e-000000000001"
KEY = "A" * 43 + "="

WHOLE = f"""
schema: 1
aliases:
  Kokoro: org/kokoro
split:
  org/kokoro: [voice, weights_hash]
trusted_keys:
  {STATION}: {KEY}
exclusions:
  - {{listener: l-aaaaaaaaaaaaaaaa, station: {STATION}, reason: plays by script}}
  - {{arena: english, since: 2026-01-31, until: "2026-02-01T12:30", reason: a broken amplifier}}
listener_cap: 200
own_text: false
silent: false
"""


def written(folder: Path, text: str, name: str = "policy.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def faults(folder: Path, text: str) -> list[str]:
    path = written(folder, text)
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    return [str(fault).removeprefix(f"{path}, ") for fault in caught.value.faults]


def test_everything_that_a_policy_can_say(tmp_path: Path) -> None:
    assert load_policy(written(tmp_path, WHOLE)) == Policy(
        aliases={"Kokoro": "org/kokoro"},
        split={"org/kokoro": ("weights_hash", "voice")},
        trusted_keys={STATION: KEY},
        exclusions=(
            Exclusion("plays by script", station=STATION, listener="l-aaaaaaaaaaaaaaaa"),
            Exclusion(
                "a broken amplifier",
                arena="english",
                since="2026-01-31T00:00:00.000000Z",
                until="2026-02-01T12:30:00.000000Z",
            ),
        ),
        listener_cap=200,
        own_text=False,
        silent=False,
    )


def test_the_printed_policy_is_a_policy_file(tmp_path: Path) -> None:
    policy = load_policy(written(tmp_path, WHOLE))
    again = load_policy(written(tmp_path, json.dumps(policy_json(policy)), "policy.json"))
    assert again == policy
    assert policy_hash(again) == policy_hash(policy) != ""


def test_no_policy_has_no_hash(tmp_path: Path) -> None:
    assert data_policy(tmp_path / "policy.yaml", tmp_path / "aliases.yaml") == Policy()
    assert policy_hash(load_policy(written(tmp_path, "schema: 1\naliases: {}\nown_text: true\n"))) == ""


def test_aliases_have_a_file_of_their_own(tmp_path: Path) -> None:
    written(tmp_path, "listener_cap: 5\naliases: {one: org/one}\n")
    written(tmp_path, "aliases: {two: org/two, one: org/one}\n", "aliases.yaml")
    policy = data_policy(tmp_path / "policy.yaml", tmp_path / "aliases.yaml")
    assert (dict(policy.aliases), policy.listener_cap) == ({"one": "org/one", "two": "org/two"}, 5)
    (tmp_path / "policy.yaml").unlink()
    alone = data_policy(tmp_path / "policy.yaml", tmp_path / "aliases.yaml")
    assert len(alone.aliases) == 2
    assert policy_hash(alone) != policy_hash(policy)


def test_all_faults_come_at_once_with_lines_and_what_to_write(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        "aliases:\n"
        "  x/y: x/z\n"
        "  x/z: x/y\n"
        "  old: older\n"
        "split: {org/x: [weights]}\n"
        "trusted_keys: {me: AAAA}\n"
        "exclusions:\n"
        "  - {listener: l-a}\n"
        "  - {reason: no}\n"
        "  - {station: 12, reason: no}\n"
        "  - {vote: first, since: yesterday, reason: no}\n"
        "  - {since: 2026-02-01, until: 2026-01-01, reason: no}\n"
        "listener_cap: 0\n"
        "own_text: maybe\n"
        "silnt: true\n",
    )
    assert [fault.split(":")[0] for fault in found] == [
        f"line {line}" for line in (2, 3, 4, 5, 6, 8, 9, 10, 11, 11, 12, 13, 14, 15)
    ]
    assert all("; " in fault for fault in found)
    assert "did you mean weights_hash?" in found[3]
    assert "has no reason" in found[5]
    assert "names no votes" in found[6]
    assert "did you mean silent?" in found[-1]


@pytest.mark.parametrize(
    ("aliases", "said"),
    [
        ("{a: b/c, b/c: d/e}", "an alias itself; write a: d/e"),
        ("{a/a: a/a}", "leads round in a circle"),
        ("{a/b: c/d, c/d: e/f, e/f: a/b}", "leads round in a circle"),
    ],
)
def test_chains_and_circles_of_aliases_are_refused(tmp_path: Path, aliases: str, said: str) -> None:
    assert said in faults(tmp_path, f"aliases: {aliases}\n")[0]


def test_one_name_for_two_models_in_two_files(tmp_path: Path) -> None:
    written(tmp_path, "aliases: {one: org/one}\n")
    written(tmp_path, "\naliases: {one: org/two}\n", "aliases.yaml")
    with pytest.raises(PolicyError, match=r'aliases.yaml, line 2: "one" stands for "org/two" here and for "org/one"'):
        data_policy(tmp_path / "policy.yaml", tmp_path / "aliases.yaml")


def test_an_alias_is_not_split(tmp_path: Path) -> None:
    assert "split org/new instead" in faults(tmp_path, "aliases: {org/old: org/new}\nsplit: {org/old: voice}\n")[0]


@pytest.mark.parametrize("text", ["- 1\n", "{{", "aliases: 3\n", "schema: 9\n", "exclusions: [1]\n", "\x00", "a: [\n"])
def test_what_is_no_policy_is_a_fault_and_no_crash(tmp_path: Path, text: str) -> None:
    assert faults(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="can't be read"):
        load_policy(tmp_path / "none.yaml")


NAMES = st.from_regex(r"[a-z]{1,5}/[a-z]{1,5}", fullmatch=True)
WORDS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
TIMES = st.integers(1, 9).map(lambda day: f"2026-01-0{day}T00:00:00.000000Z")


@given(
    st.builds(
        Policy,
        aliases=st.dictionaries(WORDS, NAMES, max_size=3),
        split=st.dictionaries(
            NAMES,
            st.sets(st.sampled_from(SPLIT_PARTS), min_size=1).map(
                lambda parts: tuple(part for part in SPLIT_PARTS if part in parts)
            ),
            max_size=2,
        ),
        exclusions=st.lists(
            st.builds(Exclusion, reason=WORDS, listener=WORDS, model=st.none() | WORDS, since=st.none() | TIMES),
            max_size=3,
        ).map(tuple),
        listener_cap=st.none() | st.integers(1, 10**6),
        own_text=st.booleans(),
        silent=st.booleans(),
    )
)
def test_any_policy_survives_being_printed(policy: Policy) -> None:
    text = json.dumps(policy_json(policy))
    file = read_policy(read_text(text, "p.json"), Path("p.json"))
    assert not file.faults
    assert {alias.name: alias.stands_for for alias in file.aliases} == policy.aliases
    assert (file.split, tuple(file.exclusions)) == (policy.split, policy.exclusions)
    assert (file.listener_cap, file.own_text, file.silent) == (policy.listener_cap, policy.own_text, policy.silent)
