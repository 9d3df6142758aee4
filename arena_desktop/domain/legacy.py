"""Votes that other programs wrote, brought into the form in which a log keeps them."""

import uuid
from array import array
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from arena_desktop.domain.canonical import canonical_text, record_hash
from arena_desktop.domain.foreign import pseudonym
from arena_desktop.domain.times import legacy_at
from arena_desktop.ratings.ballot import record_fault


class LegacyFile:
    """Normalises the foreign records of one file.

    ``label`` names the log they come from; the same records under another label are other votes. ``form`` names the
    file's form. The n-th copy of a record within the file is told from the others by n.
    """

    def __init__(self, label: str, form: str) -> None:
        self.label = label
        self.form = form
        self._copies = _Copies()

    def normalise(
        self, original: Any, position: int, read: Mapping[str, Any] | None = None, form: str = ""
    ) -> dict[str, Any] | str:
        """The record to keep, or why ``original`` is no vote. ``position`` counts the file's records from 0.

        ``read``: what ``original`` says, where it is in another program's ``form``
        (see :meth:`arena_desktop.domain.foreign.Shape.read`).
        """
        vote = original if read is None else read
        fault = record_fault(vote)
        if fault is not None:
            return fault
        text = canonical_text(original)
        occurrence = self._copies.count(text)
        record: dict[str, Any] = {
            "type": "vote",
            "id": legacy_id(self.label, occurrence, text),
            "at": legacy_at(vote),
            "arena": vote["arena"],
            "model_a": {"repo_id": vote["model_a"]["repo_id"]},
            "model_b": {"repo_id": vote["model_b"]["repo_id"]},
            "vote": vote["vote"],
            "source": {"label": self.label, "format": form or self.form},
            "legacy_index": position,
            "original": original,
        }
        if read is not None:
            record["model_a"], record["model_b"] = read["model_a"], read["model_b"]
            if "listener" in read:
                record["listener"] = pseudonym(read["listener"], f"{self.label}|{form}")
            if "prompt" in read:
                record["prompt"] = read["prompt"]
        record["hash"] = record_hash(record)
        return record


class _Copies:
    """How often each text came before, in 16 to 32 bytes a text: a hash table of their 64-bit digests alone.

    Two texts with one digest, which takes some hundred million of them, would count as copies, on every machine alike.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._held = 0
        self._more: dict[int, int] = {}  # those that came more than once

    def count(self, text: str) -> int:
        """How often ``text`` came before."""
        digest = int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) or 1  # 0 marks a free slot
        if self._put(digest):
            return 0
        times = self._more.get(digest, 0) + 1
        self._more[digest] = times
        return times

    def _put(self, digest: int) -> bool:
        slots = self._slots
        last = len(slots) - 1
        place = digest & last
        while (held := slots[place]) != digest:
            if not held:
                slots[place] = digest
                self._held += 1
                if self._held * 2 > last:
                    self._grow()
                return True
            place = (place + 1) & last
        return False

    def _grow(self) -> None:
        old = self._slots
        self._slots = array("Q", bytes(16 * len(old)))
        self._held = 0
        for digest in old:
            if digest:
                self._put(digest)


def legacy_id(label: str, occurrence: int, text: str) -> str:
    """The id of a legacy record: the same wherever the same log is imported under the same label."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"arena-votes/1|{label}|{occurrence}|{text}"))
