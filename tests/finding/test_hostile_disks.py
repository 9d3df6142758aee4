"""Disks that are strange, huge or hostile: a search ends, says what it left out, and runs nothing."""

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.find_models import Finder, FoundState, Limits
from arena_desktop.services.finders.folder import Folder, listed
from arena_desktop.services.finders.mounts import other_mounts
from arena_desktop.services.finders.walk import Walk
from arena_desktop.store.model_card import NO_CARD, read_card
from tests.helpers.disk_models import piper_voice, safetensors


class Trap:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, (self._mark,))


CONFIGS = {
    "list": b"[1, 2]",
    "number": b'{"model_type": 7}',
    "deep": b'{"model_type": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "huge": b'{"model_type": "vits", "x": "' + b"y" * 5_000_000 + b'"}',
    "long number": b'{"model_type": "vits", "num_speakers": ' + b"9" * 10_000 + b"}",
    "no text": b"\xff\xfe\x00{",
    "empty": b"",
    "names": json.dumps({"model_type": "vi\u202ets\n\x1b[31m" + "z" * 100_000}).encode(),
    "speakers": b'{"model_type": "vits", "num_speakers": 1000000000}',
    "infinite": b'{"model_type": "vits", "num_speakers": Infinity}',
}


@pytest.mark.parametrize("what", CONFIGS)
def test_no_configuration_stops_a_search(tmp_path: Path, what: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "config.json").write_bytes(CONFIGS[what])
    (tmp_path / "a" / "model.safetensors").write_bytes(safetensors())
    piper_voice(tmp_path / "b")
    found = Finder().find([tmp_path]).found
    assert "Piper joe (medium)" in [one.title for one in found]
    assert all(len(one.kind) < 300 and len(one.voices) <= 200 for one in found)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("list", "holds no object but a list"),
        ("number", "names no model_type"),
        ("deep", "is nested too deep"),
        ("huge", "has more than 4 MB"),
        ("long number", "is no JSON"),
        ("no text", "is no UTF-8 text"),
        ("empty", "is no JSON"),
        ("a pipe", "is a pipe"),
        ("a folder", "is a folder"),
        ("nowhere", "is a link that leads nowhere"),
        ("a circle", "a link in a circle"),
        ("a device", "is a pipe, a device"),
    ],
)
@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_weights_whose_description_is_odd_are_listed_with_what_is_wrong_with_it(
    tmp_path: Path, what: str, words: str, weights: str
) -> None:
    config = tmp_path / "config.json"
    made: dict[str, Callable[[], object]] = {
        "a pipe": lambda: os.mkfifo(config),
        "a folder": config.mkdir,
        "nowhere": lambda: config.symlink_to("gone"),
        "a circle": lambda: config.symlink_to("config.json"),
        "a device": lambda: config.symlink_to("/dev/zero"),
    }
    made.get(what, lambda: config.write_bytes(CONFIGS[what]))()
    (tmp_path / weights).write_bytes(bytes(200_000))
    [found] = Finder().find([tmp_path]).found
    assert (found.state, found.speech) == (FoundState.CANT, True)
    assert words in found.reason


def test_pipes_in_the_place_of_descriptions_are_not_waited_for(tmp_path: Path) -> None:
    for name in ("config.json", "index.csv", "voice.onnx.json", "MODEL_CARD", "README.md"):
        os.mkfifo(tmp_path / name)
    piper_voice(tmp_path)
    assert [one.title for one in Finder().find([tmp_path]).found] == ["Piper joe (medium)"]


def test_descriptions_of_voices_may_hold_anything(tmp_path: Path) -> None:
    piper_voice(tmp_path, "one", num_speakers="many", speaker_id_map=[1, 2], language=7, espeak=None)
    piper_voice(tmp_path, "two", num_speakers=2, speaker_id_map={"a\nb": 0, "\u202e": 1, "c": 2, "": 3})
    piper_voice(tmp_path, "three", phoneme_id_map="none")
    found = {one.title: one for one in Finder().find([tmp_path]).found}
    assert found["Piper one"].voices == ()
    assert [voice.id for voice in found["Piper two"].voices] == ["c"]
    assert "Piper three" not in found


def test_nothing_found_is_unpickled(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "config.json").write_text('{"model_type": "vits"}', encoding="utf-8")
    trap = pickle.dumps(Trap(str(mark))) + b"\0" * 200_000
    for name in ("pytorch_model.bin", "voice.pth", "voice.ckpt"):
        (tmp_path / "m" / name).write_bytes(trap)
    (tmp_path / "loose.pt").write_bytes(trap)
    found = Finder().find([tmp_path]).found
    assert found
    assert all(one.state is FoundState.CANT for one in found)
    assert not mark.exists()


def test_links_in_a_circle_are_walked_once_and_things_are_found_once(tmp_path: Path) -> None:
    piper_voice(tmp_path / "a" / "b")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "self").symlink_to("self")
    (tmp_path / "again").symlink_to(tmp_path / "a")
    findings = Finder().find([tmp_path, tmp_path / "again"])
    assert [one.title for one in findings.found] == ["Piper joe (medium)"]
    assert findings.folders == 3


def test_links_up_and_out_are_passed_by_and_counted(tmp_path: Path) -> None:
    inside, beside = tmp_path / "named" / "in", tmp_path / "beside"
    piper_voice(beside)
    piper_voice(tmp_path / "above", "above")
    inside.mkdir(parents=True)
    leading = {"up": "..", "root": "/proc/self/root", "all": "/", "system": "/proc", "task": "/proc/self"}
    for name, target in leading.items():
        (inside / name).symlink_to(target)
    (inside / "voices").symlink_to(beside)
    findings = Finder().find([tmp_path / "named"])
    assert [one.title for one in findings.found] == ["Piper joe (medium)"]
    assert findings.folders == 3
    assert findings.notes == ("5 links were not followed: to a folder above, of the system, or of another machine.",)


