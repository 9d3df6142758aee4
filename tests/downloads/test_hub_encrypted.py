"""Encrypted hubs: a certificate that nobody vouches for is refused, a trusted one is used, and stopping works there,
too.
"""

import datetime
import ipaddress
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from arena_desktop.domain.hub_selection import pick
from arena_desktop.services.download_work import DownloadWork
from arena_desktop.store.hub.faults import HubError, Stopped
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Patience
from tests.helpers.local_hub import Fault, LocalHub, Made

FILES: dict[str, bytes | Made] = {"model.safetensors": Made(1_000_000, seed=1)}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "local hub")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "hub.pem"
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, form, plain) + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


def test_a_certificate_that_nobody_vouches_for_is_refused(
    open_hub: Callable[..., LocalHub], certificate: Path, tmp_path: Path, quick: Patience
) -> None:
    hub = open_hub(FILES, certificate=certificate)
    with pytest.raises(HubError, match=r"certificate of 127\.0\.0\.1 can't be trusted") as caught:
        DownloadWork(tmp_path, patience=quick).look("acme/voice", "main", hub.url, Stopper())
    assert "SSL_CERT_FILE" in caught.value.remedy
    assert hub.asked == []


def test_an_encrypted_hub_that_is_none_is_told(
    open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience
) -> None:
    hub = open_hub(FILES)
    with pytest.raises(HubError, match="No encrypted connection"):
        DownloadWork(tmp_path, patience=quick).look("acme/voice", "main", hub.url.replace("http:", "https:"), Stopper())


def test_a_trusted_hub_is_stopped_at_once_and_gone_on_with(
    open_hub: Callable[..., LocalHub], certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    hub = open_hub(FILES, certificate=certificate)
    hub.fault("model.safetensors", Fault(after=400_000, stall=True))
    work = DownloadWork(tmp_path, patience=Patience(silence=60))
    model = work.look("acme/voice", "main", hub.url, Stopper())
    files = [one.file for one in pick(model.files)]
    stopper = Stopper()
    here, ended = [0], list[BaseException]()

    def bring() -> None:
        try:
            work.bring(model, files, stopper, lambda now, rate, words: here.__setitem__(0, now))
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=bring)
    thread.start()
    while here[0] < 400_000:
        time.sleep(0.005)
    stopper.stop()
    thread.join(20)
    assert isinstance(ended[0], Stopped)
    place = work.bring(model, files, Stopper(), lambda *_: None)
    assert (place / "model.safetensors").read_bytes() == Made(1_000_000, seed=1).whole()
    assert hub.requests("model.safetensors")[-1].range == "bytes=400000-"
