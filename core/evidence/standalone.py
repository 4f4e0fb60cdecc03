"""Check a signed evidence pack without hcat: Python 3.9 or later and the package "cryptography" are all it takes.

    python verify_evidence.py PACK.zip [PUBLIC_KEY.pem]

PACK may also be a folder with the files that are attached to a report in PDF. It checks that the key signed the
manifest, that each file has the SHA-256 that it names, that nothing was added or removed, and that no row of the label
log was changed, dropped, moved or cut off. Exit 0: all holds. Exit 1: each line names what differs.
It can't check who holds the key: compare the fingerprint with one that the signer gave you by another way.
"""
# ruff: noqa: UP006, UP035, UP045  for Python 3.9

import base64
import hashlib
import json
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, Dict, List, Optional, Set, Tuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

MANIFEST, ENVELOPE, ENDING, LOG = "manifest.json", "manifest.dsse.json", ".dsse.json", "label_log.jsonl"
STATEMENT = "https://in-toto.io/Statement/v1"
MOST_BYTES, MOST_FILES, MOST_SIGNED = 400_000_000, 2_000, 20_000_000
BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError)
Files = Dict[str, bytes]


class UnreadableError(Exception):
    """The pack can't be read at all; the message says why."""


def read_files(pack: Path | BinaryIO) -> Files:
    """The files of the pack by name. UnreadableError where it is no zip file, or one that is made to do harm."""
    if isinstance(pack, Path) and pack.is_dir():
        return {file.name: file.read_bytes() for file in sorted(pack.iterdir()) if file.is_file()}
    try:
        with zipfile.ZipFile(pack) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_BYTES:
                raise UnreadableError(f"it holds more than {MOST_FILES:,} files or {MOST_BYTES // 10**6:,} MB")
            files: Files = {}
            for entry in entries:
                name = entry.filename
                if name in files:
                    raise UnreadableError(f"two of its files have one name: {name!r}")
                if name[:1] in ("/", "\\") or ".." in name.replace("\\", "/").split("/") or ":" in name:
                    raise UnreadableError(f"a file of it has a name that leads elsewhere: {name!r}")
                with archive.open(entry) as file:
                    files[name] = file.read(entry.file_size + 1)  # at most what it says it holds
            return files
    except BROKEN as error:
        raise UnreadableError(f"it is no zip file, or a broken one: {error}") from None


def check(files: Files, key: Optional[bytes] = None, *, whole: bool = True) -> Tuple[List[str], Dict[str, Any]]:
    """What differs from what was signed, one line each, and what the manifest says.

    `key` are the 32 bytes of the signer's public key; without it the one in the pack is taken, which proves nothing of
    who signed. `whole`: every file that was signed must be there; else only some are, as in a PDF.
    """
    if ENVELOPE not in files:
        return [f"{ENVELOPE}: it is missing, so that nothing is proved"], {}
    problems: List[str] = []
    signed: Dict[str, str] = {}
    said: Dict[str, Any] = {}
    signers: Set[bytes] = set()
    for name in sorted(name for name in files if name.endswith(ENDING)):
        try:
            payload, statement, signer, wrong = open_envelope(files[name], key)
            subjects = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
            about = dict(statement["predicate"])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            problems.append(f"{name}: it is no signed statement")
            continue
        problems += [f"{name}: {each}" for each in wrong]
        signers.add(signer)
        signed.update(subjects)
        if name == ENVELOPE:
            said, signed[MANIFEST] = about, hashlib.sha256(payload).hexdigest()
        elif about.get("manifest") != hashlib.sha256(files.get(MANIFEST, b"")).hexdigest():
            problems.append(f"{name}: it belongs to another manifest")
    if len(signers) > 1:
        problems.append("the envelopes are signed by different keys")
    for name, digest in sorted(signed.items()):
        if name in files and hashlib.sha256(files[name]).hexdigest() != digest:
            problems.append(f"{name}: it is not what was signed")
        elif name not in files and (whole or name == MANIFEST):
            problems.append(f"{name}: it was signed and is missing")
    problems += [f"{x}: it was not signed" for x in sorted(files) if x not in signed and not x.endswith(ENDING)]
    return problems + check_log(files.get(LOG), said.get("label_log")), said


def open_envelope(content: bytes, key: Optional[bytes]) -> Tuple[bytes, Dict[str, Any], bytes, List[str]]:
    """The payload of a DSSE envelope, the statement that it is, the key that it names, and what is wrong with it."""
    if len(content) > MOST_SIGNED:
        raise ValueError
    envelope = json.loads(content)
    payload, kind = base64.b64decode(envelope["payload"], validate=True), envelope["payloadType"].encode()
    [signature] = envelope["signatures"]
    statement = json.loads(payload)
    if statement["_type"] != STATEMENT:
        raise ValueError
    stated = base64.b64decode(statement["predicate"]["public_key"], validate=True)
    signer = stated if key is None else key
    problems = []
    if stated != signer:
        problems.append(f"it names another key than you did: {fingerprint(stated)}")
    if signature["keyid"] != fingerprint(stated):
        problems.append("the key beside the signature is another than in the statement")
    try:
        signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
        Ed25519PublicKey.from_public_bytes(signer).verify(base64.b64decode(signature["sig"], validate=True), signed)
    except InvalidSignature:
        problems.append("the signature does not fit: it, the statement or the key is another")
    return payload, statement, stated, problems


def check_log(content: Optional[bytes], stated: Any) -> List[str]:
    """The first row of the label log that does not follow from the one before it, or that the end is another.

    A row is {"chain":"…","row":{…}}: the chain is the SHA-256 of the chain before it and the bytes of the row.
    """
    if content is None or not isinstance(stated, dict):
        return []
    chain, lines = "0" * 64, content.split(b"\n")[:-1]
    for number, line in enumerate(lines, start=1):
        chain = hashlib.sha256(chain.encode() + line[82:-1]).hexdigest()
        if line[:82] != b'{"chain":"' + chain.encode() + b'","row":':
            return [f"{LOG}: row {number} was changed, added or moved, or the row before it was dropped"]
    if len(lines) != stated.get("rows"):
        return [f"{LOG}: it has {len(lines)} rows, and {stated.get('rows')} were signed: its end was cut or added"]
    return [] if chain == stated.get("head") else [f"{LOG}: its rows are others than those that were signed"]


def fingerprint(raw: bytes) -> str:
    """How a public key is told from others."""
    return "SHA256:" + hashlib.sha256(raw).hexdigest()


def main(pack: str, key_file: str = "") -> int:
    """Print what differs, or by whom all was signed."""
    try:
        key: Any = load_pem_public_key(Path(key_file).read_bytes()) if key_file else None
        problems, said = check(read_files(Path(pack)), key and key.public_bytes_raw())
    except (UnreadableError, *BROKEN, AttributeError, UnsupportedAlgorithm) as error:
        problems, said = [f"{pack} {key_file}: {error}"], {}
    whose = "the key that you named" if key_file else "a key that you did not name"
    signer = fingerprint(base64.b64decode(said.get("public_key", "")))
    sys.stdout.write("\n".join(problems or [f"Nothing differs from what {whose} signed: {signer}"]) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) > 1 else __doc__)
