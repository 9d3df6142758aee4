"""What competed, one line a system: which voice and which weights stood behind its name in the counted votes."""

from collections.abc import Iterable, Iterator

import numpy as np

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.exports.plain import counted, one_line

_SHOWN = 12  # characters of a hash


def systems(votes: ArenaVotes) -> Iterator[str]:
    """In the order of the roster."""
    table = votes.table
    for position, model in enumerate(votes.models):
        codes = np.concatenate([table.make_a[table.a == position], table.make_b[table.b == position]])
        makes = [table.makes[code] for code in np.unique(codes[codes >= 0])]
        facts = [f"parameters {one_line(model.params)}", f"licence {one_line(model.license or 'not recorded')}"]
        if len(codes):
            facts += [
                _one_or_more("voice", (make.voice for make in makes)),
                _one_or_more("weights", (make.weights_hash and make.weights_hash[:_SHOWN] for make in makes)),
                _one_or_more("settings", (make.settings_hash and make.settings_hash[:_SHOWN] for make in makes)),
            ]
        name = f"{one_line(model.name)} ({one_line(model.repo_id)})"
        yield f"- {name}: {counted(len(codes), 'battle')}; {', '.join(facts)}"


def _one_or_more(what: str, values: Iterable[str | None]) -> str:
    found = sorted({one_line(value) for value in values if value})
    return f"{what} {' and '.join(found) or 'not recorded'}"
