"""Only a model that another surely beats at no more cost is dominated."""

import numpy as np

from arena_desktop.ratings.fronts import dominated

NAN = float("nan")


def test_known_front() -> None:
    better = np.zeros((4, 4), bool)
    better[0, 1] = better[0, 2] = better[2, 1] = better[3, 1] = True
    #               0 costs more than all; 2 beats 1 and is cheaper; nobody who beats 2 is cheaper; 3's cost is unknown
    assert dominated(np.array([9.0, 5.0, 4.0, NAN]), better).tolist() == [False, True, False, False]


def test_equal_cost_is_enough_and_an_open_order_is_not() -> None:
    better = np.array([[False, True], [False, False]])
    assert dominated(np.array([5.0, 5.0]), better).tolist() == [False, True]
    assert dominated(np.array([1.0, 5.0]), np.zeros((2, 2), bool)).tolist() == [False, False]


def test_an_unknown_cost_neither_dominates_nor_is_dominated() -> None:
    better = np.array([[False, True], [False, False]])
    assert not dominated(np.array([NAN, 5.0]), better).any()
    assert not dominated(np.array([5.0, NAN]), better).any()
