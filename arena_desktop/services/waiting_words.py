"""Times that somebody waits for, in words: as exact as an estimate is, and no more."""


def about(seconds: float) -> str:
    """``about 6 min``; under a minute in steps of ten seconds, from an hour on in halves of one."""
    if seconds < 5:
        return "a few seconds"
    if seconds < 55:
        return f"about {max(10, round(seconds / 10) * 10)} s"
    if seconds < 3570:
        return f"about {round(seconds / 60)} min"
    hours = round(seconds / 1800) / 2
    return f"about {hours:g} h"


def within(seconds: float) -> str:
    """``within 40 s``: rounded up, so that it holds."""
    if seconds <= 5:
        return "within 5 s"
    if seconds <= 60:
        return f"within {-(-seconds // 10) * 10:.0f} s"
    return f"within {-(-seconds // 60):.0f} min"
