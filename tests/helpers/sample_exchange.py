"""Views of the History page and of votes on their way in and out, as the services would deliver them."""

from arena_desktop.services.exchange_views import (
    ExchangeView,
    ExportWish,
    HistoryFilter,
    HistoryRow,
    HistoryView,
    ImportFile,
    ImportPreview,
    ShareField,
    ShareView,
    Step,
    SyncState,
)
from arena_desktop.services.views import Choice, Line, Tone

_MODELS = (
    ("hexgrad/Kokoro-82M#af_heart", "Kokoro, Heart"),
    ("hexgrad/Kokoro-82M#bf_emma", "Kokoro, Emma"),
    ("rhasspy/piper-voices#en_US-amy-medium", "Piper, Amy"),
    ("facebook/mms-tts-eng", "MMS English"),
    ("local/espeak-ng#1a2b3c4d", "eSpeak NG"),
)
_SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "Please call Dr. O'Neill at 555-0137 before 3:30 pm, or send a text.",
    "It was the strangest thing that anyone in the village had ever seen, and nobody spoke of it for years.",
    "Are you quite sure that this is the right platform?",
)
_STATES = ("", "", "", "taken back: mistake", "", "not counted: silent", "")


def vote_row(n: int, **changes: object) -> HistoryRow:
    """The ``n``-th newest vote."""
    a, b = _MODELS[n % 5], _MODELS[(n * 3 + 1 + n // 5) % 5]
    if a == b:
        b = _MODELS[(n + 1) % 5]
    state = _STATES[n % len(_STATES)]
    minutes = 24 * 60 * 300 - n * 7
    month, day, hour, minute = minutes // 43200 % 12 + 1, minutes // 1440 % 28 + 1, minutes // 60 % 24, minutes % 60
    values: dict[str, object] = {
        "id": f"01934c3a-0000-7000-8000-{n:012d}",
        "at": f"2026-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:07.123456Z",
        "arena": "english",
        "a": a[1],
        "b": b[1],
        "repo_a": a[0],
        "repo_b": b[0],
        "vote": ("a", "b", "tie", "both_bad")[n * 7 % 4],
        "prompt": _SENTENCES[n % 4],
        "category": ("everyday", "numbers", "narration", "questions")[n % 4],
        "listener": ("Anna", "Ben", "l-7kq2m4xw9dphs3va")[n % 3],
        "station": "this machine" if n % 3 else "9f31c2aa",
        "state": state,
        "can_listen": n % 3 == 1,
        "can_retract": not state and n % 3 != 0,
    }
    return HistoryRow(**{**values, **changes})  # type: ignore[arg-type]


def votes(count: int, first: int = 0) -> tuple[HistoryRow, ...]:
    """``count`` votes, the newest first."""
    return tuple(vote_row(n) for n in range(first, first + count))


CHOICES = {
    "arenas": (Choice("english", "English"), Choice("cloned", "Cloned voices")),
    "models": tuple(Choice(repo_id, name) for repo_id, name in _MODELS),
    "listeners": (Choice("l-1", "Anna"), Choice("l-2", "Ben"), Choice("l-7kq2m4xw9dphs3va", "l-7kq2m4xw9dphs3va")),
    "categories": tuple(Choice(one, one) for one in ("everyday", "narration", "numbers", "questions")),
}
HISTORY = HistoryView(rows=votes(200), found=3412, total=3412, **CHOICES)  # type: ignore[arg-type]
HISTORY_FILTERED = HistoryView(
    filter=HistoryFilter(arena="english", model=_MODELS[0][0], other=_MODELS[2][0], vote="a"),
    rows=votes(14),
    found=14,
    total=3412,
    held_back=7,
    playing=vote_row(1).id,
    side="a",
    status=Line("The vote was taken back; no rating counts it any more."),
    **CHOICES,  # type: ignore[arg-type]
)
HISTORY_EMPTY = HistoryView()
HISTORY_NONE_FITS = HistoryView(filter=HistoryFilter(text="zebra"), total=3412, **CHOICES)  # type: ignore[arg-type]
LONG = "A voice with a name that nobody could ever read to its end on any screen " * 3
HISTORY_LONG = HistoryView(
    rows=tuple(
        vote_row(n, a=LONG, b=LONG + "2", prompt=LONG * 4, listener=LONG, station=LONG, state="taken back: " + LONG)
        for n in range(30)
    ),
    found=30,
    total=30,
    arenas=(Choice("english", LONG),),
    models=(Choice("long", LONG),),
    status=Line("The clips of this vote are no longer on this machine. " * 3, Tone.WARNING, LONG),
)

PREVIEW = ImportPreview(
    files=(
        ImportFile("/media/usb/lab panel/station one.jsonl.zst", "arena-votes/1", 1204),
        ImportFile("/media/usb/lab panel/old-arena.json", "records of the web arena", 318),
    ),
    new=1380,
    already=131,
    skipped_total=11,
    skipped=(
        ("old-arena.json", 12, "unknown vote"),
        ("old-arena.json", 47, "same model twice"),
        ("station one.jsonl.zst", 388, "hash does not match"),
    ),
    conflicts=1,
    unknown_models=("myshell-ai/MeloTTS", "suno/bark", "parler-tts/parler-tts-mini-v1"),
    unknown_arenas=("web",),
    legacy=307,
    aliases=(("kokoro-v1", "hexgrad/Kokoro-82M#af_heart"),),
    notes=(
        "14 records are dated more than a day ahead of the others: a clock jumped.",
        "The votes were cast under two questions; they are never counted together unasked.",
    ),
)
SHARE = ShareView(
    ExportWish(),
    records=3440,
    votes=3412,
    fields=(
        ShareField("Votes with models, times and conditions", True, 3412, "Kokoro, Heart – Piper, Amy: A is better"),
        ShareField("Listeners' pseudonyms", True, 3412, "l-7kq2m4xw9dphs3va"),
        ShareField("Sentences of the program", True, 3100, "The quick brown fox jumps over the lazy dog."),
        ShareField("Own sentences", False, 312, "Good morning, Mr. Whitaker"),
        ShareField("Sound devices", False, 3412, "USB Audio, Analog Stereo"),
        ShareField("Notes", False, 4, "mistyped"),
        ShareField("Names of listeners", False, 2, "Anna"),
    ),
    notes=("Pseudonyms stay the same from export to export: whoever has both logs can join them.",),
)
SYNC = SyncState(
    "/srv/Shared folder/arena",
    line=Line("Synchronised at 05:31: 12 new records from 2 machines, 40 sent."),
    problems=("9f31c2aa/000000000120.jsonl is half copied; it is read once it is whole.",),
)
IDLE = ExchangeView(sync=SYNC)
READING = ExchangeView(Step.READING, done=412_000, of=1_000_000, can_cancel=True, sync=SYNC)
PREVIEWED = ExchangeView(Step.PREVIEW, preview=PREVIEW, sync=SYNC)
STORING = ExchangeView(Step.STORING, done=900, unit="records", can_cancel=True, preview=PREVIEW, sync=SYNC)
IMPORTED = ExchangeView(
    Step.DONE, line=Line("1,380 records were imported, 3 models were added as rating-only."), sync=SYNC
)
SHARED = ExchangeView(Step.PREVIEW, share=SHARE, sync=SYNC)
WRITING = ExchangeView(Step.WRITING, done=2000, of=3440, can_cancel=True, share=SHARE, sync=SYNC)
WRITTEN = ExchangeView(Step.DONE, line=Line("3,440 records were written to /srv/votes.jsonl"), sync=SYNC)
SYNCING = ExchangeView(Step.SYNCING, done=120, can_cancel=True, sync=SYNC)
FAILED = ExchangeView(
    Step.FAILED,
    line=Line("The disk is full: nothing was imported.", Tone.ERROR, "Make 40 MB of room and import the files again."),
    sync=SYNC,
)
