"""Which models nobody needs: another is surely better and takes no more of something, say memory or time."""

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import FloatArray


def dominated(cost: FloatArray, better: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Per model, whether another costs no more and is surely better.

    ``cost``: shape (models,), NaN unknown: such a model neither dominates nor is dominated. ``better[i, j]``: i is
    surely better than j. A lead that may be chance dominates nobody.
    """
    no_more: NDArray[np.bool_] = np.less_equal.outer(cost, cost)  # False wherever one of the two is NaN
    found: NDArray[np.bool_] = np.any(better & no_more, axis=0)
    return found
