"""Check a signed evidence pack without hcat: Python 3.9 or later and the package "cryptography" are all it takes.

    python verify_evidence.py PACK.zip [PUBLIC_KEY.pem]

It checks that the key signed the manifest, that each file has the SHA-256 that it names, that nothing was added or
removed, and that no row of the label log was changed, dropped, moved or cut off. Exit 0: all holds. Exit 1: each line
names what differs. Exit 3: all holds, but you named no key, so that anybody may have signed. Not checked: that numbers
and pages follow from the files. Take this program from where you trust it: the copy in a pack is as good as the pack.
"""
# ruff: noqa: UP045  for Python 3.9

import base64
import hashlib
import io
import json
import struct
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any, Optional

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

MANIFEST, ENVELOPE, ENDING, LOG = "manifest.json", "manifest.dsse.json", ".dsse.json", "label_log.jsonl"
STATEMENT, PREDICATE = "https://in-toto.io/Statement/v1", "https://hcat.dev/evidence/v1"
MOST_BYTES, MOST_FILES, MOST_SIGNED = 400_000_000, 2_000, 20_000_000
UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, struct.error, EOFError)
BROKEN = (*UNREADABLE, ValueError, RuntimeError, LookupError, TypeError)
Files = dict[str, bytes]


def read_files(content: bytes) -> Files:
    """The files of a pack by name. One of BROKEN where its bytes are not laid out as hcat lays them out, since programs
    differ in which files they then find, or where it is made to do harm."""
    too_much = f"it holds more than {MOST_FILES:,} files or {MOST_BYTES // 10**6:,} MB"
    if len(content) > MOST_BYTES or content.count(b"PK\x01\x02") > 2 * MOST_FILES:  # before its list of files is read
        raise ValueError(too_much)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
    if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_BYTES:
        raise ValueError(too_much)
    files: Files = {}
    listed, position = b"", 0
    for entry in entries:
        name, parts = entry.filename, entry.filename.replace("\\", "/").split("/")
        if name in files:
            raise ValueError(f"two of its files have one name: {name!r}")
        if parts[0] == "" or ".." in parts or ":" in name:
            raise ValueError(f"a file of it has a name that leads elsewhere: {name!r}")
        raw, sizes = name.encode(), (entry.CRC, entry.compress_size, entry.file_size)
        about = struct.pack("<5H3L2H", 20, 0 if name.isascii() else 2048, 8, 0, 33, *sizes, len(raw), 0)
        start, unpack = position + 30 + len(raw), zlib.decompressobj(-15)
        if content[position:start] != b"PK\3\4" + about + raw:
            raise ValueError(f"a file of it is packed in another way than hcat packs files: {name!r}")
        files[name] = data = unpack.decompress(content[start : start + entry.compress_size], entry.file_size + 1)
        if not unpack.eof or unpack.unused_data or (len(data), zlib.crc32(data)) != (entry.file_size, entry.CRC):
            raise ValueError(f"a file of it is not what its list of files says: {name!r}")
        listed += b"PK\1\2\x14\3" + about + struct.pack("<3H2L", 0, 0, 0, 0o644 << 16, position) + raw
        position = start + entry.compress_size
    count, lengths = len(entries), (len(listed), position)
    if content[position:] != listed + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, count, count, *lengths, 0):
        raise ValueError("it holds bytes beside its files, or lists them in another way than hcat does")
    return files


