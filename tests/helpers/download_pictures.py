"""Pictures of the dialog for downloads: ``python -m tests.helpers.download_pictures DIR``, light and dark, at 100 % and
200 %, wide and narrow.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from arena_desktop.services.download_views import Download, DownloadState, DownloadsView, OfferedFile
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.downloads.dialog import DownloadDialog
from arena_desktop.ui.theme import Theme

HUB = "https://huggingface.co"
COMMIT = "f3ff3571791e39611d31c381e3a41a3af07b4987"
FILES = (
    OfferedFile("config.json", 2_351, wanted=True),
    OfferedFile("kokoro-v1_0.pth", 327_212_226, wanted=True, pickle=True),
    OfferedFile("voices/af_heart.pt", 523_425, wanted=True, pickle=True),
    OfferedFile("model.safetensors", 145_000_000, wanted=True),
    OfferedFile(
        "pytorch_model.bin", 145_000_000, wanted=False, why="the same weights are there as safetensors", pickle=True
    ),
    OfferedFile(
        "samples/a_rather_long_name_of_a_picture_that_shows_a_spectrogram.png",
        812_000,
        wanted=False,
        why="a picture, a film or a table",
    ),
)
OFFERED = Download(
    1,
    "hexgrad/Kokoro-82M",
    DownloadState.OFFERED,
    revision=COMMIT,
    endpoint=HUB,
    license="apache-2.0",
    files=FILES,
    refused=(("../../.bashrc", "its name leads out of its folder"),),
    of=472_738_002,
)
RUNNING = Download(
    2,
    "facebook/mms-tts-deu",
    DownloadState.RUNNING,
    revision=COMMIT,
    endpoint=HUB,
    license="cc-by-nc-4.0",
    files=FILES[:1],
    here=61_300_000,
    of=145_002_351,
    rate=4_120_000,
)
TROUBLED = Download(
    3,
    "an-organisation-with-a-long-name/a-model-with-an-even-longer-name-v2.5-multilingual",
    DownloadState.RUNNING,
    revision=COMMIT,
    endpoint=HUB,
    files=FILES[:1],
    here=900_000,
    of=2_645_002_351,
    line=Line("huggingface.co has fallen silent. It is tried again in 8 s.", Tone.WARNING),
)
STOPPED = Download(
    4,
    "SWivid/F5-TTS",
    DownloadState.STOPPED,
    revision=COMMIT,
    endpoint=HUB,
    license="cc-by-nc-4.0",
    files=FILES[:3],
    here=300_000_000,
    of=327_738_002,
    line=Line("Stopped. What has arrived is kept."),
)
DONE = Download(
    5,
    "suno/bark-small",
    DownloadState.DONE,
    revision=COMMIT,
    endpoint=HUB,
    license="mit",
    files=FILES[:1],
    here=2_351,
    of=2_351,
    place="/data/models/suno--bark-small/f3ff3571791e",
    line=Line("Whole and checked."),
)
FAILED = Download(
    6,
    "acme/secret",
    DownloadState.FAILED,
    endpoint="https://mirror.example",
    line=Line(
        "mirror.example has no model acme/secret at main that everybody may read.",
        Tone.ERROR,
        "Check how its name is written. If it is private or gated: log in at the hub in your browser.",
    ),
)
PICTURES = (
    ("download-empty", DownloadsView(HUB)),
    ("download-offered", DownloadsView(HUB, (OFFERED,))),
    ("download-several", DownloadsView(HUB, (DONE, STOPPED, TROUBLED, RUNNING))),
    ("download-failed", DownloadsView(HUB, (FAILED,))),
)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size")
    parser.add_argument("--suffix", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.size is None:
        for scale, size, suffix in (("1", "720x660", ""), ("2", "720x660", "-200"), ("1", "430x520", "-narrow")):
            command = [sys.executable, "-m", "tests.helpers.download_pictures", str(options.folder)]
            environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "QT_SCALE_FACTOR": scale}
            subprocess.run([*command, f"--suffix={suffix}", "--size", size], check=True, env=environment)
        return
    wide, high = (int(part) for part in options.size.split("x"))
    app = QApplication(["pictures"])
    for mode in ("light", "dark"):
        theme = Theme(app, mode)
        theme.dress()
        for name, view in PICTURES:
            dialog = DownloadDialog(theme)
            dialog.show_view(view)
            dialog.resize(wide, high)
            dialog.show()
            for _ in range(5):
                app.processEvents()
            dialog.grab().save(str(options.folder / f"{name}-{mode}{options.suffix}.png"))
            dialog.close()
            dialog.deleteLater()


if __name__ == "__main__":
    main()
