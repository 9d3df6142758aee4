"""Votes that other programs wrote, brought into the form in which a log keeps them."""

import uuid
from collections import Counter
from collections.abc import Mapping
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
        self._copies: Counter[bytes] = Counter()

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
        key = uuid.uuid5(uuid.NAMESPACE_URL, text).bytes  # 16 bytes a record instead of its text
        occurrence = self._copies[key]
        self._copies[key] += 1
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


def legacy_id(label: str, occurrence: int, text: str) -> str:
    """The id of a legacy record: the same wherever the same log is imported under the same label."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"arena-votes/1|{label}|{occurrence}|{text}"))
