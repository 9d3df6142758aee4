"""What a hub says of a model: pinned, licensed, and never believed further than it can be checked."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena_desktop.domain.hub import HubModel
from arena_desktop.store.hub import listing
from arena_desktop.store.hub.faults import HubError
from arena_desktop.store.hub.listing import describe
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Patience, Wire
from tests.helpers.local_hub import COMMIT, LocalHub, Made

CARD = "/api/models/acme/voice/revision/main"
TREE = f"/api/models/acme/voice/tree/{COMMIT}"


@pytest.fixture
def hub(open_hub: Callable[..., LocalHub]) -> LocalHub:
    return open_hub({"config.json": b"{}", "sub/model.safetensors": Made(9000)})


@pytest.fixture
def look(hub: LocalHub, quick: Patience) -> Callable[..., HubModel]:
    def ask(repo: str = "acme/voice", revision: str = "main") -> HubModel:
        with Wire(hub.url, patience=quick) as wire:
            return describe(wire, repo, revision, Stopper())

    return ask


def test_a_model_is_pinned_to_its_commit_with_sizes_and_hashes(look: Callable[..., HubModel], hub: LocalHub) -> None:
    model = look()
    assert model.revision == COMMIT
    assert [(file.path, file.size) for file in model.files] == [("config.json", 2), ("sub/model.safetensors", 9000)]
    assert model.files[0].blob == hub.files["config.json"].hashes()[1]
    assert model.files[1].sha256 == hub.files["sub/model.safetensors"].hashes()[0]


def test_a_long_list_comes_in_pages(look: Callable[..., HubModel], hub: LocalHub) -> None:
    hub.files |= {f"voices/{number:03}.json": hub.files["config.json"] for number in range(25)}
    hub.page = 7
    assert len(look().files) == 27


@pytest.mark.parametrize(
    ("card", "license_", "url"),
    [
        ({"cardData": {"license": "mit"}}, "mit", ""),
        ({"cardData": {"license": ["mit", "cc0-1.0"]}}, "mit, cc0-1.0", ""),
        (
            {"cardData": {"license": "other", "license_name": "coqui", "license_link": "https://coqui.example/l"}},
            "coqui",
            "https://coqui.example/l",
        ),
        ({"cardData": {"license": "other", "license_link": "javascript:x"}}, "other", ""),
        ({"tags": ["tts", "license:cc-by-nc-4.0"]}, "cc-by-nc-4.0", ""),
        ({"cardData": {"license": {"a": 1}}, "tags": [1, None]}, "", ""),
        ({"cardData": "x"}, "", ""),
        ({"cardData": {"license": "mit\x1b[31m\nEvil"}}, "mit\N{REPLACEMENT CHARACTER}[31m Evil", ""),
    ],
)
def test_the_licence_is_that_of_the_card(
    look: Callable[..., HubModel], hub: LocalHub, card: dict[str, Any], license_: str, url: str
) -> None:
    hub.card = card
    model = look()
    assert (model.license, model.license_url) == (license_, url)


@pytest.mark.parametrize("gated", ["auto", "manual", True])
def test_a_gated_model_says_so(look: Callable[..., HubModel], hub: LocalHub, gated: object) -> None:
    hub.card = {"gated": gated}
    assert look().gated


def test_files_that_could_not_be_kept_or_checked_are_refused_with_the_reason(
    look: Callable[..., HubModel], hub: LocalHub
) -> None:
    good = {"type": "file", "size": 2, "oid": "a" * 40}
    hub.tree = [
        {**good, "path": "ok.json"},
        {**good, "path": "OK.json"},
        {**good, "path": "ok.json/inner"},
        {**good, "path": "dir/x"},
        {**good, "path": "DIR"},
        {**good, "path": "../../.bashrc"},
        {**good, "path": "con.txt"},
        {**good, "path": 5},
        {**good, "path": "a", "size": -1},
        {**good, "path": "b", "size": True},
        {**good, "path": "c", "size": "2"},
        {**good, "path": "d", "size": 10**20},
        {**good, "path": "e", "oid": None},
        {**good, "path": "f", "oid": "../x"},
        {**good, "path": "g", "lfs": {"size": 9, "oid": "../x"}},
        {**good, "path": "h", "lfs": {"size": 9}},
        {"type": "directory", "path": "folder"},
        None,
        [],
    ]
    model = look()
    assert [file.path for file in model.files] == ["dir/x", "ok.json"]
    assert len(model.refused) == 14
    assert dict(model.refused)["../../.bashrc"] == "its name leads out of its folder"
    assert dict(model.refused)["OK.json"].startswith("another file")
    assert dict(model.refused)["h"].endswith("could not be checked")


NO_HUB: list[tuple[str, bytes]] = [
    (CARD, b"<html>log in to the airport</html>"),
    (CARD, b""),
    (CARD, b"[]"),
    (CARD, b'{"sha": 5}'),
    (CARD, b'{"sha": "main"}'),
    (CARD, b"[" * 500_000),
    (CARD, b'{"a":' * 400_000),
    (TREE, b"{}"),
    (TREE, b"null"),
    (TREE, b"\xff\xfe"),
]


@pytest.mark.parametrize(("path", "body"), NO_HUB)
def test_what_is_no_answer_of_a_hub_is_told(
    look: Callable[..., HubModel], hub: LocalHub, path: str, body: bytes
) -> None:
    hub.answers[path] = (200, {}, body)
    with pytest.raises(HubError, match="doesn't answer as a model hub does"):
        look()


def test_an_answer_that_is_too_long_is_not_read_to_its_end(
    look: Callable[..., HubModel], hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_BYTES", 100_000)
    hub.answers[CARD] = (200, {}, json.dumps({"sha": COMMIT, "x": "y" * 200_000}).encode())
    with pytest.raises(HubError, match="more than 100,000 bytes"):
        look()


def test_too_many_files_and_a_list_without_an_end_are_told(
    look: Callable[..., HubModel], hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_PAGES", 3)
    hub.answers[TREE] = (200, {"Link": f'<{hub.url}{TREE}?cursor=1>; rel="next"'}, b"[]")
    with pytest.raises(HubError, match="has no end"):
        look()
    monkeypatch.setattr(listing, "MOST_FILES", 1)
    del hub.answers[TREE]
    with pytest.raises(HubError, match="more than 1 files"):
        look()


def test_a_list_that_goes_on_elsewhere_is_refused(look: Callable[..., HubModel], hub: LocalHub) -> None:
    hub.answers[TREE] = (200, {"Link": '<http://127.0.0.1:9/x>; rel="next"'}, b"[]")
    with pytest.raises(HubError, match="another hub"):
        look()


@pytest.mark.parametrize(("repo", "revision"), [("voice", "main"), ("../x/y", "main"), ("a/b", "../x"), ("a/b", "")])
def test_what_is_no_name_is_not_asked_for(
    look: Callable[..., HubModel], hub: LocalHub, repo: str, revision: str
) -> None:
    with pytest.raises(HubError, match="is no"):
        look(repo, revision)
    assert hub.asked == []


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (404, "RepoNotFound", "has no acme/voice at main"),
        (404, "RevisionNotFound", "no such revision"),
        (401, "RepoNotFound", "everybody may read"),
        (403, "GatedRepo", "accepted its terms"),
    ],
)
def test_a_model_that_is_not_to_be_had_says_why(
    look: Callable[..., HubModel], hub: LocalHub, status: int, code: str, words: str
) -> None:
    hub.answers[CARD] = (status, {"X-Error-Code": code}, b"")
    with pytest.raises(HubError, match=words) as caught:
        look()
    assert ("HF_TOKEN" in caught.value.remedy) == (status != 404)


@pytest.mark.parametrize(
    "address", ["", "hub", "ftp://h", "file:///etc/passwd", "http://", "https://ho st", "http://[::1"]
)
def test_what_is_no_address_of_a_hub_is_told(address: str) -> None:
    with pytest.raises(HubError, match=r"no address of a hub|can't be asked"), Wire(address) as wire:
        describe(wire, "a/b", "main", Stopper())


def test_a_bad_proxy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://x")
    with pytest.raises(HubError, match="proxy"):
        Wire("https://hub.example")


def test_a_proxy_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, quick: Patience) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(HubError, match="can't be reached"), Wire("http://hub.example", patience=quick) as wire:
        describe(wire, "a/b", "main", Stopper())