def test_a_folder_of_another_machine_is_passed_by_wherever_a_link_leads_there(tmp_path: Path) -> None:
    piper_voice(tmp_path / "far" / "share")
    piper_voice(tmp_path / "far" / "near", "near")
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "link").symlink_to(tmp_path / "far")
    (tmp_path / "named" / "share").symlink_to(tmp_path / "far" / "share")
    seen: list[Path] = []

    def look(folder: Folder) -> bool:
        seen.append(folder.path)
        return True

    walk = Walk(
        look,
        limits=Limits(),
        clock=lambda: 0.0,
        progress=lambda folders: None,
        elsewhere=frozenset({str(tmp_path / "far" / "share")}),
    )
    walk.through([tmp_path / "named"])
    assert seen == [tmp_path / "named", tmp_path / "named" / "link", tmp_path / "named" / "link" / "near"]


def test_what_cant_be_opened_is_counted_and_what_isnt_there_is_named(tmp_path: Path) -> None:
    findings = Finder().find([tmp_path / "gone", tmp_path])
    assert any("gone can't be looked into" in note for note in findings.notes)


def test_limits_end_a_search_and_say_so(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
    few = Finder(limits=Limits(folders=10)).find([tmp_path])
    assert few.folders == 10
    assert "The search stopped after 10 folders" in few.notes[0]
    ticks = iter(range(1000))
    late = Finder(limits=Limits(seconds=5), clock=lambda: float(next(ticks))).find([tmp_path])
    assert late.folders < 10
    assert "after 5 s" in late.notes[0]
    deep = tmp_path / "x"
    for _ in range(12):
        deep = deep / "y"
    piper_voice(deep)
    assert not Finder().find([tmp_path]).found
    assert Finder().find([deep]).found


def test_a_folder_with_very_many_files_is_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        (tmp_path / f"{number}.txt").touch()
    monkeypatch.setattr("arena_desktop.services.finders.walk.listed", _listed_of_ten)
    findings = Finder().find([tmp_path])
    assert "very many files" in findings.notes[0]


def _listed_of_ten(path: Path) -> object:
    return listed(path, 10)


def test_a_search_can_be_ended_by_its_progress(tmp_path: Path) -> None:
    seen: list[int] = []

    def stop(folders: int) -> None:
        seen.append(folders)
        if folders == 3:
            raise Cancelled

    for number in range(9):
        (tmp_path / f"d{number}").mkdir()
    with pytest.raises(Cancelled):
        Finder().find([tmp_path], stop)
    assert seen == [1, 2, 3]


def test_folders_on_other_machines_are_passed_by_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piper_voice(tmp_path / "far away" / "deep")
    mounts = tmp_path / "mounts"
    far = str(tmp_path / "far away").replace(" ", "\\040")
    mounts.write_text(f"server:/x {far} nfs4 rw 0 0\n/dev/sda1 / ext4 rw 0 0\nbroken\n", encoding="utf-8")
    assert other_mounts(mounts) == frozenset({str(tmp_path / "far away")})
    assert other_mounts(tmp_path / "none") == frozenset()
    elsewhere = other_mounts(mounts)
    monkeypatch.setattr("arena_desktop.services.find_models.other_mounts", lambda: elsewhere)
    assert not Finder().find([tmp_path]).found
    assert Finder().find([tmp_path / "far away"]).found


def test_a_name_that_no_roster_can_hold_is_refused(tmp_path: Path) -> None:
    model = piper_voice(tmp_path / "a\u202eb")
    found = Finder().find([tmp_path]).found
    assert [one.path for one in found] == [str(model)]
    assert found[0].state is FoundState.CANT
    assert "rename" in found[0].reason


CARDS = {
    "bomb": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nlicense: mit\nlanguage: [*c]\n",
    "merge": "base: &b {license: mit}\n<<: *b\n",
    "date": "license: 2024-99-99\n",
    "wrong": "license: {a: b}\nlanguage: {a: b}\npipeline_tag: [x]\n",
    "broken": "license: [unclosed\n",
    "python": "license: !!python/object/apply:os.mkdir ['/nonexistent']\n",
    "control": 'license: "mit\\e[31m\\nmore"\n',
}


@pytest.mark.parametrize("what", CARDS)
def test_no_card_can_do_harm(tmp_path: Path, what: str) -> None:
    (tmp_path / "README.md").write_text(f"---\n{CARDS[what]}---\n# T\n", encoding="utf-8")
    card = read_card(tmp_path)
    assert "\x1b" not in card.license
    assert "\n" not in card.license
    assert len(card.license) <= 200


def test_a_card_may_be_missing_huge_or_no_file(tmp_path: Path) -> None:
    assert read_card(tmp_path) == NO_CARD
    (tmp_path / "README.md").mkdir()
    assert read_card(tmp_path) == NO_CARD
    (tmp_path / "README.md").rmdir()
    os.mkfifo(tmp_path / "README.md")
    assert read_card(tmp_path) == NO_CARD
    (tmp_path / "README.md").unlink()
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n" + "x" * 10_000_000, encoding="utf-8")
    assert read_card(tmp_path).license == "mit"


def test_folders_that_cant_be_opened_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("locked", "private", "open"):
        (tmp_path / name).mkdir()
    piper_voice(tmp_path / "open")

    def refusing(path: Path) -> object:
        if path.name in ("locked", "private"):
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr("arena_desktop.services.finders.walk.listed", refusing)
    findings = Finder().find([tmp_path])
    assert len(findings.found) == 1
    assert findings.notes == ("2 folders were left out: they can't be opened.",)
