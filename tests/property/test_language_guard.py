"""Whatever roster and texts there are: no model is given a text in a language that it doesn't speak."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena_desktop.domain.planning import eligible
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.services.abilities import Abilities, language_of_texts
from arena_desktop.services.contexts import context_of
from arena_desktop.services.plan_queue import Context, PlanQueue
from arena_desktop.services.prompt_shelf import PromptShelf
from arena_desktop.services.views import PromptSource

TAGS = ["en", "en-GB", "de", "de-AT", "DE", "fr-fr", "es", "it", "ja"]
SHELF = PromptShelf(lambda: bytes(32))
LANGUAGES = st.lists(st.sampled_from(TAGS), max_size=2, unique=True).map(tuple)


def base(tag: str) -> str:
    return tag.split("-")[0].lower()


def may_speak(model: ModelSpec, arena: ArenaSpec, prompt: Prompt) -> bool:
    """Said anew, apart from the program: a model speaks what it names; one that names nothing speaks the arena's
    language, English in an arena without one. A text that nobody gave a language is the arena's.
    """
    if not prompt.language:
        return not arena.language
    own = {base(tag) for tag in model.language} or {base(arena.language or "en")}
    return base(prompt.language) in own


@st.composite
def rosters(draw: st.DrawFn) -> tuple[ArenaSpec, tuple[ModelSpec, ...]]:
    languages = draw(st.lists(LANGUAGES, min_size=2, max_size=5))
    models = tuple(ModelSpec(f"x/{number}", str(number), language=one) for number, one in enumerate(languages))
    arena = ArenaSpec("one", tuple(m.repo_id for m in models), language=draw(st.none() | st.sampled_from(TAGS)))
    return arena, models


def context_for(arena: ArenaSpec, models: tuple[ModelSpec, ...], source: PromptSource) -> Context | None:
    """What the window and ``render`` draw from; None where they refuse."""
    members = tuple(eligible(arena, models))
    if len(members) < 2:
        return None
    abilities = Abilities({}, {})
    try:
        taken = SHELF.take(source, language_of_texts(arena, members))
    except ArenaError:
        return None
    spoken = abilities.spoken_by_two(arena, members, taken.prompts)
    return context_of(arena, members, spoken, Settings(), abilities) if spoken else None


def check(context: Context) -> None:
    queue = PlanQueue(context)
    for _ in range(12):
        planned = queue.next()
        for side in (planned.plan.a, planned.plan.b):
            model = context.model(side.repo_id)
            assert may_speak(model, context.arena, planned.prompt), (model.language, planned.prompt.language)


@settings(max_examples=60, deadline=None)
@given(rosters(), st.sampled_from([None, "short", "numbers"]))
def test_built_in_texts(roster: tuple[ArenaSpec, tuple[ModelSpec, ...]], category: str | None) -> None:
    context = context_for(*roster, PromptSource(category=category))
    assume(context is not None)
    assert context is not None
    check(context)


@settings(max_examples=60, deadline=None)
@given(rosters(), st.lists(st.sampled_from(["", *TAGS]), min_size=1, max_size=8))
def test_packs_of_mixed_languages(
    tmp_path_factory: pytest.TempPathFactory, roster: tuple[ArenaSpec, tuple[ModelSpec, ...]], tags: list[str]
) -> None:
    path = tmp_path_factory.mktemp("pack") / "pack.csv"
    rows = [f"Text {number}.,{tag}\n" for number, tag in enumerate(tags)]
    path.write_text("text,language\n" + "".join(rows), encoding="utf-8")
    context = context_for(*roster, PromptSource(kind="file", path=str(path)))
    assume(context is not None)
    assert context is not None
    check(context)


@settings(max_examples=40, deadline=None)
@given(rosters())
def test_own_texts_are_in_the_language_of_the_arena(roster: tuple[ArenaSpec, tuple[ModelSpec, ...]]) -> None:
    context = context_for(*roster, PromptSource(kind="own", text="Anything at all."))
    assume(context is not None)
    assert context is not None
    check(context)


def test_what_was_prepared_for_other_languages_is_not_taken_up(tmp_path: Path) -> None:
    """The key of prepared battles changes with the languages of models, texts and arena."""
    models = (ModelSpec("x/a", "A", language=("en", "de")), ModelSpec("x/b", "B", language=("en", "de")))
    only_english = tuple(ModelSpec(m.repo_id, m.name, language=("en",)) for m in models)
    german, english = ArenaSpec("one", ("x/a", "x/b"), language="de"), ArenaSpec("one", ("x/a", "x/b"), language="en")
    found = [
        context_for(arena, members, PromptSource())
        for arena, members in ((german, models), (english, models), (english, only_english))
    ]
    assert None not in found
    assert len({context.key for context in found if context is not None}) == 3
    assert context_for(german, only_english, PromptSource()) is None
