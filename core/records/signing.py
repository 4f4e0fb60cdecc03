"""Signatures by the installation's key: Ed25519 (RFC 8032) over DSSE envelopes, and the file of the key."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError, StorageError
from hcat.core.records.atomic import write_once
from hcat.core.records.canonical import canonical_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PASSPHRASE_VARIABLE = "HCAT_SIGNING_KEY_PASSPHRASE"  # noqa: S105  a name


@dataclass(frozen=True)
class SigningKey:
    """A private key in memory; its `repr` shows the fingerprint alone."""

    _private: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"SigningKey({self.public.fingerprint})"

    @property
    def public(self) -> PublicKey:
        return PublicKey(self._private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes."""
        return self._private.sign(message)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The 32 bytes of an Ed25519 public key."""

    raw: bytes

    @property
    def fingerprint(self) -> str:
        """ "SHA256:" and the hash of the 32 bytes, as 64 hexadecimal digits."""
        return f"SHA256:{hashlib.sha256(self.raw).hexdigest()}"

    @property
    def pem(self) -> str:
        """The key as a PEM file (SubjectPublicKeyInfo), which openssl reads."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")

    def verifies(self, signature: bytes, message: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            self._key().verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def _key(self) -> Ed25519PublicKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(self.raw)


def read_public_key(content: bytes, *, name: str) -> PublicKey:
    """An Ed25519 public key from a PEM file. HcatError if it is not one."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise HcatError(f"{name} is no Ed25519 public key in PEM: take the one that `hcat key show` prints")
    return PublicKey(key.public_bytes_raw())


def open_key(path: Path, *, passphrase: str | None = None, make: bool = False) -> SigningKey:
    """The key in this PEM file (PKCS #8), which only its owner may read; with `make`, a new one if there is none.

    Two processes that make one at the same time get the same. HcatError or StorageError if the file can't be used."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if make and not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_once(path, _pem(Ed25519PrivateKey.generate(), passphrase))
    return SigningKey(_read(path, passphrase))


def _pem(key: Ed25519PrivateKey, passphrase: str | None) -> bytes:
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    sealed = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, sealed)


def _read(path: Path, passphrase: str | None) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        mode = path.stat().st_mode
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise HcatError(f"{path} can be read by others: make it private with `chmod 600 {path}`")
        key = load_pem_private_key(path.read_bytes(), passphrase.encode() if passphrase else None)
    except OSError as error:
        raise StorageError(f"the signing key {path} can't be read: {error.strerror}") from None
    except TypeError:
        said = f"{PASSPHRASE_VARIABLE} is not set" if passphrase is None else f"{path} has none: unset it"
        raise HcatError(f"the passphrase and the signing key do not fit: {said}") from None
    except (ValueError, UnsupportedAlgorithm):
        raise HcatError(f"{path} is no Ed25519 key in PEM (PKCS #8), or its passphrase is another") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise HcatError(f"{path} is not an Ed25519 key: make one with `openssl genpkey -algorithm ed25519`")
    return key


def pre_authentication(kind: str, payload: bytes) -> bytes:
    """The bytes that DSSE v1 signs: the length and text of the payload's type, then those of the payload."""
    return b"DSSEv1 %d %s %d %s" % (len(kind.encode()), kind.encode(), len(payload), payload)


def seal(payload: bytes, *, kind: str, key: SigningKey) -> bytes:
    """The payload in a DSSE envelope: canonical JSON with its signature by the key."""
    signature = key.sign(pre_authentication(kind, payload))
    return canonical_json(
        {
            "payload": base64.b64encode(payload).decode("ascii"),
            "payloadType": kind,
            "signatures": [
                {"keyid": key.public.fingerprint, "sig": base64.b64encode(signature).decode("ascii")},
            ],
        }
    )
