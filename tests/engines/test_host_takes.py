"""How many readings of a text an engine says are worth hearing."""

import pytest

from arena_desktop.engines.host import SpeechHost
from tests.engines.conftest import MakeModel


@pytest.mark.parametrize(("said", "taken"), [(1, 1), (3, 3), (50, 3), (0, 1)])
def test_a_check_asks_for_takes_and_keeps_them_within_bounds(
    host: SpeechHost, model: MakeModel, said: int, taken: int
) -> None:
    sampling = model(takes=said)
    assert host.takes(sampling) == 1, "before its check"
    assert host.check(sampling) == ()
    assert host.takes(sampling) == taken


def test_a_model_that_lacks_something_has_one_take(host: SpeechHost, model: MakeModel) -> None:
    assert host.check(model("lacking", takes=3))
    assert host.takes(model("lacking", takes=3)) == 1
