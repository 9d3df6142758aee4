"""An unexpected log record from WARNING up fails a test; expected ones are announced with ``expect_log``."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest


@dataclass
class Expectations:
    """What a test announces. Every announced record must come, at least once."""

    patterns: list[tuple[str, re.Pattern[str]]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)

    def __call__(self, pattern: str, logger: str = "") -> None:
        """Announce records whose text holds ``pattern`` (a regular expression), of ``logger`` or one below it."""
        self.patterns.append((logger, re.compile(pattern)))

    def match(self, record: logging.LogRecord) -> bool:
        """Whether this record was announced; remembers that it came."""
        for number, (logger, pattern) in enumerate(self.patterns):
            of_it = logger in ("", record.name) or record.name.startswith(f"{logger}.")
            if of_it and pattern.search(record.getMessage()):
                self.seen.add(number)
                return True
        return False

    def missing(self) -> list[str]:
        """Announced and never seen."""
        return [pattern.pattern for number, (_, pattern) in enumerate(self.patterns) if number not in self.seen]


class Logs(logging.Handler):
    """Keeps every record from WARNING up, of all loggers that pass on to the root."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Called by the logging library."""
        self.records.append(record)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield
        records, self.records = self.records, []
        expected = item.stash.get(_KEY, Expectations())
        unexpected = [record for record in records if not expected.match(record)]
        if unexpected:
            lines = [f"{r.levelname} {r.name}: {r.getMessage()} ({r.pathname}:{r.lineno})" for r in unexpected]
            pytest.fail("log records that the test did not announce:\n" + "\n".join(lines), pytrace=False)
        if expected.missing():
            pytest.fail(f"announced log records that never came: {expected.missing()}", pytrace=False)


_KEY = pytest.StashKey[Expectations]()


@pytest.fixture
def expect_log(request: pytest.FixtureRequest) -> Expectations:
    """``expect_log("pattern", logger="arena_desktop.engines")``: this record is meant, and must come."""
    expected: Expectations = request.node.stash.setdefault(_KEY, Expectations())
    return expected


def pytest_configure(config: pytest.Config) -> None:
    handler = Logs()
    logging.getLogger().addHandler(handler)
    config.add_cleanup(lambda: logging.getLogger().removeHandler(handler))
    config.pluginmanager.register(handler, "arena-logs")
