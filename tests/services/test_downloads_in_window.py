"""Downloads through the window's services as they are put together: asked for, then brought, nothing before."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.services.download_views import Download, DownloadState
from tests.helpers.driver import Driver
from tests.helpers.local_hub import LocalHub, Made

FILES: dict[str, bytes | Made] = {"config.json": b'{"model_type": "vits"}', "model.safetensors": Made(300_000)}


def test_a_model_is_brought_when_asked_for_and_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_TOKEN", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with LocalHub(FILES) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        driver = Driver(tmp_path / "data")
        try:
            downloads = driver.services.downloads
            downloads.open()
            driver.until(lambda: driver.downloads_views, "view")
            assert driver.downloads_views[-1].endpoint == hub.url
            assert hub.asked == []
            downloads.look("acme/voice")
            offered = _until(driver, DownloadState.OFFERED)
            assert hub.requests("model.safetensors") == []
            downloads.start(offered.id)
            done = _until(driver, DownloadState.DONE)
        finally:
            driver.close()
    assert Path(done.place).is_relative_to(tmp_path / "data" / "models")
    assert (Path(done.place) / "model.safetensors").stat().st_size == 300_000


def _until(driver: Driver, state: DownloadState) -> Download:
    def reached() -> list[Download]:
        shown = driver.downloads_views[-1].downloads if driver.downloads_views else ()
        return [one for one in shown if one.state is state]

    look: Callable[[], object] = reached
    driver.until(look, str(state))
    return reached()[0]
