"""What the Models page shows of finds, speeds, set-ups and warnings, for tests and pictures."""

from dataclasses import replace

from arena_desktop.services.finders.found import FoundState
from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.services.measurements import Measured
from arena_desktop.services.views import Choice, Examined, Line, ModelRow, ModelsView, SetUpOffer, SetUpState, Tone
from tests.helpers import sample_views as sample

OFFER = SetUpOffer(
    "xtts",
    "Coqui XTTS",
    "5.2 GB",
    "Licence: Coqui Public Model License 1.0.0. Commercial use is not allowed.",
    needs_consent=True,
)
JOE, PICO = sample.MODELS.rows[1], sample.MODELS.rows[2]
XTTS = ModelRow(
    "local/my-xtts#0011aabb",
    "My XTTS",
    "xtts",
    "unknown",
    "coqui-public-model-license",
    ("English", "German"),
    ready=False,
    enabled=True,
    missing=(("the environment xtts", "Set it up."),),
    set_up=OFFER,
)
FAST = (
    Measured(JOE.repo_id, None, "cpu", "float32", 281.0, 1.42, 0.19, 0.093, "2026-12-02T09:00:00Z"),
    Measured(JOE.repo_id, None, "cuda", "float32", 640.0, 2.9, 0.02, 0.008, "2026-12-02T09:00:00Z"),
)
MODELS = ModelsView(
    rows=(
        replace(JOE, measured=FAST, examined=Examined(True, (), "2026-12-01T12:00:00Z")),
        replace(
            PICO,
            examined=Examined(False, ("cut ends", "wrong length"), "2026-12-01T12:00:00Z"),
            warning="This model's weights are a pickle, and opening it can run any code; your roster allows it.",
            busy="Measuring on cpu…",
        ),
        XTTS,
        replace(
            XTTS,
            repo_id="local/other-xtts#0011aabc",
            name="My other XTTS",
            set_up=replace(
                OFFER,
                state=SetUpState.RUNNING,
                done=1_700_000_000,
                total=5_200_000_000,
                words="Installing torch 2.13.0",
            ),
        ),
        replace(
            XTTS,
            repo_id="local/f5#0011aabd",
            name="F5",
            set_up=replace(
                OFFER,
                title="F5-TTS",
                state=SetUpState.FAILED,
                words="The disk is full: 0.4 GB are free and 5.2 GB are needed. Make room on it, then try again.",
            ),
        ),
    ),
    offers=frozenset({"examine", "measure"}),
)

READY = FoundRow(
    "0",
    "Piper thorsten (medium)",
    ("Piper voice", "German", "played by piper", "63.2 MB", "CC0"),
    "/media/ada/voices/de_DE-thorsten-medium.onnx",
    FoundState.READY,
    can_listen=True,
)
HEARD = replace(READY, id="1", title="mms-tts-fra", heard="-", can_add=True, playing=True)
HEARD = replace(
    HEARD,
    facts=("vits checkpoint for transformers", "French", "played by transformers", "145 MB", "cc-by-nc-4.0"),
    path="/media/ada/.cache/huggingface/hub/models--facebook--mms-tts-fra/snapshots/4d5d81e9a1f0",
)
SEVERAL = FoundRow(
    "2",
    "vctk",
    ("Piper voice", "English", "3 voices", "played by piper", "77.1 MB", "licence unknown"),
    "/media/ada/voices/en_GB-vctk-medium.onnx",
    FoundState.READY,
    voices=(Choice("p225", "p225"), Choice("p226", "p226"), Choice("p227", "p227")),
    can_listen=True,
)
NO_LANGUAGE = FoundRow(
    "3",
    "my-finetune",
    ("vits checkpoint for transformers", "played by transformers", "145 MB", "licence unknown"),
    "/media/ada/training/my-finetune",
    FoundState.READY,
    arenas=(Choice("english", "English"), Choice("german", "German")),
    can_listen=True,
    can_add=True,
    heard="-",
)
LACKING = FoundRow(
    "4",
    "speecht5_tts",
    ("speecht5 checkpoint for transformers", "English", "played by transformers", "585 MB", "mit"),
    "/media/ada/.cache/huggingface/hub/models--microsoft--speecht5_tts/snapshots/30fcde30f19b",
    FoundState.SET_UP,
    reason="Missing: the package torch",
    remedy='Run: `python3 "/opt/arena/packaging/bootstrap.py" torch`',
    can_add=True,
)
KNOWN = FoundRow(
    "5",
    "Piper joe (medium)",
    ("Piper voice", "English", "played by piper", "63.2 MB", "CC0"),
    "/media/ada/voices/en_US-joe-medium.onnx",
    FoundState.READY,
    reason="In the roster as Piper Joe.",
    in_roster=True,
)
CANT = FoundRow(
    "6",
    "whisper-small",
    ("whisper checkpoint", "967 MB", "apache-2.0"),
    "/media/ada/.cache/huggingface/hub/models--openai--whisper-small/snapshots/973afd24965f",
    FoundState.CANT,
    reason="A whisper model recognises speech.",
)
REFUSED = replace(
    READY,
    id="7",
    title="A copy of joe",
    told=Line(
        "It is in the roster already, as Piper Joe (rhasspy/piper-voices#joe).", Tone.WARNING, "Nothing was added."
    ),
)
FOUND = FoundView(
    words="8 found, 7 of them speech models that this program knows.",
    notes=("2 folders were left out: they can't be opened.",),
    rows=(READY, HEARD, SEVERAL, NO_LANGUAGE, LACKING, KNOWN, CANT, REFUSED),
    quiet="3 more voices were found on this disk.",
    own=frozenset({XTTS.repo_id, JOE.repo_id}),
)
