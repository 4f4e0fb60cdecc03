"""Keys and envelopes: against the vectors of RFC 8032 and of the DSSE protocol, and what a key file must be."""

import base64
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hcat.core.errors import HcatError
from hcat.core.records.signing import PublicKey, SigningKey, open_key, pre_authentication, read_public_key, seal

ROOT = Path(__file__).resolve().parents[3]
# RFC 8032, section 7.1, test 2
SECRET = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
SIGNATURE = (
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_a_signature_is_that_of_the_rfc() -> None:
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SECRET)))
    assert key.sign(b"\x72").hex() == SIGNATURE
    assert key.public == PublicKey(bytes.fromhex(PUBLIC))
    assert key.public.verifies(bytes.fromhex(SIGNATURE), b"\x72")
    assert not key.public.verifies(bytes.fromhex(SIGNATURE), b"\x73")


def test_what_is_signed_is_that_of_the_protocol() -> None:
    # the example of the DSSE protocol: "hello world" of type "http://example.com/HelloWorld"
    said = pre_authentication("http://example.com/HelloWorld", b"hello world")
    assert said == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_an_envelope_holds_the_payload_and_its_signature(tmp_path: Path) -> None:
    key = open_key(tmp_path / "key.pem", make=True)
    envelope = json.loads(seal(b"{}", kind="text/x", key=key))
    assert base64.b64decode(envelope["payload"]) == b"{}"
    signature = base64.b64decode(envelope["signatures"][0]["sig"])
    assert key.public.verifies(signature, b"DSSEv1 6 text/x 2 {}")
    assert envelope["signatures"][0]["keyid"] == key.public.fingerprint


def test_a_key_is_made_once_private_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "store" / "key.pem"
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: open_key(path, make=True).public, range(8)))
    assert len(set(keys)) == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["key.pem"]
    assert repr(open_key(path)) == f"SigningKey({keys[0].fingerprint})"
    assert read_public_key(keys[0].pem.encode(), name="k") == keys[0]


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    open_key(path, make=True)
    path.chmod(0o640)
    with pytest.raises(HcatError, match=r"can be read by others: make it private with `chmod 600"):
        open_key(path)


def test_a_key_under_a_passphrase(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    made = open_key(path, passphrase="correct horse", make=True)
    assert open_key(path, passphrase="correct horse").public == made.public
    with pytest.raises(HcatError, match="HCAT_SIGNING_KEY_PASSPHRASE is not set"):
        open_key(path)
    with pytest.raises(HcatError, match="or its passphrase is another"):
        open_key(path, passphrase="battery staple")


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n"]
)
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(HcatError, match="is no Ed25519 key in PEM"):
        open_key(path)
    with pytest.raises(HcatError, match=r"key\.pem is no Ed25519 public key"):
        read_public_key(content, name="key.pem")


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    path = tmp_path / "key.pem"
    path.write_bytes(
        other.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    path.chmod(0o600)
    with pytest.raises(HcatError, match="is not an Ed25519 key"):
        open_key(path)


def test_the_command_shows_the_key_of_the_store(tmp_path: Path) -> None:
    environment = {"HCAT_DATABASE_URL": f"sqlite:///{tmp_path}/hcat.db", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "from hcat.dashboard.cli import main; main()", "key", "show", "--json"]
    shown = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    assert shown[0].stdout == shown[1].stdout
    document = json.loads(shown[0].stdout)
    made = open_key(tmp_path / "signing_key.pem").public
    assert (document["fingerprint"], document["public_key"]) == (made.fingerprint, made.pem)


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        (None, 0o600, "can't be read"),
        ("no key", 0o600, "is no Ed25519 key"),
        ("no key", 0o644, "chmod 600"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong_with_the_key(
    tmp_path: Path, content: str | None, mode: int, said: str
) -> None:
    path = tmp_path / "bank.pem"
    if content is not None:
        path.write_text(content)
        path.chmod(mode)
    environment = {"HCAT_SIGNING_KEY": str(path), "HCAT_DATABASE_URL": f"sqlite:///{tmp_path}/hcat.db"}
    command = [sys.executable, "-c", "from hcat.dashboard.cli import main; main()", "key", "show"]
    ended = subprocess.run(
        command, env={**environment, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert said in ended.stderr and "bank.pem" in ended.stderr
    assert not (tmp_path / "signing_key.pem").exists()
