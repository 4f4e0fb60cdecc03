"""Signed checkpoints of the audit log: its length and newest hash in a DSSE envelope, to be stored elsewhere."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from hcat.core.errors import FileFormatError
from hcat.core.records.audit import AuditEntry, ChainFault
from hcat.core.records.canonical import canonical_json
from hcat.core.records.signing import PublicKey, SigningKey, pre_authentication, seal

KIND = "application/vnd.hcat.audit-checkpoint+json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The log had `count` rows at a time, and the newest had this hash."""

    count: int
    hash: str
    at: str


def checkpoint_of(entries: Sequence[AuditEntry], at: datetime) -> Checkpoint:
    """The checkpoint of all rows of a log, which has at least one."""
    return Checkpoint(entries[-1].sequence, entries[-1].hash, at.astimezone(UTC).isoformat(timespec="seconds"))


def sealed(checkpoint: Checkpoint, key: SigningKey) -> bytes:
    """The checkpoint, signed by the key."""
    return seal(canonical_json(asdict(checkpoint)), kind=KIND, key=key)


def opened(content: bytes, key: PublicKey, *, name: str) -> Checkpoint:
    """The checkpoint in a file that `key` signed. FileFormatError if it is none, changed, or another key's."""
    try:
        envelope = json.loads(content)
        payload = base64.b64decode(envelope["payload"], validate=True)
        (signature,) = envelope["signatures"]
        signer, signed = str(signature["keyid"]), base64.b64decode(signature["sig"], validate=True)
        checkpoint = Checkpoint(**json.loads(payload))
        if envelope["payloadType"] != KIND or not isinstance(checkpoint.count, int):
            raise ValueError(KIND)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, binascii.Error):
        raise FileFormatError(f"{name} is no checkpoint: take a file that `hcat audit checkpoint` wrote") from None
    if signer != key.fingerprint:
        raise FileFormatError(f"{name} is signed by another key: {signer[:80]}, not {key.fingerprint}")
    if not key.verifies(signed, pre_authentication(KIND, payload)):
        raise FileFormatError(f"{name} was changed after it was signed: its signature does not fit")
    return checkpoint


def fault_against(checkpoint: Checkpoint, entries: Sequence[AuditEntry]) -> ChainFault | None:
    """The fault of a log with an intact chain that differs from the checkpoint's; None if it continues from there."""
    count = checkpoint.count
    if len(entries) < count:
        first, n = len(entries) + 1, count - len(entries)
        return ChainFault(
            first,
            f"row {first} is missing: the end of the log was cut by {n} {'row' if n == 1 else 'rows'}, "
            f"since it had {count} on {checkpoint.at}",
        )
    if count < 1 or entries[count - 1].hash != checkpoint.hash:
        return ChainFault(
            count, f"row {count} is not what it was on {checkpoint.at}: it or rows before it were rewritten"
        )
    return None
