"""Downloads in the words of the dialog."""

from arena_desktop.services.download_views import Download, DownloadState, OfferedFile
from arena_desktop.services.download_words import left_words, license_words, progress_words, size_words
from arena_desktop.ui import text

MOST_LISTED = 300
STOPPABLE = (DownloadState.LOOKING, DownloadState.WAITING, DownloadState.RUNNING)
CHOOSABLE = (DownloadState.OFFERED, DownloadState.STOPPED, DownloadState.FAILED)
_PILLS = {
    DownloadState.LOOKING: ("Asking the hub…", "plain"),
    DownloadState.OFFERED: ("Not downloaded", "plain"),
    DownloadState.WAITING: ("Waiting", "plain"),
    DownloadState.RUNNING: ("Downloading", "plain"),
    DownloadState.STOPPED: ("Stopped", "warning"),
    DownloadState.DONE: ("Here, checked", "good"),
    DownloadState.FAILED: ("Failed", "warning"),
}


def pill(download: Download) -> tuple[str, str]:
    """The state in a word or two, and its look."""
    return _PILLS[download.state]


def origin(download: Download) -> str:
    """Which commit of which hub."""
    hub = download.endpoint.partition("//")[2] or download.endpoint
    return "  ·  ".join(filter(None, (hub, f"commit {download.revision[:12]}" if download.revision else "")))


def licence(download: Download) -> str:
    """The licence, and what a gated model asks for."""
    gated = " Gated: its owner must let you in, and you must have accepted its terms." if download.gated else ""
    return f"Licence: {license_words(download.license, download.license_url)}{gated}"


def amount(download: Download) -> str:
    """How many files are wanted, and how large they are."""
    wanted = [file for file in download.files if file.wanted]
    left = len(download.files) - len(wanted)
    told = f"{text.counted(len(wanted), 'file')}, {size_words(download.of)}"
    begun = 0 < download.here < download.of and download.state in CHOOSABLE
    here = f", of which {size_words(download.here)} are here" if begun else ""
    more = len(download.files) - MOST_LISTED
    unseen = f"; {text.count(more)} more are not listed: narrow them by name" if more > 0 else ""
    return f"{told}{here}{f'; {left} left out' if left else ''}{unseen}"


def listed(download: Download) -> tuple[OfferedFile, ...]:
    """The files that the list shows: all, or of very many the wanted ones first."""
    if len(download.files) <= MOST_LISTED:
        return download.files
    return tuple(sorted(download.files, key=lambda file: not file.wanted)[:MOST_LISTED])


def file_line(file: OfferedFile) -> str:
    """One file in the list."""
    note = f", left out: {file.why}" if not file.wanted and file.why else ""
    return f"{file.path}  –  {size_words(file.size)}{note}{', a pickle' if file.pickle and file.wanted else ''}"


def caution(download: Download) -> tuple[str, str]:
    """What a person must know before: about pickles, and about files that are refused. Two empty texts for nothing."""
    pickles = [file.path for file in download.files if file.wanted and file.pickle]
    told, how = [], []
    if pickles:
        told.append(f"{text.counted(len(pickles), 'file')} may be {'a pickle' if len(pickles) == 1 else 'pickles'}.")
        how.append(
            "A pickle can run what its maker wrote into it. It is opened by loaders that allow none of that, unless you"
            " allow it for this one model."
        )
    if download.refused:
        told.append(f"{text.counted(len(download.refused), 'file')} can't be kept here.")
        how += [f"{name}: {why}." for name, why in download.refused[:8]]
    return " ".join(told), "\n".join(how)


def progress(download: Download) -> str:
    """How far it is, how fast, how long yet."""
    told = progress_words(download.here, download.of)
    fast = left_words(download.rate, download.seconds_left)
    return f"{told}, {fast}" if fast else told


def go_on(download: Download) -> str:
    """What the button says that begins it."""
    left = size_words(download.of - download.here)
    if download.state is DownloadState.OFFERED:
        return f"Download {left}"
    return f"Go on, {left} left" if download.state is DownloadState.STOPPED else f"Try again, {left} left"


def spoken(download: Download) -> str:
    """What assistive technology is told when the state changes."""
    return f"{download.repo}: {pill(download)[0]}. {download.line.text}".strip()
