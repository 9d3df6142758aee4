"""What was found in files of votes, in sentences."""

from collections.abc import Iterable, Iterator, Mapping

from arena_desktop.services.exports.plain import counted
from arena_desktop.services.import_findings import ImportFindings, Mixed, Value, Variant
from arena_desktop.store.arrived_chains import ChainFound

_FEW = 5
_CONDITIONS: Mapping[str, str] = {
    "question": "the question",
    "silent": "playing into nothing (--silent)",
    "gate": "the share that must be heard",
    "playback": "the way of playing",
    "autoplay": "playing by itself",
    "reveal": "when names are shown",
    "text_hidden": "hiding the text",
    "target_lufs": "the loudness",
}
_PARTS: Mapping[str, str] = {"weights_hash": "weights", "voice": "voices", "settings_hash": "settings"}


def finding_sentences(findings: ImportFindings) -> list[str]:
    """What a person should read before or after an import: first what there is, then what doesn't fit together."""
    return [*_what(findings), *chain_sentences(findings), *_forks(findings), *_clocks(findings), *_mixtures(findings)]


def plain_sentences(findings: ImportFindings) -> list[str]:
    """Those of them that only say what there is."""
    return list(_what(findings))


def _what(findings: ImportFindings) -> Iterator[str]:
    if not findings.votes:
        return
    arenas = _listed(f"{arena} ({votes})" for arena, votes in findings.arenas)
    parts = [f"{_count(findings.votes, 'vote')} in {arenas or 'no arena'}"]
    if findings.listeners:
        parts.append(f"by {_count(len(findings.listeners), 'listener')}")
    if findings.stations:
        parts.append(f"from {_count(len(findings.stations), 'station')}")
    if findings.first:
        parts.append(f"{findings.first[:10]} to {findings.last[:10]}")
    yield ", ".join(parts) + "."
    if findings.legacy:
        yield f"{counted(findings.legacy, 'record')} came from other programs: no chain vouches for them."
    if findings.signed:
        signed = f"{findings.signed:,} of {counted(findings.records, 'record')}"
        yield f"{signed} {'is' if findings.signed == 1 else 'are'} signed (votes verify says by whom)."


def chain_sentences(findings: ImportFindings, check: str = "votes verify FILE") -> Iterator[str]:
    """Which records hang in no chain, or don't fit the one they name; ``check``: the command that names each."""
    if findings.outside:
        have = "1 record has" if findings.outside == 1 else f"{findings.outside:,} records have"
        yield f"{have} no place in any station's chain (no proper station_id or seq): {check} says which."
    broken = [chain for chain in findings.chains if chain.broken]
    for chain in broken[:_FEW]:
        yield f"{_broken(chain)}: something was edited, slipped in, or made anew. {check} says which."
    yield from _rest(len(broken), "stations whose records don't fit together")


def _broken(chain: ChainFound) -> str:
    station, first = chain.station_id[:8], chain.first_broken
    if chain.broken == 1:
        return f"1 record of station {station} doesn't fit the record before it (seq {first})"
    return f"{chain.broken:,} records of station {station} don't fit the record before them (the first: seq {first})"


def _forks(findings: ImportFindings) -> Iterator[str]:
    forked = [chain for chain in findings.chains if chain.forks]
    for chain in forked[:_FEW]:
        yield _forked(chain)
    yield from _rest(len(forked), "stations with forks")


def _forked(chain: ChainFound) -> str:
    places = f"{chain.forks:,} places (the first: seq {chain.first_fork})"
    where = f"the place seq {chain.first_fork}" if chain.forks == 1 else places
    return (
        f"Fork: different records hold {where} in the chain of station {chain.station_id[:8]}, in the files or the log."
        " votes verify FILE names those in one file; once imported, votes verify names all."
    )


def _clocks(findings: ImportFindings) -> Iterator[str]:
    back = [one for one in findings.stations if one.steps_back]
    if back:
        named = _listed(f"{one.station_id[:8]} ({one.steps_back}×)" for one in back)
        yield f"Clocks ran back on stations {named}: their votes' times don't follow their order."
    if findings.past:
        dated = counted(findings.past, "record is", "records are")
        yield f"{dated} dated before 2010: the clock of their machine was not set."
    if findings.undated:
        said = counted(findings.undated, "record says", "records say")
        yield f"{said} no time that can be read; such records stand before all others."


def _mixtures(findings: ImportFindings) -> Iterator[str]:
    for mixed in findings.mixed[:_FEW]:
        yield _mixed(mixed)
    yield from _rest(len(findings.mixed), "mixed conditions")
    for variant in findings.variants[:_FEW]:
        yield _variant(variant)
    yield from _rest(len(findings.variants), "names with different weights, voices or settings")
    for alias in findings.aliases[:_FEW]:
        yield (
            f"{alias.name} has the weights, voice and settings of {alias.other}: if they are one model, say so in"
            " aliases.yaml."
        )
    yield from _rest(len(findings.aliases), "names that may be aliases")


def _mixed(mixed: Mixed) -> str:
    values = _listed(f"{_said(value)} ({votes})" for value, votes in mixed.values)
    return f"Votes in {mixed.arena} were cast under different conditions; {_CONDITIONS[mixed.condition]}: {values}."


def _variant(variant: Variant) -> str:
    values = _listed(f"{_said(value)[:12]} ({times})" for value, times in variant.values)
    return f"{variant.repo_id} took part with different {_PARTS[variant.what]}: {values}; policy.yaml can split them."


def _rest(number: int, what: str) -> Iterator[str]:
    if number > _FEW:
        yield f"… and {number - _FEW} more {what}."


def _said(value: Value) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"“{value}”" if isinstance(value, str) and " " in value else str(value)


def _listed(items: Iterable[str]) -> str:
    every = list(items)
    rest = len(every) - _FEW
    return ", ".join(every[:_FEW]) + (f" and {rest} more" if rest > 0 else "")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
