"""Giving memory back to the system, and leaving alone what stays."""

import ctypes
import gc
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


def leave_what_stays_alone() -> None:
    """Have the garbage collector no longer look through what is there by now: libraries, the window, the votes read.

    A full collection looks through all of it, some 40 ms with a long log, now and then just when a vote is stored.
    """
    gc.freeze()
