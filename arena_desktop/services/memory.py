"""Giving memory back to the system."""

import ctypes
import platform

_M_MMAP_THRESHOLD = -3
_LARGE = 1 << 20


def give_back_large_blocks() -> None:
    """Have blocks of a megabyte and more returned to the system as soon as they are freed.

    glibc raises that limit by itself up to 32 MB, so that the passing arrays of levelling (a long clip takes tens of
    megabytes for a moment) would stay with the window for good. Elsewhere nothing is done.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
