from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.settings import RULES, Choice, Number, Settings, validated

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_every_setting_has_a_rule_that_its_default_passes_unchanged() -> None:
    assert set(RULES) == {one.name for one in fields(Settings)}
    for name, rule in RULES.items():
        default = getattr(Settings(), name)
        assert rule.check(default) == default
        assert type(rule.check(default)) is type(default)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gate", 1.01),
        ("gate", float("nan")),
        ("gate", True),
        ("gate", "0.9"),
        ("target_lufs", -40),
        ("volume_db", 6.5),
        ("reveal_set", 2.5),
        ("reveal_set", 10**400),
        ("theme", "pink"),
        ("theme", None),
        ("autoplay", 1),
        ("listener", "\ud800"),
        ("prompt_text", "x" * 9_000),
        ("disabled_models", "a/b"),
        ("disabled_models", [1]),
        ("output_device", 7),
    ],
)
def test_a_value_out_of_bounds_gives_way_to_the_default_and_is_named(name: str, value: Any) -> None:
    settings, problems = validated({name: value, "autoplay": False if name != "autoplay" else value})
    assert getattr(settings, name) == getattr(Settings(), name)
    assert len(problems) == 1
    assert name in problems[0]
    assert "must be" in problems[0]


def test_good_values_are_taken_and_strangers_are_left_alone() -> None:
    settings, problems = validated(
        {"gate": 1, "reveal": "set", "reveal_set": 5.0, "disabled_models": ["a/b", "a/b", "c/d"], "color": "blue"}
    )
    assert problems == ()
    assert settings == Settings(gate=1.0, reveal="set", reveal_set=5, disabled_models=("a/b", "c/d"))


def test_a_base_stands_in_for_what_is_missing_and_for_what_is_wrong() -> None:
    base = Settings(gate=0.5, theme="dark")
    settings, problems = validated({"gate": 7, "autoplay": False}, base)
    assert settings == Settings(gate=0.5, theme="dark", autoplay=False)
    assert "0.5" in problems[0]


@given(st.dictionaries(st.sampled_from(sorted(RULES)), JUNK))
def test_whatever_comes_in_settings_come_out_that_pass_their_rules(values: dict[str, Any]) -> None:
    settings, problems = validated(values)
    assert len(problems) <= len(values)
    again, none = validated({name: getattr(settings, name) for name in RULES})
    assert again == settings
    assert none == ()


def test_ranges_are_there_for_a_settings_page() -> None:
    target, gate, theme = RULES["target_lufs"], RULES["gate"], RULES["theme"]
    assert isinstance(target, Number)
    assert (target.low, target.high, target.unit) == (-36, -14, "LUFS")
    assert isinstance(gate, Number)
    assert (gate.low, gate.high) == (0, 1)
    assert isinstance(theme, Choice)
    assert theme.options == ("system", "light", "dark")
