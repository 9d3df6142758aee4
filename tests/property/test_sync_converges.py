"""Whatever machines do in whatever order, and whatever a cloud drive does: after everyone has synchronised
twice, all have the same log.
"""

import random
import tempfile
from functools import partial
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.machines import Machine, Weather


def _slow(hours: int) -> int:
    return -hours * 3_600_000_000


_MACHINE = st.integers(0, 2)
_ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("vote", "take back", "sync", "private")), _MACHINE),
        st.tuples(st.sampled_from(("cut", "whole", "copy", "strip")), st.integers(0, 5)),
    ),
    max_size=25,
)


class _Drive:
    """A shared folder on a drive that copies files half, and makes copies of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._cut: dict[Path, tuple[bytes, bytes]] = {}

    def do(self, what: str, which: int, chance: random.Random) -> None:
        files = sorted(self.folder.glob("*/*.jsonl"))
        if not files:
            return
        path = files[which % len(files)]
        if what == "cut" and path not in self._cut:
            data = path.read_bytes()
            part = data[: chance.randrange(len(data) + 1)]
            path.write_bytes(part)
            self._cut[path] = (part, data)
        elif what == "whole":
            self.mend()
        elif what == "copy":
            (path.parent / f"{path.name[:12]} (Anna's conflicted copy).jsonl").write_bytes(path.read_bytes())
        elif what == "strip":
            path.unlink()
            self._cut.pop(path, None)

    def mend(self) -> None:
        """All files have arrived, unless their owner has written them anew."""
        for path, (part, data) in self._cut.items():
            if path.exists() and path.read_bytes() == part:
                path.write_bytes(data)
        self._cut.clear()


@given(_ACTIONS, st.integers(0, 2**32))
@settings(max_examples=40)
def test_everybody_has_the_same_log_in_the_end(actions: list[tuple[str, int]], seed: int) -> None:
    chance, weather = random.Random(seed), Weather()
    with tempfile.TemporaryDirectory() as name:
        drive = _Drive(Path(name, "shared"))
        machines = [Machine(Path(name, str(n)), weather.clock(partial(_slow, n))) for n in range(3)]
        try:
            votes = 0
            for what, which in actions:
                if what == "vote":
                    machines[which].vote(chance)
                    votes += 1
                elif what == "take back":
                    before = len(machines[which].cast)
                    machines[which].take_back(chance)
                    votes += bool(before)
                elif what in ("sync", "private"):
                    machines[which].sync(drive.folder, private=what == "private")
                else:
                    drive.do(what, which, chance)
            drive.mend()
            for machine in (*machines, *machines):
                machine.sync(drive.folder)
            assert {machine.log.log_hash() for machine in machines} == {machines[0].log.log_hash()}
            assert {machine.log.count() for machine in machines} == {votes}
            for machine in machines:
                report = machine.sync(drive.folder)
                assert (report.exported, report.imported.new) == (0, 0)
        finally:
            for machine in machines:
                machine.close()
