"""Views as the services would send them, for tests and for the pictures in the documentation."""

from dataclasses import replace

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.views import (
    BoardRow,
    BoardView,
    Choice,
    DeviceChoice,
    Line,
    ListenView,
    ModelRow,
    ModelsView,
    Phase,
    PreparingView,
    PromptSource,
    ReferenceView,
    RevealedModel,
    RevealView,
    SetLine,
    Tone,
)

ARENAS = (Choice("english", "English"), Choice("german", "German"))

PREPARING_MANY = PreparingView(
    can_stop=True, line=Line("Preparing battles: 34 of 100 clips, about 4 min left."), share=0.34
)
OFFERED = PreparingView("Prepare 50 battles (about 6 min)", can_prepare=True)

READY = ListenView(
    phase=Phase.READY,
    battle=12,
    question="Which voice sounds more natural?",
    prompt_text="The museum closes at half past five, but the garden stays open until the last visitor has gone home.",
    prompt_category="Everyday",
    playing=Side.B,
    side=Side.B,
    position=0.42,
    heard_a=1.0,
    heard_b=0.42,
    can_play=True,
    can_vote=False,
    can_skip=True,
    can_undo=True,
    status=Line("Listen to both samples; Sample B is still to be heard."),
    votes_cast=11,
    volume_db=-3.0,
    arenas=ARENAS,
    arena="english",
    listeners=(Choice("l-aaaaaaaaaaaaaaaa", "Me"), Choice("l-bbbbbbbbbbbbbbbb", "Ada")),
    listener="l-aaaaaaaaaaaaaaaa",
    categories=(Choice("everyday", "Everyday"), Choice("numbers", "Numbers and names"), Choice("emotion", "Emotion")),
    prompts=PromptSource(),
)
CLONES = replace(
    READY,
    playing=None,
    side=None,
    question="Which sounds more like the reference?",
    reference=ReferenceView(offered=True, can_play=True, playing=True),
    status=Line("Sample B is still to be heard."),
)
NO_REFERENCE = replace(
    CLONES, reference=ReferenceView(offered=True, why="The clip that both voices clone can't be read any more.")
)
OPEN = replace(
    READY,
    playing=None,
    heard_b=1.0,
    position=1.0,
    gate_open=True,
    can_vote=True,
    status=Line("Your vote: 1 for A, 2 for B, 3 for a tie, 4 if both are bad."),
)
REVEAL = RevealView(
    vote=Vote.B,
    a=RevealedModel("svox/pico#en-GB", "SVOX Pico, British", "en-GB", "unknown", 1004.2, 991.8),
    b=RevealedModel("hexgrad/Kokoro-82M#af_heart", "Kokoro, Heart", "af_heart", "82M", 1020.0, 1032.4),
    sentences=(
        "You preferred “Kokoro, Heart” over “SVOX Pico, British”.",
        (
            "You prefer “Kokoro, Heart” over “SVOX Pico, British” 7 of 9 times: likely, not yet sure; "
            "about 41 more votes on this pair would tell."
        ),
    ),
)
REVEALED = replace(
    OPEN,
    phase=Phase.REVEALED,
    can_vote=False,
    can_skip=False,
    can_next=True,
    votes_cast=12,
    reveal=REVEAL,
    status=Line("Vote saved. N or Enter for the next battle."),
)
TAKEN_BACK = replace(
    REVEALED,
    can_undo=False,
    votes_cast=11,
    reveal=replace(REVEAL, taken_back=True),
    status=Line("The vote was taken back. N or Enter for the next battle."),
)
SET_LINES = tuple(
    SetLine(
        READY.prompt_text if n % 3 else f"Sentence number {n}.",
        "Kokoro, Heart" if n % 2 else "SVOX Pico, American",
        "Piper, Joe",
        tuple(Vote)[n % 4],
    )
    for n in range(1, 21)
)
SET = replace(REVEALED, held_back=(20, 20), reveal=replace(REVEAL, set_lines=SET_LINES))
SET_TAKEN_BACK = replace(SET, reveal=replace(REVEAL, set_lines=SET_LINES, taken_back=True))
PREPARING = ListenView(
    phase=Phase.PREPARING,
    question=READY.question,
    arenas=ARENAS,
    arena="english",
    listeners=READY.listeners,
    listener=READY.listener,
    categories=READY.categories,
    status=Line("Two voices are reading the first sentence…"),
)
BLOCKED = replace(
    PREPARING,
    phase=Phase.BLOCKED,
    status=Line(
        "No sound device was found.", Tone.ERROR, "Plug in headphones, then choose them under Settings (Ctrl+6)."
    ),
)

