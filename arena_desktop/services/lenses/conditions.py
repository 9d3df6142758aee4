"""The circumstances of votes in words."""

from collections.abc import Iterable

from arena_desktop.ratings.vote_table import Condition

_REVEAL = {"each": "names shown after each vote", "set": "names shown after a set of votes"}
_PLAYBACK = {"start_over": "every press starts over", "same_position": "a change of side keeps the position"}
_HIDDEN = {True: "text hidden", False: "text shown"}


def question_words(condition: Condition) -> str:
    """What the listener was asked."""
    return "question not recorded" if condition.question is None else f"«{condition.question}»"


def circumstances(condition: Condition) -> tuple[str, ...]:
    """All but the question, each in words; what wasn't recorded is left out."""
    found = ["without sound"] if condition.silent else []
    for words, value in ((_REVEAL, condition.reveal), (_PLAYBACK, condition.playback)):
        if value is not None:
            found.append(words.get(value, value))
    if condition.text_hidden is not None:
        found.append(_HIDDEN[condition.text_hidden])
    if condition.gate is not None:
        found.append(f"{condition.gate:.0%} to be heard before a vote".replace("%", " %"))
    return tuple(found)


def condition_words(condition: Condition, others: Iterable[Condition]) -> str:
    """The condition in words: what isn't the same in all of ``others``; all of it where there are no others."""
    parts = (question_words(condition), *circumstances(condition))
    shared = [{question_words(other), *circumstances(other)} for other in others if other != condition]
    told = [part for part in parts if not shared or not all(part in known for known in shared)]
    return ", ".join(told) or "nothing recorded"
