"""What a roster file says of clips and of voices that are alike."""

import hashlib
import json
from pathlib import Path

from arena_desktop.domain.roster import roster_json
from arena_desktop.store.roster_file import load_roster, roster_faults

TEXT = """
models:
  - {repo_id: a/a, name: A, voices: [{id: me, audio: clips/me.wav}, {id: gone, audio: gone.wav}]}
  - {repo_id: b/b, name: B, voices: [{id: same, audio: copy.wav}]}
arenas:
  - {id: clones, models: [a/a, b/b], kind: cloned, match: [accent, gender]}
"""


def test_a_clip_is_known_by_its_content_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "clips").mkdir()
    for name in ("clips/me.wav", "copy.wav"):
        (tmp_path / name).write_bytes(b"sound")
    file = tmp_path / "roster.yaml"
    file.write_text(TEXT)
    roster = load_roster(tmp_path / "none.yaml", file)
    me, gone = roster.models["a/a"].voices
    assert me.clip == roster.models["b/b"].voices[0].clip == hashlib.sha256(b"sound").hexdigest()
    assert gone.clip is None
    assert roster.arenas["clones"].match == ("gender", "accent")
    again = tmp_path / "again.json"
    again.write_text(json.dumps(roster_json(roster)))
    assert load_roster(tmp_path / "none.yaml", again) == roster


def test_what_an_arena_can_not_match_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "roster.yaml"
    file.write_text(TEXT.replace("[accent, gender]", "[gender, age]"))
    (fault,) = roster_faults(tmp_path / "none.yaml", file)
    assert (fault.line, fault.message) == (6, 'match of the arena clones can\'t be "age"')
    assert fault.remedy == "write gender, accent, or both"
