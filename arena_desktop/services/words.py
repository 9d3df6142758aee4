"""What the Listen page says. One place, so that the same thing is always said in the same words."""

from collections.abc import Sequence

from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services.verdict_words import told
from arena_desktop.services.views import Line, RevealedModel, SetLine, Tone

WAITS_TO_BE_STORED = Line(
    "Your vote waits: an import is being stored.", remedy="It is stored as soon as that is done, even if you quit now."
)
NO_REFERENCE = "The battle goes on without it; the Models page says more once it is over."
SIDE = {Side.A: "Sample A", Side.B: "Sample B"}


def sound_problem(status: PlayerStatus) -> Line | None:
    """The player's trouble in words, None when sound is well."""
    if status.state in (PlayerState.NO_DEVICE, PlayerState.LOST, PlayerState.FAILED):
        return Line(status.message, Tone.ERROR, status.remedy)
    if status.state is PlayerState.STARTING:
        return Line("Opening the sound device…")
    return None


def still_locked(side: Side | None, playing: Side | None) -> Line:
    """The answer to a vote that came too early. ``playing``: the side that is playing now, which needs no key."""
    if side is None:
        return Line("Listen to both samples first.", Tone.WARNING)
    remedy = "It is playing." if playing is side else f"Press {side.upper()} to play it."
    return Line(f"{SIDE[side]} has not been heard far enough yet.", Tone.WARNING, remedy)


def listening(gate_open: bool, unheard: Sequence[Side]) -> Line:
    """What is asked of the listener while a battle is open. ``unheard``: the sides not yet heard far enough."""
    if gate_open:
        return Line("Your vote: 1 for A, 2 for B, 3 for a tie, 4 if both are bad.")
    if len(unheard) == 1:
        return Line(f"{SIDE[unheard[0]]} is still to be heard.")
    return Line("Listen to both samples.")


def reveal_sentences(vote: Vote, a: RevealedModel, b: RevealedModel) -> tuple[str, ...]:
    """What was voted, in a sentence (what it did to the ratings stands beside each name)."""
    first, second = told(a.name), told(b.name)
    said = {
        Vote.A: f"You preferred {first} over {second}.",
        Vote.B: f"You preferred {second} over {first}.",
        Vote.TIE: f"You heard {first} and {second} as equally good.",
        Vote.BOTH_BAD: f"You found both {first} and {second} bad; for the ratings that is a draw.",
    }
    return (said[vote],)


def taken_back(line: SetLine, names_held_back: bool) -> Line:
    """Which vote no longer counts; without names while those are held back."""
    if names_held_back:
        return Line("Taken back: your last vote no longer counts.")
    first, second = told(line.a), told(line.b)
    verdict = {
        Vote.A: f"{first} over {second}",
        Vote.B: f"{second} over {first}",
        Vote.TIE: f"{first} and {second} equally good",
        Vote.BOTH_BAD: f"{first} and {second} both bad",
    }
    return Line(f"Taken back: {verdict[line.vote]}. That vote no longer counts.")


def trouble(what: str, error: Exception) -> Line:
    """An error in words: ``what`` did not work, and why."""
    if isinstance(error, ArenaError):
        return Line(f"{what}: {error.message}", Tone.ERROR, error.remedy)
    return Line(f"{what} ({type(error).__name__}: {error}).", Tone.ERROR, "The log file has the details.")
