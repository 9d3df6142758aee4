"""The methods section that a paper needs, as plain text: every number from the log, and what the log doesn't say named
as unknown.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from arena_desktop.services.board_views import Severity
from arena_desktop.services.exports.checks import fired, titles
from arena_desktop.services.exports.citations import references
from arena_desktop.services.exports.facts import Counts, Facts, Spread, facts_of
from arena_desktop.services.exports.method_words import interval_words, rating_words
from arena_desktop.services.exports.origin import origin_lines
from arena_desktop.services.exports.plain import MINUS, counted, one_line, percent
from arena_desktop.services.exports.report import BoardReport
from arena_desktop.services.exports.systems import systems
from arena_desktop.services.left_out import in_words

_REVEAL = {"each": "after every vote", "set": "after a set of votes"}
_PLAYBACK = {
    "start_over": "each press of a key starts a sample from its beginning",
    "same_position": "switching goes on at the same position of the other sample",
}
_NOT_CONTROLLED = (
    "Listening was not controlled beyond what is stated here. The log holds no loudspeakers or headphones, no playback"
    " level in dB SPL, no room and its noise, no hearing test, and nothing about the listeners (number recruited, age,"
    " native language, training, payment, consent): report these from your own records. A pseudonym stands for a person"
    " only as far as people used their own. Battles that were skipped leave no record, so their number is unknown."
)


def write(report: BoardReport, command: str) -> str:
    """Paragraphs under headings, then references and provenance."""
    facts = facts_of(report.votes.table)
    parts: list[tuple[str, list[str]]] = [
        ("Systems and question", _systems(report, facts)),
        ("Listeners and votes", _votes(report, facts)),
        ("Material and playback", _material(facts)),
        ("Choice of pairs and randomisation", _choice(facts)),
        ("What was left out", _left_out(report)),
        ("Ratings", rating_words(report.method)),
        ("Uncertainty", interval_words(report)),
        ("Checks of the votes", _checks(report)),
        ("Result", [one_line(line) for line in (f"{report.title}.", report.sentence) if line]),
        ("Not controlled, not known", [_NOT_CONTROLLED, *map(one_line, report.notes)]),
    ]
    blocks = [f"Methods: {one_line(report.heading)}"]
    blocks += [f"{head}\n{' '.join(sentences)}" for head, sentences in parts if sentences]
    blocks.insert(2, "\n".join(systems(report.votes)))
    blocks.append("References\n" + "\n".join(references("\n".join(blocks))))
    blocks.append("Provenance\n" + "\n".join(origin_lines(report, command)))
    return "\n\n".join(blocks) + "\n"


def _systems(report: BoardReport, facts: Facts) -> list[str]:
    arena = report.votes.arena
    language = f", language {one_line(arena.language)}" if arena.language else ""
    said = [
        (
            f"{counted(facts.models, 'text-to-speech system')} of the arena “{one_line(report.arena_title)}”"
            f" (voices: {one_line(arena.kind)}{language}) were compared in blind pairs with Arena Desktop;"
            f" {facts.rated} of them took part in at least one counted vote."
        )
    ]
    if facts.votes:
        said.append(f"Question put to the listener: {_shares(facts.questions, facts.votes, _quoted)}.")
    said.append("Answers offered: A, B, tie, both bad.")
    return said


def _votes(report: BoardReport, facts: Facts) -> list[str]:
    if not facts.votes:
        return ["No vote counts."]
    outcomes = facts.outcomes
    people = f"{counted(facts.listeners, 'listener')} known by pseudonym"
    if facts.unnamed:
        people += (
            f" and {counted(facts.unnamed, 'vote')} that name no listener (those of one source count as one person's)"
        )
    said = [
        (
            f"{counted(facts.votes, 'vote')} by {people} count;"
            f" the effective number of listeners, 1 / Σ (share of votes)², is {facts.effective:.1f}."
        ),
    ]
    if facts.per_listener:
        said.append(f"Votes per listener: {_spread(facts.per_listener)}.")
    decided = outcomes["a"] + outcomes["b"]
    said.append(
        f"{decided:,} votes preferred one sample ({outcomes['a']:,} Sample A, {outcomes['b']:,} Sample B),"
        f" {outcomes['tie']:,} were ties and {outcomes['both_bad']:,} both bad."
    )
    said.append(f"{facts.pairs_met:,} of {counted(facts.pairs, 'possible pair')} met; votes per pair that met:")
    said[-1] += f" {_spread(facts.per_pair)}." if facts.per_pair else " none."
    said.append(_dates(facts))
    said.append(f"Sessions: {facts.sessions or 'not recorded'}.")
    unknown = facts.votes - facts.fresh - facts.seen
    said.append(
        f"In {facts.fresh:,} votes the listener had not yet seen the two names revealed, in {facts.seen:,} they had,"
        f" {unknown:,} votes don't say."
    )
    return said


def _dates(facts: Facts) -> str:
    if facts.begun is None:
        return "The dates of the votes are not recorded."
    undated = f"; {counted(facts.undated, 'vote')} without a date" if facts.undated else ""
    return f"First vote {facts.begun}, last vote {facts.ended} (UTC){undated}."


def _material(facts: Facts) -> list[str]:
    if not facts.votes:
        return []
    texts = counted(facts.prompts, "text")
    own = f", {facts.own_texts:,} of them brought along by listeners" if facts.own_texts else ""
    unknown = f"; {counted(facts.promptless, 'vote')} name no text" if facts.promptless else ""
    said = [f"{texts} were read out{own}{unknown}." if facts.prompts else "The texts are not recorded."]
    if facts.characters:
        said.append(f"Characters of text, by vote: {_spread(facts.characters)}.")
    for what, counts, word in (
        ("Categories of text", facts.categories, one_line),
        ("Languages of text", facts.languages, one_line),
        (
            "Loudness target of both samples (ITU-R BS.1770 integrated [BS1770])",
            facts.targets,
            lambda value: f"{value:g} LUFS".replace("-", MINUS),
        ),
        ("Part of each sample that had to be heard before a vote", facts.gates, percent),
        ("Switching", facts.playback, lambda value: _PLAYBACK.get(value, one_line(value))),
        ("The text was hidden", facts.hidden, lambda value: "yes" if value else "no"),
        ("Names were revealed", facts.reveal, lambda value: _REVEAL.get(value, one_line(value))),
    ):
        said.append(f"{what}: {_shares(counts, facts.votes, word)}.")
    said.append(f"Device of the synthesis, by sample: {_shares(facts.devices, 2 * facts.votes, one_line)}.")
    if facts.silent:
        were = "was" if facts.silent == 1 else "were"
        said.append(f"{counted(facts.silent, 'vote')} {were} cast without any sound (--silent): tests, not listening.")
    return said


def _choice(facts: Facts) -> list[str]:
    if not facts.votes:
        return []
    return [
        f"Rule that chose the pair, as recorded: {_shares(facts.policies, facts.votes, one_line)}.",
        f"Played first: {_shares(facts.first, facts.votes, one_line)}.",
        (
            "Arena Desktop gives each system its side by a fair coin and, apart from it, the side that is played first;"
            " it prepares both samples before either is offered, and shows no name before the vote. How votes from"
            " other programs were drawn is not known."
        ),
    ]


def _left_out(report: BoardReport) -> list[str]:
    reasons = Counter(one_line(vote.reason) for vote in report.votes.retracted)
    total = sum(reasons.values())
    said = ["No vote of this arena was taken back."]
    if total:
        named = ", ".join(f"{number:,} {reason}" for reason, number in sorted(reasons.items()))
        said = [f"Taken back and therefore left out: {counted(total, 'vote')} of this arena ({named})."]
    if report.provenance.policy_words:
        words = one_line("; ".join(report.provenance.policy_words))
        said.append(f"The log was read under a policy, which changes no record: {words}.")
    said.append(f"Left out of all arenas of this log: {in_words(report.votes.left_out) or 'none'}.")
    return said


def _checks(report: BoardReport) -> list[str]:
    view = report.audit
    if not view.votes:
        return []
    said = [one_line(view.sentence)]
    said += [f"{line.title} ({line.severity}): {line.found} {line.effect}".strip() for line in fired(view)]
    for severity, words in ((Severity.OK, "Checked, and nothing found"), (Severity.UNKNOWN, "Not enough data to tell")):
        named = titles(view, severity)
        said += [f"{words}: {named}."] if named else []
    return [one_line(sentence) for sentence in said]


def _shares(counts: Counts, total: int, word: Callable[[Any], str]) -> str:
    """``uniform (70 %), not recorded (30 %)``; without a share where all votes agree."""
    named = [("not recorded" if value is None else word(value), number) for value, number in counts]
    if len(named) == 1:
        return named[0][0]
    return ", ".join(f"{name} ({number:,}; {percent(number / total)})" for name, number in named) or "not recorded"


def _spread(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.least:,.0f} each"
    return f"{spread.least:,.0f} to {spread.most:,.0f}, median {spread.median:,.1f}".replace(".0", "")


def _quoted(text: str) -> str:
    return f"“{one_line(text)}”"
