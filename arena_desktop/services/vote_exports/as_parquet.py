"""Votes as Parquet: the table of the CSV, typed, for large analyses. Needs pyarrow, which comes with the extra
``parquet``.
"""

from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

from arena_desktop.domain.times import canonical_us
from arena_desktop.errors import ArenaError
from arena_desktop.services.vote_exports.dictionary import Column
from arena_desktop.services.vote_exports.source import ExportSource
from arena_desktop.services.vote_exports.table import Table

_ROW_GROUP = 2_000
"""Votes. What is held at a time: about 90 values each."""


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write the votes, in groups of rows."""
    arrow, parquet = _arrow()
    table = Table(public=source.public)
    kinds = [_type(arrow, column) for column in table.columns]
    schema = arrow.schema(list(zip([column.name for column in table.columns], kinds, strict=True)))
    votes = (table.row(vote) for vote in source.votes())
    with parquet.ParquetWriter(stream, schema, compression="zstd", use_dictionary=True) as writer:
        for group in _groups(votes):
            columns = [
                arrow.array(_values(column, values), kind)
                for column, kind, values in zip(table.columns, kinds, zip(*group, strict=True), strict=True)
            ]
            writer.write_batch(arrow.record_batch(columns, schema=schema))
    source.odd.update(table.odd)


def _groups(rows: Iterator[list[Any]]) -> Iterator[list[list[Any]]]:
    while group := list(islice(rows, _ROW_GROUP)):
        yield group


def _values(column: Column, values: tuple[Any, ...]) -> list[Any]:
    return [canonical_us(value) for value in values] if column.type == "time" else list(values)


def _type(arrow: Any, column: Column) -> Any:
    return {
        "text": arrow.string(),
        "factor": arrow.dictionary(arrow.int32(), arrow.string()),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "logical": arrow.bool_(),
        "time": arrow.timestamp("us", "UTC"),
    }[column.type]


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ArenaError(
            "Parquet needs the library pyarrow, which is not installed here.",
            "Install it (pip install 'arena-desktop[parquet]'), or choose the format csv.",
        ) from error
    return pyarrow, pyarrow.parquet
