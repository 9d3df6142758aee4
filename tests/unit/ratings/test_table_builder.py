"""The table of votes grows without a copy, and a table that was handed out stays as it was."""

from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import OUTCOMES, UNKNOWN, Condition, Make, VoteRow, VoteTable

MODELS = ("x/one", "x/two", "x/three")
_names = st.none() | st.sampled_from(["p", "q", "r"])
_makes = st.builds(Make, _names, _names)
_rows = st.builds(
    lambda pair, **other: VoteRow(a=pair[0], b=pair[1], **other),
    id=st.uuids().map(str),
    pair=st.permutations(MODELS),
    vote=st.sampled_from(OUTCOMES),
    listener=st.sampled_from(["l-1", "l-2", ("",), (None,)]),
    prompt=_names,
    category=_names,
    language=_names,
    length=st.integers(UNKNOWN, 300),
    at=st.integers(UNKNOWN, 2**53),
    first=st.sampled_from([UNKNOWN, 0, 1]),
    reveals_before=st.integers(UNKNOWN, 9),
    session=_names,
    condition=st.builds(Condition, question=_names, silent=st.booleans()),
    make_a=_makes,
    make_b=_makes,
    rtf_a=st.floats(0, 9) | st.just(float("nan")),
    rtf_b=st.floats(0, 9),
    device_a=_names,
    device_b=_names,
    policy=_names,
)


def rows_of(table: VoteTable) -> list[VoteRow]:
    """The table read back, vote by vote."""

    def name(names: tuple[Any, ...], code: int) -> Any:
        return None if code == UNKNOWN else names[code]

    return [
        VoteRow(
            id=table.id(place),
            a=table.models[table.a[place]],
            b=table.models[table.b[place]],
            vote=OUTCOMES[table.outcome[place]],
            listener=name(table.listeners, table.listener[place]),
            prompt=name(table.prompts, table.prompt[place]),
            category=name(table.categories, table.category[place]),
            language=name(table.languages, table.language[place]),
            length=int(table.length[place]),
            at=int(table.at[place]),
            first=int(table.first[place]),
            reveals_before=int(table.reveals_before[place]),
            session=name(table.sessions, table.session[place]),
            condition=name(table.conditions, table.condition[place]),
            make_a=name(table.makes, table.make_a[place]),
            make_b=name(table.makes, table.make_b[place]),
            rtf_a=float(table.rtf_a[place]),
            rtf_b=float(table.rtf_b[place]),
            device_a=name(table.devices, table.device_a[place]),
            device_b=name(table.devices, table.device_b[place]),
            policy=name(table.policies, table.policy[place]),
        )
        for place in range(len(table))
    ]


@given(st.lists(st.lists(_rows, max_size=9), max_size=9))
def test_every_table_holds_what_was_there_when_it_was_taken(batches: list[list[VoteRow]]) -> None:
    builder = TableBuilder(MODELS)
    so_far: list[VoteRow] = []
    taken: list[tuple[VoteTable, list[VoteRow]]] = []
    for batch in batches:
        for row in batch:
            builder.add(row)
        so_far += batch
        taken.append((builder.table(), list(so_far)))
        assert len(builder) == len(so_far)
        assert builder.listeners == len({row.listener for row in so_far})
    for table, expected in taken:
        # As text: a number that is none differs from itself.
        assert [str(row) for row in rows_of(table)] == [str(row) for row in expected]
        assert list(table.ids) == [row.id for row in expected]
        assert table.row.tolist() == list(range(len(expected)))


def test_growth_over_many_batches_neither_loses_nor_moves_a_vote() -> None:
    builder, tables = TableBuilder(MODELS), []
    for number in range(10_000):
        builder.add(VoteRow(str(number), "x/one", "x/two", OUTCOMES[number % 4], f"l-{number % 7}", at=number))
        if number % 997 == 0:
            tables.append(builder.table())
    tables.append(builder.table())
    for table in tables:
        size = len(table)
        assert table.at.tolist() == list(range(size))
        assert table.outcome.tolist() == [number % 4 for number in range(size)]
        assert (len(table.ids), table.ids[-1], table.ids[:2]) == (size, str(size - 1), list(map(str, range(size)))[:2])


def test_a_table_that_nothing_was_added_to_is_the_same_and_none_can_be_written_to() -> None:
    builder = TableBuilder(MODELS)
    builder.add(VoteRow("1", "x/one", "x/two", "a", "l-1"))
    table = builder.table()
    assert builder.table() is table
    arrays = [getattr(table, field.name) for field in fields(table)]
    assert not any(array.flags.writeable for array in arrays if isinstance(array, np.ndarray))
    builder.add(VoteRow("2", "x/two", "x/three", "b", "l-1"))
    # The columns of the table before are the start of the table after, not a copy.
    assert np.shares_memory(builder.table().a, table.a)
