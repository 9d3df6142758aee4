"""What the Listen page says. One place, so that the same thing is always said in the same words."""

from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services.views import Line, RevealedModel, Tone

SIDE = {Side.A: "Sample A", Side.B: "Sample B"}


def sound_problem(status: PlayerStatus) -> Line | None:
    """The player's trouble in words, None when sound is well."""
    if status.state in (PlayerState.NO_DEVICE, PlayerState.LOST, PlayerState.FAILED):
        return Line(status.message, Tone.ERROR, status.remedy)
    if status.state is PlayerState.STARTING:
        return Line("Opening the sound device…")
    return None


def still_locked(side: Side | None) -> Line:
    """The answer to a vote that came too early."""
    if side is None:
        return Line("Listen to both samples first.", Tone.WARNING)
    return Line(f"{SIDE[side]} has not been heard far enough yet.", Tone.WARNING, f"Press {side.upper()} to play it.")


def listening(gate_open: bool, side: Side | None) -> Line:
    """What is asked of the listener while a battle is open."""
    if gate_open:
        return Line("Your vote: 1 for A, 2 for B, 3 for a tie, 4 if both are bad.")
    return Line(
        "Listen to both samples." if side is None else f"Listen to both samples; {SIDE[side]} is still to be heard."
    )


def reveal_sentences(vote: Vote, a: RevealedModel, b: RevealedModel) -> tuple[str, ...]:
    """What was voted, in a sentence (what it did to the ratings stands beside each name)."""
    said = {
        Vote.A: f"You preferred {a.name} over {b.name}.",
        Vote.B: f"You preferred {b.name} over {a.name}.",
        Vote.TIE: f"You heard {a.name} and {b.name} as equally good.",
        Vote.BOTH_BAD: f"You found both {a.name} and {b.name} bad; for the ratings that is a draw.",
    }
    return (said[vote],)


def trouble(what: str, error: Exception) -> Line:
    """An error in words: ``what`` did not work, and why."""
    if isinstance(error, ArenaError):
        return Line(f"{what}: {error.message}", Tone.ERROR, error.remedy)
    return Line(f"{what} ({type(error).__name__}: {error}).", Tone.ERROR, "The log file has the details.")
