"""A pack that is made to do harm is refused in one line, or found to differ; never anything else."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.capabilities.evidence.layout import INPUTS, PAYLOAD, REPORT
from hcat.core.capabilities.evidence.standalone import ENVELOPE, MANIFEST, MOST_BYTES, MOST_FILES, PREDICATE, STATEMENT
from hcat.core.capabilities.evidence.verify import verify
from hcat.core.errors import FileFormatError
from hcat.core.records.signing import seal
from hcat.core.types import JsonValue
from tests.core.capabilities.evidence.packed import KEY, signed_anew, unzipped, zipped

ODD: tuple[JsonValue, ...] = (None, True, -1, 10**30, 1e300, "", "\ud800", "x" * 500, [], {}, [[]], {"": None})


def with_names(*names: str, method: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in names:
            entry = zipfile.ZipInfo("x")
            entry.filename, entry.compress_type = name, method
            archive.writestr(entry, b"content")
    return buffer.getvalue()


def bomb() -> bytes:
    """400 kB that unpack to more than 400 MB."""
    buffer, block = io.BytesIO(), bytes(10_000_000)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(MOST_BYTES // len(block) + 1):
            archive.writestr(f"{number}.json", block)
    return buffer.getvalue()


def short_of_its_size() -> bytes:
    """A file that says that it holds one byte, and unpacks to many."""
    content = bytearray(with_names("x", method=zipfile.ZIP_DEFLATED))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (1).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (bomb, "it holds more than 2,000 files or 400 MB"),
        (lambda: with_names(*map(str, range(MOST_FILES + 1))), "it holds more than 2,000 files"),
        (lambda: with_names(*map(str, range(2 * MOST_FILES + 1))), "it holds more than 2,000 files"),
        (lambda: with_names("../x"), "leads elsewhere: '../x'"),
        (lambda: with_names("a/../../x"), "leads elsewhere"),
        (lambda: with_names("/etc/x"), "leads elsewhere"),
        (lambda: with_names("a\\..\\x"), "leads elsewhere"),
        (lambda: with_names("C:x"), "leads elsewhere"),
        (lambda: with_names("a", "a", method=zipfile.ZIP_DEFLATED), "two of its files have one name: 'a'"),
        (lambda: with_names("a", method=zipfile.ZIP_LZMA), "packed in another way"),
        (lambda: with_names("a", method=zipfile.ZIP_BZIP2), "packed in another way"),
        (short_of_its_size, "this is no evidence pack"),
        (lambda: with_names("a"), "packed in another way"),
        (lambda: b"", "not a zip file"),
        (lambda: b"sample_id,label\nq1,pass\n", "not a zip file"),
        (lambda: with_names("a")[:-30], "not a zip file"),
    ],
)
def test_what_is_no_pack_is_refused_in_one_line(made: Callable[[], bytes], said: str) -> None:
    with pytest.raises(FileFormatError, match=said.replace("\\", ".")) as refused:
        verify(made())
    assert "\n" not in str(refused.value)


def test_a_zip_file_without_a_signature_proves_nothing() -> None:
    assert verify(zipped({"a": b""})).problems == ("manifest.dsse.json: it is missing, so that nothing is proved",)


@pytest.mark.parametrize(
    "envelope",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"{}", b"[" * 100_000, b'{"payload":1}', b'{"payload":"e30="}', b"\xff"),
        b'{"payload":"e30=","payloadType":"x","signatures":[]}',
        b'{"payload":"e30=","payloadType":"x","signatures":[{"keyid":"","sig":""}]}',
        b'{"payload":"' + b"A" * 21_000_000 + b'"}',
    ],
)
def test_an_envelope_of_wrong_json_is_named(envelope: bytes) -> None:
    [problem, *_] = verify(zipped({ENVELOPE: envelope}), key=KEY.public).problems
    assert problem == f"{ENVELOPE}: it is no signed statement"


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("place", ["subject", "name", "digest", "predicate", "public_key", "renderings", "label_log"])
def test_a_signed_statement_of_odd_parts_is_named(place: str, odd: JsonValue) -> None:
    """Anybody can sign anything by a key of their own."""
    stated: dict[str, JsonValue] = {"public_key": unpadded(KEY.public.raw)}
    subject: dict[str, JsonValue] = {"name": "a", "digest": {"sha256": ""}}
    statement: dict[str, JsonValue] = {
        "_type": STATEMENT, "predicateType": PREDICATE, "subject": [subject], "predicate": stated}  # fmt: skip
    holder = statement if place in statement else subject if place in subject else stated
    holder[place] = odd
    manifest = json.dumps(statement).encode()
    found = verify(zipped({MANIFEST: manifest, ENVELOPE: seal(manifest, kind=PAYLOAD, key=KEY)}), key=KEY.public)
    assert found.problems


def unpadded(raw: bytes) -> str:
    import base64

    return base64.b64encode(raw).decode()


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_bytes_changed_anywhere_in_the_file_never_pass_for_other_content(pack: bytes, data: st.DataObject) -> None:
    content = bytearray(pack)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(pack) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content)[: data.draw(st.sampled_from([None, len(pack) // 2, len(pack) - 1]))]
    try:
        found = verify(cut, key=KEY.public)
    except FileFormatError:
        return
    assert found.problems or unzipped(cut) == unzipped(pack)  # a zip file has bytes that say nothing


@pytest.mark.parametrize("name", [REPORT, INPUTS, "runs/1/run.json", "runs/1/labels.jsonl", "runs/1/samples.jsonl"])
def test_what_a_signer_of_nonsense_put_in_is_refused_or_differs(plain_pack: bytes, name: str) -> None:
    """The signature fits, so that only computing again can meet it."""
    files = unzipped(plain_pack)
    for case in range(10):
        odd = spoilt(files[name], random.Random(case), lines=name.endswith(".jsonl"))
        forged = zipped(signed_anew({**files, name: odd}, KEY))
        try:
            verify(forged, key=KEY.public, recompute=True)
        except FileFormatError as refused:
            assert "\n" not in str(refused)


def test_a_file_that_is_left_out_by_the_signer_is_named(plain_pack: bytes) -> None:
    files = unzipped(plain_pack)
    del files["runs/1/run.json"]
    manifest = json.loads(files[MANIFEST])
    manifest["subject"] = [each for each in manifest["subject"] if each["name"] in files]
    forged = zipped(signed_anew({**files, MANIFEST: json.dumps(manifest).encode()}, KEY))
    with pytest.raises(FileFormatError, match=r"can't be computed again from this pack: run\.json is missing"):
        verify(forged, key=KEY.public, recompute=True)


def spoilt(content: bytes, rng: random.Random, *, lines: bool) -> bytes:
    """A JSON document, or one of its lines, with an odd value in a random place."""
    rows = content.splitlines() if lines else [content]
    place = rng.randrange(len(rows))
    value = json.loads(rows[place])
    inner = value
    for _ in range(rng.randint(0, 6)):
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner))) if isinstance(inner, list) else []
        if not keys:
            break
        key = rng.choice(keys)
        if rng.random() < 0.3 or not isinstance(inner[key], dict | list):
            inner[key] = cast("JsonValue", rng.choice(ODD))
            break
        inner = inner[key]
    rows[place] = json.dumps(value).encode()
    return b"\n".join(rows) + (b"\n" if lines else b"")
