"""The works that a methods section names."""

from collections.abc import Iterator

_WORKS = {
    "Bradley1952": "Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. The method of"
    " paired comparisons. Biometrika 39, 324–345.",
    "Davidson1970": "Davidson, R. R. (1970). On extending the Bradley–Terry model to accommodate ties in paired"
    " comparison experiments. Journal of the American Statistical Association 65, 317–328.",
    "Elo1978": "Elo, A. E. (1978). The Rating of Chessplayers, Past and Present. Arco.",
    "Bell2002": "Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with"
    " multi-stage samples. Survey Methodology 28, 169–181.",
    "Cameron2011": "Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011). Robust inference with multiway clustering."
    " Journal of Business & Economic Statistics 29, 238–249.",
    "Genz2009": "Genz, A. & Bretz, F. (2009). Computation of Multivariate Normal and t Probabilities. Springer.",
    "Sidak1967": "Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions."
    " Journal of the American Statistical Association 62, 626–633.",
    "Wilson1927": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal"
    " of the American Statistical Association 22, 209–212.",
    "BS1770": "ITU-R. Recommendation BS.1770: Algorithms to measure audio programme loudness and true-peak audio"
    " level.",
}


def references(text: str) -> Iterator[str]:
    """The works that ``text`` names as ``[Key]``, one line each, in order of their keys."""
    return (f"[{key}] {work}" for key, work in sorted(_WORKS.items()) if f"[{key}]" in text)
