"""Rows that wait to be written together take bounded memory, however long one field is."""

from arena_desktop.store.waiting_rows import WaitingRows


def test_many_short_rows_are_written_together() -> None:
    waiting: WaitingRows[tuple[int, str]] = WaitingRows(3)
    assert [waiting.add((number, "short")) for number in range(3)] == [False, False, True]
    assert len(waiting.rows) == 3
    waiting.clear()
    assert waiting.rows == []
    assert not waiting.add((4, "short"))


def test_a_few_long_rows_are_not_held_until_there_are_many() -> None:
    waiting: WaitingRows[tuple[int, str | bytes]] = WaitingRows(1000)
    assert not waiting.add((1, "x" * 3_000_000))
    assert waiting.add((2, b"x" * 3_000_000))
    waiting.clear()
    assert not waiting.add((3, "x" * 3_000_000)), "what was written no longer counts"
