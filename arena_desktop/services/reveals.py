"""What is told after a vote: who played, and what the vote did."""

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services import words
from arena_desktop.services.battle_maker import PreparedBattle
from arena_desktop.services.battle_needs import Moves
from arena_desktop.services.views import RevealedModel, RevealView


def reveal_of(prepared: PreparedBattle, vote: Vote, moves: Moves | None) -> RevealView:
    """The reveal of a battle. ``moves``: Live Elo before and after, None where it follows later."""

    def side(side: Side) -> RevealedModel:
        model = prepared.model_a if side is Side.A else prepared.model_b
        before, after = (moves or {}).get(model.repo_id, (None, None))
        voice = prepared.plan.competitor(side).voice
        return RevealedModel(model.repo_id, model.name, voice, model.params, before, after, follows=moves is None)

    a, b = side(Side.A), side(Side.B)
    return RevealView(vote, a, b, words.reveal_sentences(vote, a, b))
