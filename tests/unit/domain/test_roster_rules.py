import json

import pytest
import rfc8785

from arena_desktop.domain.roster import (
    ArenaSpec,
    ModelSpec,
    Roster,
    Voice,
    default_arena,
    is_repo_id,
    merged,
    roster_json,
    unknown_members,
)


def roster(*models: ModelSpec, arenas: tuple[ArenaSpec, ...] = ()) -> Roster:
    return Roster({model.repo_id: model for model in models}, {arena.id: arena for arena in arenas})


@pytest.mark.parametrize(
    "text",
    [
        "hexgrad/Kokoro-82M",
        "hexgrad/Kokoro-82M#af_heart",
        "o/r#en_US-joe-medium",
        "a_b/c.d-e#v1.0+int8",
        "local/joe#0123abcd",
        "2noise/ChatTTS",
    ],
)
def test_repo_ids_that_the_roster_takes(text: str) -> None:
    assert is_repo_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "owner",
        "owner/",
        "/repo",
        "owner/repo#",
        "owner/repo/more",
        "owner/repo#a#b",
        "owner /repo",
        "owner/repo\n",
        "../repo",
        "local/joe",
        "local/joe#0123ABCD",
        "local/joe#0123abc",
        "local/joe#heart",
        "öwner/repo",
        "o/" + "r" * 300,
    ],
)
def test_repo_ids_that_it_refuses(text: str) -> None:
    assert not is_repo_id(text)


def test_own_entries_replace_whole_and_in_place() -> None:
    shipped = roster(
        ModelSpec("a/a", "A", params="1B", language=("en",)),
        ModelSpec("b/b", "B"),
        arenas=(ArenaSpec("one", ("a/a", "b/b"), question="Which?"), ArenaSpec("two", ("b/b",))),
    )
    own = roster(ModelSpec("a/a", "Mine"), ModelSpec("c/c", "C"), arenas=(ArenaSpec("one", ("c/c",)),))

    result = merged(shipped, own)

    assert list(result.models) == ["a/a", "b/b", "c/c"]
    assert result.models["a/a"] == ModelSpec("a/a", "Mine")
    assert list(result.arenas) == ["one", "two"]
    assert result.arenas["one"] == ArenaSpec("one", ("c/c",))


def test_the_first_arena_is_the_default() -> None:
    first, second = ArenaSpec("z", ("a/a",)), ArenaSpec("a", ("a/a",))
    assert default_arena(roster(arenas=(first, second))) is first
    assert default_arena(roster()) is None


def test_unknown_members_are_found() -> None:
    some = roster(ModelSpec("a/a", "A"), arenas=(ArenaSpec("one", ("a/a", "x/x")),))
    assert unknown_members(some) == [("one", "x/x")]


def test_roster_json_writes_every_default_out() -> None:
    value = roster_json(
        roster(
            ModelSpec("a/a", "A", params_m=82.0, tts_index=84.5, voices=(Voice("v", audio="v.wav"),)),
            arenas=(ArenaSpec("one", ("a/a",), title="One"),),
        )
    )
    assert value == {
        "schema": 1,
        "models": [
            {
                "repo_id": "a/a",
                "name": "A",
                "params": "unknown",
                "params_m": 82,
                "tts_index": 84.5,
                "tts_index_source": None,
                "engine": None,
                "files": {},
                "voices": [{"id": "v", "audio": "v.wav", "transcript": None, "gender": None, "accent": None}],
                "language": [],
                "license": None,
                "settings": {},
                "python": None,
            }
        ],
        "arenas": [
            {
                "id": "one",
                "title": "One",
                "language": None,
                "kind": "preset",
                "question": "Which voice sounds more natural?",
                "match": [],
                "models": ["a/a"],
            }
        ],
    }


def test_equal_rosters_have_one_canonical_form_wherever_they_lie() -> None:
    one = roster(ModelSpec("a/a", "A", params_m=82.0, settings={"x": 1.0, "y": [2.0, "z"]}, base="/home/one"))
    two = roster(ModelSpec("a/a", "A", params_m=82, settings={"y": (2, "z"), "x": 1}, base="/home/two"))

    canonical = rfc8785.dumps(roster_json(one))

    assert canonical == rfc8785.dumps(roster_json(two))
    assert canonical == json.dumps(roster_json(two), sort_keys=True, separators=(",", ":")).encode()


def test_huge_whole_numbers_stay_floats() -> None:
    settings = roster_json(roster(ModelSpec("a/a", "A", settings={"x": 2.0**60, "y": 2.0**40})))["models"][0][
        "settings"
    ]
    assert isinstance(settings["x"], float)
    assert isinstance(settings["y"], int)
    rfc8785.dumps(settings)


def test_every_field_of_a_model_changes_the_canonical_form() -> None:
    plain = ModelSpec("a/a", "A")
    others = [
        ModelSpec("a/b", "A"),
        ModelSpec("a/a", "B"),
        ModelSpec("a/a", "A", params="1B"),
        ModelSpec("a/a", "A", params_m=1),
        ModelSpec("a/a", "A", tts_index=0),
        ModelSpec("a/a", "A", tts_index_source="x"),
        ModelSpec("a/a", "A", engine="x"),
        ModelSpec("a/a", "A", files={"path": "x"}),
        ModelSpec("a/a", "A", voices=(Voice("x"),)),
        ModelSpec("a/a", "A", language=("en",)),
        ModelSpec("a/a", "A", license="x"),
        ModelSpec("a/a", "A", settings={"x": 1}),
        ModelSpec("a/a", "A", python="x"),
    ]
    forms = {rfc8785.dumps(roster_json(roster(model))) for model in [plain, *others]}
    assert len(forms) == 1 + len(others)
