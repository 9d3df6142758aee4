"""The devices that a person can wish for."""

import re

_DEVICE = re.compile(r"auto|cpu|mps|cuda(:[0-9]{1,2})?")
DEVICE_FORM = "auto, cpu, cuda, cuda:1 (a GPU by its number) or mps"


def is_device(text: str) -> bool:
    """Whether ``text`` has the form :data:`DEVICE_FORM`; whether there is such a device is another question."""
    return _DEVICE.fullmatch(text) is not None
