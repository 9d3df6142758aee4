"""Tokens: where they are looked for, and which hub ever sees one."""

from pathlib import Path

import pytest

from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.tokens import find_token
from arena_desktop.store.hub.wire import Wire

HF = "https://huggingface.co"
MIRROR = "https://mirror.example"


def _nothing(service: str, name: str) -> str | None:
    return None


def test_hugging_face_s_token_is_for_hugging_face(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("hf_file\n", encoding="ascii")
    by_file = {"HF_HOME": str(tmp_path)}
    assert find_token(HF, {"HF_TOKEN": "hf_env", **by_file}, _nothing) == "hf_env"
    assert find_token(HF + "/", by_file, _nothing) == "hf_file"
    assert find_token(HF, {"HF_TOKEN_PATH": str(tmp_path / "token")}, _nothing) == "hf_file"
    for other in (MIRROR, "http://huggingface.co", "https://huggingface.co.evil.example", "https://x@huggingface.co"):
        assert find_token(other, {"HF_TOKEN": "hf_env", **by_file}, _nothing) == ""


def test_the_hub_that_the_environment_names_may_see_it() -> None:
    environ = {"HF_TOKEN": "hf_env", "HF_ENDPOINT": MIRROR + "/"}
    assert find_token(MIRROR, environ, _nothing) == "hf_env"


def test_a_keyring_holds_one_for_each_address() -> None:
    def keyring(service: str, name: str) -> str | None:
        return {("arena-desktop", MIRROR): "m_1"}.get((service, name))

    assert find_token(MIRROR, {}, keyring) == "m_1"
    assert find_token(HF, {}, keyring) == ""


def test_a_keyring_that_fails_or_holds_junk_is_passed_over(tmp_path: Path) -> None:
    def broken(service: str, name: str) -> str | None:
        raise RuntimeError("no desktop to ask on")

    empty = {"HF_HOME": str(tmp_path)}
    assert find_token(HF, {"HF_TOKEN": "hf_env", **empty}, broken) == "hf_env"
    for junk in ("", "two words", "line\nbreak", "ü", "x" * 5000):
        assert find_token(HF, {"HF_TOKEN": junk, **empty}, _nothing) == ""
    assert find_token(HF, empty, None) == ""  # the library is an extra; here it is not installed


def test_a_token_goes_nowhere_unencrypted() -> None:
    from arena_desktop.store.hub import wire as module

    assert module._private(("https", "hub.example", 443))
    assert module._private(("http", "127.0.0.1", 80))
    assert module._private(("http", "::1", 80))
    assert not module._private(("http", "hub.example", 80))
    assert not module._private(("http", "10.0.0.5", 80))
    assert not module._private(("http", "127.0.0.1.evil.example", 80))


def test_a_token_stands_in_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with (
        Wire("http://127.0.0.1:9", "hf_secret") as wire,
        pytest.raises(Exception, match="reached") as caught,
        caplog.at_level(0),
        wire.get("http://127.0.0.1:9/x", "x", Stopper()),
    ):
        pass
    assert "hf_secret" not in repr(caught.value) + str(caught.value) + caplog.text
