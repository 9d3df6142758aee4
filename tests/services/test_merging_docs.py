"""The example of a policy in the documents is one."""

import re
from pathlib import Path

from arena_desktop.store.policy_file import load_policy

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_policy_loads_and_uses_everything(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "merging.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- policy.yaml -->\n```yaml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    file = tmp_path / "policy.yaml"
    file.write_text(found[1], encoding="utf-8")
    policy = load_policy(file)
    assert policy.aliases
    assert policy.split
    assert policy.trusted_keys
    assert len(policy.exclusions) == 2
    assert policy.listener_cap == 500