def check(files: Files, key: Optional[bytes] = None) -> tuple[list[str], dict[str, Any]]:
    """What differs from what was signed, one line each, and what the manifest says. `key` are the 32 bytes of the
    signer's public key; without it the one in the pack is taken, which proves nothing of who signed."""
    if ENVELOPE not in files:
        return [f"{ENVELOPE}: it is missing, so that nothing is proved"], {}
    problems: list[str] = []
    signed: dict[str, Optional[str]] = {"report.json": None, LOG: None}  # no pack is without
    said: dict[str, Any] = {}
    signers: set[bytes] = set()
    for name in sorted(name for name in files if name.endswith(ENDING)):
        try:
            payload, statement, signer, wrong = open_envelope(files[name], key)
            subjects = {str(each["name"]): str(each["digest"]["sha256"]) for each in statement["subject"]}
            about = dict(statement["predicate"])
            others = dict.fromkeys(map(str, about.get("renderings", [])))  # signed apart, and not to be left out
        except (*BROKEN, AttributeError):
            problems.append(f"{name}: it is no signed statement")
            continue
        problems += [f"{name}: {each}" for each in wrong]
        signers.add(signer)
        signed = {**others, **signed, **subjects}
        if name == ENVELOPE:
            said, signed[MANIFEST] = about, sha256(payload)
            problems += [] if statement["predicateType"] == PREDICATE else [f"{name}: it is not on an evidence pack"]
        elif about.get("manifest") != sha256(files.get(MANIFEST, b"")):
            problems.append(f"{name}: it belongs to another manifest")
    problems += ["the envelopes are signed by different keys"] if len(signers) > 1 else []
    for name, digest in sorted(signed.items(), key=lambda item: item[0]):
        if name not in files:
            problems.append(f"{name}: it is missing")
        elif sha256(files[name]) != digest:
            problems.append(f"{name}: it is not what was signed")
    problems += [f"{x}: it was not signed" for x in sorted(files) if x not in signed and not x.endswith(ENDING)]
    return problems + check_log(files.get(LOG), said.get("label_log")), said


def open_envelope(content: bytes, key: Optional[bytes]) -> tuple[bytes, dict[str, Any], bytes, list[str]]:
    """The payload of a DSSE envelope, the statement that it is, the key that it names, and what is wrong with it."""
    if len(content) > MOST_SIGNED:
        raise ValueError
    envelope = json.loads(content)
    payload, kind = base64.b64decode(envelope["payload"], validate=True), envelope["payloadType"].encode()
    [signature] = envelope["signatures"]
    statement = json.loads(payload)
    if statement["_type"] != STATEMENT or not isinstance(statement["predicateType"], str):
        raise ValueError
    stated = base64.b64decode(statement["predicate"]["public_key"], validate=True)
    problems = [] if key in (None, stated) else [f"it names another key than you did: SHA256:{sha256(stated)}"]
    if signature["keyid"] != f"SHA256:{sha256(stated)}":
        problems.append("the key beside the signature is another than in the statement")
    try:
        signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
        signer = Ed25519PublicKey.from_public_bytes(stated if key is None else key)
        signer.verify(base64.b64decode(signature["sig"], validate=True), signed)
    except InvalidSignature:
        problems.append("the signature does not fit: it, the statement or the key is another")
    return payload, statement, stated, problems


def check_log(content: Optional[bytes], stated: Any) -> list[str]:
    """The first row of the label log that does not follow from the one before it, or that the end is another.

    A row is {"chain":"…","row":{…}}: the chain is the SHA-256 of the chain before it and the bytes of the row.
    """
    if content is None or not isinstance(stated, dict):
        return []
    chain, lines = "0" * 64, content.split(b"\n")[:-1]
    for number, line in enumerate(lines, start=1):
        chain = sha256(chain.encode() + line[82:-1])
        if line[:82] != b'{"chain":"' + chain.encode() + b'","row":':
            return [f"{LOG}: row {number} was changed, added or moved, or the row before it was dropped"]
    same = (len(lines), chain) == (stated.get("rows"), stated.get("head"))
    return [] if same else [f"{LOG}: it has {len(lines)} rows, others than the {stated.get('rows')} that were signed"]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main(pack: str, key_file: str = "") -> int:
    """Print what differs, or by whom all was signed."""
    try:
        key: Any = load_pem_public_key(Path(key_file).read_bytes()) if key_file else None
        problems, said = check(read_files(Path(pack).read_bytes()), key and key.public_bytes_raw())
    except (*BROKEN, AttributeError, UnsupportedAlgorithm) as error:
        problems, said = [f"{pack} {key_file}: {error}"], {}
    signer = "SHA256:" + sha256(base64.b64decode(said.get("public_key", "")))
    held = f"Nothing differs from what {'the key that you named' if key_file else signer} signed"
    for line in problems or [f"{held}: {signer}" if key_file else f"Signed by a key that you did not name. {held}."]:
        sys.stdout.write("".join(sign if sign.isprintable() else "?" for sign in line) + "\n")
    return 1 if problems else 0 if key_file else 3


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) > 1 else __doc__)
