"""What a reader of a board must not miss, in sentences."""

from collections.abc import Iterable, Mapping

from arena_desktop.domain.roster import ArenaSpec, Roster
from arena_desktop.services.board_fits import Rated
from arena_desktop.services.board_pool import BoardPool
from arena_desktop.services.left_out import left_out_notes

_PARTS = {"weights_hash": "weights", "settings_hash": "settings", "voice": "voice"}


def board_notes(
    roster: Roster,
    arena: ArenaSpec,
    pool: BoardPool,
    found: Rated,
    left_out: Mapping[str, int],
    strangers: Mapping[str, Iterable[str]],
) -> tuple[str, ...]:
    """The notes on one arena's board. ``left_out`` counts votes of the whole log by the reason why no board has
    them; ``strangers`` names the models and arenas among them that the roster lacks, by the same reasons.
    """
    votes = pool.arenas[arena.id]
    silent = sum(number for (_, is_silent), number in votes.conditions.items() if is_silent)
    notes = [found.problem] if found.problem else []
    if silent:
        notes.append(f"{_votes(silent)} here {_were(silent)} cast without sound (--silent).")
    notes += _islands(roster, arena, found)
    for repo_id, parts in votes.mixed_makes().items():
        what = " and ".join(_PARTS[part] for part in parts)
        changed = f"{roster.models[repo_id].name} was not the same in all votes: its {what} changed"
        notes.append(f"{changed}; the audit says how to tell its votes apart.")
    if votes.unnamed:
        name = "names" if votes.unnamed == 1 else "name"
        notes.append(f"{_votes(votes.unnamed)} here {name} no listener; those of one source count as one person's.")
    return (*notes, *left_out_notes(left_out, strangers))


def _islands(roster: Roster, arena: ArenaSpec, found: Rated) -> list[str]:
    if found.rating is None or len(found.rating.islands) < 2:
        return []
    groups = (
        ", ".join(roster.models[arena.models[position]].name for position in island) for island in found.rating.islands
    )
    return [f"These groups never met, so nothing is known between them: {' | '.join(groups)}."]


def _votes(number: int) -> str:
    return "1 vote" if number == 1 else f"{number:,} votes"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
