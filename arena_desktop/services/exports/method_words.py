"""How a board's numbers are made, in the words of a methods section."""

from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.intervals import CONFIDENCE, ENOUGH_LISTENERS, ENOUGH_PROMPTS, Uncertainty
from arena_desktop.services.exports.plain import percent
from arena_desktop.services.exports.report import BoardReport

_SCORE = "A win scores 1, a loss 0, a tie and both bad ½."
_FIT = "The fit is penalised maximum likelihood by Newton's method and does not depend on the order of votes;"
_BRADLEY_TERRY = (
    "Ratings R are those of a Bradley–Terry model on the Elo scale [Bradley1952]:"
    f" the expected score of i against j is 1 / (1 + 10^((Rj − Ri) / 400)). {_SCORE} {_FIT}"
)
_PRIOR = f"as if it had drawn {PRIOR_WEIGHT:g} battles against an opponent rated"
_RATING = (
    f"{_BRADLEY_TERRY} each system has the same weak prior, {_PRIOR} {ANCHOR:.0f}. Ratings are centred:"
    f" the mean over the systems with a battle is {ANCHOR:.0f}; only differences have a meaning."
)
_HEAD_START = (
    f"{_BRADLEY_TERRY} each system is tied to a rating that a benchmark score gives it beforehand,"
    f" {_PRIOR} {ANCHOR:.0f} + 8 (score − 82), or {ANCHOR:.0f} where it has no score."
    " So these ratings do not stand on votes alone."
)
_DAVIDSON = (
    "Ratings R are those of Davidson's model [Davidson1970] on the Elo scale: with π = 10^(R / 400)"
    " the chances of a win of i, a win of j and a tie are πi, πj and ν √(πi πj), divided by their sum."
    f" Both bad counts as a tie. {_FIT} each system has the same weak prior around {ANCHOR:.0f},"
    f" and ratings are centred at {ANCHOR:.0f}. Where ties are common the scale is wider than that of"
    " Bradley–Terry ratings: don't compare the two."
)
_ELO = (
    "Live Elo is sequential [Elo1978]: the votes are taken in the order of their times, and each moves"
    " both ratings by K (score − expected score), expected 1 / (1 + 10^((Rj − Ri) / 400)), with K falling"
    f" from 48 to 12 as a system plays. {_SCORE} Ratings start at {ANCHOR:.0f} + 8 (benchmark score − 82),"
    f" or {ANCHOR:.0f} without a score. They depend on the order of votes and keep on moving however many"
    " there are; they carry no interval, and a paper should report the rating of the method “rating”."
)
_WORDS = {"rating": _RATING, "bt": _HEAD_START, "davidson": _DAVIDSON, "elo": _ELO}


def rating_words(method: str) -> list[str]:
    """How the ratings are made."""
    return [_WORDS[method]]


def interval_words(report: BoardReport) -> list[str]:
    """How intervals, rank ranges and tiers are made; empty for a board without them."""
    doubt = report.standings.doubt if report.standings is not None else None
    if report.method == "elo" or doubt is None:
        return []
    systems = len(doubt.error)
    pairs = systems * (systems - 1) // 2
    sure = percent(CONFIDENCE)
    each = 100.0 * CONFIDENCE ** (1.0 / max(1, pairs))
    verdicts = (
        "One system is called surely better than another if their difference exceeds its standard error times"
        f" the quantile that holds all {pairs:,} pairs together with {sure} (Šidák [Sidak1967]; each pair with"
        f" {each:.3f} %). Rank ranges and tiers follow from these verdicts: a rank range leaves out only ranks"
        " that they exclude, a tier goes on until a system is surely worse than its first. Systems that no"
        " chain of battles connects get no verdict on each other."
    )
    intervals = f"Intervals of ratings are {sure} intervals from sandwich standard errors of the centred ratings."
    if report.standings is not None and len(report.standings.islands) > 1:
        intervals = (
            f"No chain of battles connects {len(report.standings.islands)} groups of systems, so distances between the"
            " groups are the prior's doing: ratings have no intervals, there are no tiers, and only differences"
            " within a group have a meaning. Differences have sandwich standard errors."
        )
    said = [
        intervals,
        _units(doubt),
        "No standard error is smaller than the one that the model itself expects of so many votes.",
        verdicts,
    ]
    if any(row.get("best") is not None for row in report.rows):
        said.append(
            "P(best) is the probability of coming out on top if as many votes were cast anew, from the joint"
            " distribution of the ratings, integrated over a fixed lattice [Genz2009]."
        )
    said.append(
        f"The share of acceptable battles (not voted both bad) has Wilson's {sure} interval [Wilson1927], which"
        " takes votes as independent."
    )
    return said


def _units(doubt: Uncertainty) -> str:
    if doubt.df is None:
        return (
            f"Votes are taken as independent, with normal quantiles, for there are fewer than {ENOUGH_LISTENERS:g}"
            " effective listeners. The intervals hold for these listeners alone and say nothing about others."
        )
    texts = f" Texts are no second cluster: fewer than {ENOUGH_PROMPTS:g} effective ones are known."
    crossed = ""
    if doubt.prompts is not None:
        texts = f" There are {doubt.prompts:.1f} effective texts."
        crossed = "; texts as clusters; listeners and texts as crossed clusters [Cameron2011]"
    return (
        "For every rating and difference the largest standard error counts of: votes as independent units; listeners"
        f" as clusters with the CR3 correction [Bell2002]{crossed}.{texts} Quantiles are Student's t with"
        f" {doubt.df:.1f} degrees of freedom, one less than the effective number of listeners or of texts, whichever"
        " is smaller."
    )
