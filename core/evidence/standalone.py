"""Check a signed evidence pack without hcat: Python 3.9 or later and the package "cryptography" are all it takes.

    python verify_evidence.py PACK.zip [PUBLIC_KEY.pem]

PACK may also be a folder with the files that are attached to a report in PDF. It checks that the key signed the
manifest, that each file is the one that the manifest names by its SHA-256, that nothing was added or removed, and that
no row of the label log was changed, dropped, moved or cut off. Exit 0: all holds. Exit 1: each line names what differs.
It can't check who holds the key: compare the fingerprint with one that you got from the signer by another way.
"""

import base64
import binascii
import hashlib
import json
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Dict, List, Optional, Tuple  # noqa: UP035  for Python 3.9

MANIFEST, ENVELOPE, ENDING, LOG = "manifest.json", "manifest.dsse.json", ".dsse.json", "label_log.jsonl"
STATEMENT = "https://in-toto.io/Statement/v1"
MOST_BYTES, MOST_FILES = 1_000_000_000, 10_000
Files = Dict[str, bytes]  # noqa: UP006


class Unreadable(Exception):
    """The pack can't be read at all; the message says why."""


def read_files(path: Path) -> Files:
    """The files of the pack by name. Unreadable where it is no zip file, or one that is made to do harm."""
    if path.is_dir():
        return {file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.is_file()}
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            if len(names) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise Unreadable(f"it holds more than {MOST_FILES:,} files or {MOST_BYTES // 10**6:,} MB")
            for name in names:
                if names.count(name) > 1 if len(names) < 100 else len(set(names)) < len(names):
                    raise Unreadable(f"two of its files have one name: {name!r}")
                if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") or "\0" in name:
                    raise Unreadable(f"a file of it has a name that leads elsewhere: {name!r}")
            files = {}
            for entry in entries:
                with archive.open(entry) as file:
                    files[entry.filename] = file.read(entry.file_size + 1)  # what is declared, whatever is inside
            return files
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError) as error:
        raise Unreadable(f"it is no zip file, or a broken one: {error}") from None


def open_envelope(name: str, content: bytes, key: Optional[bytes]) -> Tuple[dict, bytes, List[str]]:  # type: ignore[type-arg] # noqa: UP006,UP045
    """The statement of a DSSE envelope, the raw key that it must be signed by, and what is wrong with it."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        envelope = json.loads(content)
        payload = base64.b64decode(envelope["payload"], validate=True)
        kind = envelope["payloadType"].encode()
        signature = base64.b64decode(envelope["signatures"][0]["sig"], validate=True)
        keyid = envelope["signatures"][0]["keyid"]
        statement = json.loads(payload)
        subjects = [(each["name"], each["digest"]["sha256"]) for each in statement["subject"]]
        stated = base64.b64decode(statement["predicate"]["public_key"], validate=True)
        signer = Ed25519PublicKey.from_public_bytes(stated if key is None else key)
        if statement["_type"] != STATEMENT or not all(isinstance(x, str) for pair in subjects for x in pair):
            raise ValueError
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, binascii.Error, RecursionError):
        return {}, b"", [f"{name}: it is no signed statement of hcat"]
    raw = stated if key is None else key
    problems = [] if len(envelope["signatures"]) == 1 else [f"{name}: it has {len(envelope['signatures'])} signatures"]
    if key is not None and stated != key:
        problems.append(f"{name}: it is signed by another key than the one named, by {fingerprint(stated)}")
    try:
        signer.verify(signature, b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload))
    except InvalidSignature:
        problems.append(f"{name}: the signature does not fit: statement or signature was changed")
    if keyid != fingerprint(raw):
        problems.append(f"{name}: it names another key than the one that it is checked by")
    return {"payload": payload, "subjects": dict(subjects), "predicate": statement["predicate"]}, stated, problems


def check(files: Files, key: Optional[bytes] = None, *, whole: bool = True) -> Tuple[List[str], dict]:  # type: ignore[type-arg] # noqa: UP006,UP045
    """What differs from what was signed, one line each, and the predicate of the manifest.

    `key` are the 32 bytes of the signer's public key; without it the one in the pack is taken, which proves nothing of
    who signed. `whole`: every file that was signed must be there; else only some are, as in a PDF.
    """
    if ENVELOPE not in files:
        return [f"{ENVELOPE}: it is missing, so that nothing is proved"], {}
    problems: List[str] = []  # noqa: UP006
    signed: Dict[str, str] = {}  # noqa: UP006
    predicate: dict = {}  # type: ignore[type-arg]
    signers = set()
    for name in sorted(name for name in files if name.endswith(ENDING)):
        statement, signer, wrong = open_envelope(name, files[name], key)
        problems += wrong
        signers.add(signer)
        signed.update(statement.get("subjects", {}))
        if name == ENVELOPE and statement:
            predicate = statement["predicate"]
            signed[MANIFEST] = hashlib.sha256(statement["payload"]).hexdigest()
    if len(signers - {b""}) > 1:
        problems.append("the envelopes are signed by different keys")
    for name, digest in sorted(signed.items()):
        if name not in files:
            problems += [f"{name}: it was signed and is missing"] if whole or name == MANIFEST else []
        elif hashlib.sha256(files[name]).hexdigest() != digest:
            problems.append(f"{name}: it is not what was signed")
    problems += [f"{n}: it was not signed" for n in sorted(files) if n not in signed and not n.endswith(ENDING)]
    return problems + check_log(files.get(LOG), predicate.get("label_log")), predicate


def check_log(content: Optional[bytes], stated: object) -> List[str]:  # noqa: UP006,UP045
    """The first row of the label log that does not follow from the one before it, and rows that the end lacks.

    A row is {"chain":"…","row":{…}}: the chain is the SHA-256 of the chain before it and the bytes of the row.
    """
    if content is None or not isinstance(stated, dict):
        return []
    chain, lines = "0" * 64, content.split(b"\n")[:-1]
    for number, line in enumerate(lines, start=1):
        chain = hashlib.sha256(chain.encode() + line[82:-1]).hexdigest()
        if line[:82] != b'{"chain":"' + chain.encode() + b'","row":':
            return [f"{LOG}: row {number} was changed, dropped, added or moved"]
    if len(lines) != stated.get("rows"):
        return [f"{LOG}: {len(lines)} rows follow one another, {stated.get('rows')} were signed: the end was cut or added"]
    return [] if chain == stated.get("head") else [f"{LOG}: its last row is not the one that was signed"]


def fingerprint(raw: bytes) -> str:
    """How a public key is told from others."""
    return "SHA256:" + hashlib.sha256(raw).hexdigest()


def main(pack: str, key_file: str = "") -> int:
    """Print what differs, or that nothing does."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(Path(key_file).read_bytes()).public_bytes_raw() if key_file else None  # type: ignore[union-attr]
    try:
        problems, predicate = check(read_files(Path(pack)), key)
    except Unreadable as error:
        problems, predicate = [str(error)], {}
    print("\n".join(problems) or f"All {len(predicate.get('withheld', []))} ...")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