HELD_BACK = replace(REVEALED, reveal=None, held_back=(7, 20), silent=True)
OWN_TEXT = replace(
    READY,
    prompt_text="It was the strangest thing. " * 14,
    prompt_category="",
    prompts=PromptSource(kind="own", text="It was the strangest thing."),
    playing=None,
    paused=True,
)


def row(repo_id: str, name: str, place: int, votes: int, rating: float | None = 1000.0) -> BoardRow:
    """One board row; without a rating the model has no game yet."""
    rated = rating is not None and votes > 0
    half = 400 / max(votes, 1) ** 0.5
    centre = rating or 0.0
    return BoardRow(
        repo_id=repo_id,
        name=name,
        params="82M" if "Kokoro" in name else "unknown",
        params_m=82 if "Kokoro" in name else 0,
        rating=centre if rated else None,
        low=centre - half if rated else None,
        high=centre + half if rated else None,
        rank=place if rated else None,
        rank_low=max(1, place - 1) if rated else None,
        rank_high=place + 1 if rated else None,
        tier=1 + place // 4 if rated else None,
        elo=1000.0 + (centre - 1000) / 2 if rated else 1008.0,
        head_start=1000.0 + (centre - 1000) / 3 if rated else 1008.0,
        battles=votes,
        wins=votes // 2,
        losses=votes // 4,
        ties=votes // 8,
        both_bad=votes - votes // 2 - votes // 4 - votes // 8,
        acceptable=0.9 if rated else None,
    )


BOARD = BoardView(
    arena="english",
    arenas=ARENAS,
    title="English, for you",
    votes=104,
    rows=(
        row("hexgrad/Kokoro-82M#af_heart", "Kokoro, Heart", 1, 40, 1142.0),
        row("hexgrad/Kokoro-82M#bf_emma", "Kokoro, Emma", 2, 36, 1088.0),
        row("hexgrad/Kokoro-82M#am_michael", "Kokoro, Michael", 3, 31, 1051.0),
        row("local/hibari#heart", "Hibari, Heart", 4, 28, 1012.0),
        row("rhasspy/piper-voices#joe", "Piper, Joe", 5, 30, 968.0),
        row("svox/pico#en-US", "SVOX Pico, American", 6, 22, 891.0),
        row("svox/pico#en-GB", "SVOX Pico, British", 7, 21, 848.0),
        row("espeak-ng/espeak-ng#en", "eSpeak NG", 8, 0, None),
    ),
    notes=("Four votes are held back until their set is complete.",),
)
MODELS = ModelsView(
    rows=(
        ModelRow(
            "hexgrad/Kokoro-82M#af_heart",
            "Kokoro, Heart",
            "kokoro",
            "82M",
            "Apache-2.0",
            ("english",),
            ready=False,
            enabled=True,
            missing=(
                (
                    "the file model_quantized.onnx (88 MB)",
                    "Fetch it once with `npm pack kokoro-js@1.2.1`, then press Check again.",
                ),
            ),
        ),
        ModelRow(
            "rhasspy/piper-voices#joe",
            "Piper, Joe",
            "piper",
            "16M",
            "CC0-1.0",
            ("english",),
            ready=True,
            enabled=True,
            device="cpu",
        ),
        ModelRow(
            "svox/pico#en-GB",
            "SVOX Pico, British",
            "pico",
            "unknown",
            "Apache-2.0",
            ("english",),
            ready=True,
            enabled=False,
            failures=(("hang", 2), ("silence", 1)),
            last_failure="It did not answer within 30 s on a text of 300 letters.",
            device="cpu",
        ),
    ),
    notices=(
        Line(
            "There is an NVIDIA GPU, but this torch can't use it.",
            Tone.WARNING,
            "Install the CUDA build: python3 packaging/bootstrap.py run",
        ),
    ),
)
DEVICES = (
    DeviceChoice(None, "System default"),
    DeviceChoice("Headphones", "Headphones"),
    DeviceChoice("HDMI", "HDMI", present=False),
)
