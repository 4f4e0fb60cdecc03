"""Whatever is changed in a pack is found, and its name is said; by hcat and by the stand-alone verifier alike."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hcat.core.capabilities.evidence import standalone
from hcat.core.capabilities.evidence.layout import PAYLOAD, RENDERINGS, REPORT
from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.evidence.standalone import ENVELOPE, LOG, MANIFEST
from hcat.core.capabilities.evidence.verify import MOST_NAMED, verify
from hcat.core.records.canonical import canonical_json
from hcat.core.records.signing import SigningKey, seal
from tests.core.capabilities.evidence.packed import KEY, OTHER_KEY, Files, enveloped, signed_anew, unzipped, zipped

CASES = 500
Tampering = Callable[[Files, random.Random], str]
"""Changes the files in place, and gives the name that must stand in what is found."""


def a_number(files: Files, rng: random.Random) -> str:
    name = rng.choice([REPORT, "inputs.json", "runs/1/run.json", "runs/1/labels.jsonl", "runs/1/samples.jsonl"])
    place = rng.choice([found.start() for found in re.finditer(rb"\d", files[name])])
    digit = (int(files[name][place : place + 1]) + rng.randint(1, 9)) % 10
    files[name] = files[name][:place] + b"%d" % digit + files[name][place + 1 :]
    return name


def a_byte(files: Files, rng: random.Random) -> str:
    name = rng.choice([name for name in sorted(files) if not name.endswith(".dsse.json")])
    place = rng.randrange(len(files[name]))
    files[name] = files[name][:place] + bytes([files[name][place] ^ rng.randint(1, 255)]) + files[name][place + 1 :]
    return name


def a_cut_file(files: Files, rng: random.Random) -> str:
    name = rng.choice([name for name in sorted(files) if not name.endswith(".dsse.json")])
    files[name] = files[name][: rng.randrange(len(files[name]))]
    return name


def a_row_changed(files: Files, rng: random.Random) -> str:
    rows = files[LOG].splitlines(keepends=True)
    place = rng.randrange(len(rows))
    row = json.loads(rows[place])["row"]
    row["level"] = 9
    rows[place] = rows[place][:82] + canonical_json(row) + b"}\n"
    files[LOG] = b"".join(rows)
    return f"{LOG}: row {place + 1} "


def a_row_dropped(files: Files, rng: random.Random) -> str:
    rows = files[LOG].splitlines(keepends=True)
    place = rng.randrange(len(rows) - 1)
    files[LOG] = b"".join(rows[:place] + rows[place + 1 :])
    return f"{LOG}: row {place + 1} "


def rows_moved(files: Files, rng: random.Random) -> str:
    rows = files[LOG].splitlines(keepends=True)
    first, second = sorted(rng.sample(range(len(rows)), 2))
    rows[first], rows[second] = rows[second], rows[first]
    files[LOG] = b"".join(rows)
    return f"{LOG}: row {first + 1} "


def a_cut_log(files: Files, rng: random.Random) -> str:
    rows = files[LOG].splitlines(keepends=True)
    kept = rng.randrange(len(rows))
    files[LOG] = b"".join(rows[:kept])
    return f"{LOG}: it has {kept} rows, others than the {len(rows)} that were signed"


def a_log_with_a_chain_of_its_own(files: Files, rng: random.Random) -> str:
    rows = [line[82:-1] for line in files[LOG].splitlines()]
    del rows[rng.randrange(len(rows))]
    chain, lines = "0" * 64, []
    for row in rows:
        chain = hashlib.sha256(chain.encode() + row).hexdigest()
        lines.append(b'{"chain":"%s","row":%s}\n' % (chain.encode(), row))
    files[LOG] = b"".join(lines)
    return LOG


def a_changed_manifest(files: Files, rng: random.Random) -> str:
    manifest = json.loads(files[MANIFEST])
    subject = rng.choice(manifest["subject"])
    subject["digest"]["sha256"] = hashlib.sha256(rng.randbytes(8)).hexdigest()
    files[MANIFEST] = json.dumps(manifest).encode()
    return MANIFEST


def a_manifest_under_the_old_signature(files: Files, rng: random.Random) -> str:
    a_number(files, rng)
    anew = signed_anew(files, KEY)
    old, new = json.loads(files[ENVELOPE]), json.loads(anew[ENVELOPE])
    files |= anew | {ENVELOPE: json.dumps({**new, "signatures": old["signatures"]}).encode()}
    return f"{ENVELOPE}: the signature does not fit"


def another_signature(files: Files, rng: random.Random) -> str:
    envelope = json.loads(files[ENVELOPE])
    other = json.loads(seal(rng.randbytes(20), kind=PAYLOAD, key=rng.choice([KEY, OTHER_KEY])))
    envelope["signatures"][0]["sig"] = other["signatures"][0]["sig"]
    files[ENVELOPE] = json.dumps(envelope).encode()
    return f"{ENVELOPE}: the signature does not fit"


def another_key(files: Files, rng: random.Random) -> str:
    a_number(files, rng)
    files |= signed_anew(files, OTHER_KEY)
    return f"{ENVELOPE}: it names another key than you did"


def another_key_under_the_first_ones_name(files: Files, rng: random.Random) -> str:
    a_number(files, rng)
    anew = signed_anew(files, KEY)
    files |= enveloped(anew, anew[MANIFEST], Named(OTHER_KEY, KEY))
    return f"{ENVELOPE}: the signature does not fit"


def Named(key: SigningKey, name: SigningKey) -> SigningKey:
    """A key that says it is another."""

    class _Named(SigningKey):
        public = name.public

    return _Named(key._private)


def a_file_removed(files: Files, rng: random.Random) -> str:
    name = rng.choice(sorted(files))
    del files[name]
    return "report.html" if name == RENDERINGS else name


def renderings_left_out(files: Files, rng: random.Random) -> str:
    del files["report.html"], files[RENDERINGS]
    return "report.html: it is missing"


def a_file_added(files: Files, rng: random.Random) -> str:
    name = rng.choice(["runs/2/run.json", "report.pdf", "notes.txt", f"{rng.randrange(10**6)}.json", "x.dsse.json"])
    files[name] = rng.randbytes(rng.randrange(50))
    return name


def a_file_renamed(files: Files, rng: random.Random) -> str:
    name = rng.choice([name for name in sorted(files) if not name.endswith(".dsse.json")])
    files[f"{name}.old"] = files.pop(name)
    return f"{name}.old: it was not signed"


def files_exchanged(files: Files, rng: random.Random) -> str:
    first, second = rng.sample([name for name in sorted(files) if not name.endswith(".dsse.json")], 2)
    files[first], files[second] = files[second], files[first]
    return first


def one_statement_for_another(files: Files, rng: random.Random) -> str:
    """Only the rendering is left, with the statement on it in the place of the manifest."""
    envelope = files[RENDERINGS]
    payload = base64.b64decode(json.loads(envelope)["payload"])
    for name in [name for name in files if name != "report.html"]:
        del files[name]
    files |= {ENVELOPE: envelope, MANIFEST: payload}
    return f"{ENVELOPE}: it is not on an evidence pack"


KINDS: tuple[Tampering, ...] = (
    *(a_number, a_byte, a_cut_file, a_row_changed, a_row_dropped, rows_moved, a_cut_log, a_log_with_a_chain_of_its_own),
    *(a_changed_manifest, a_manifest_under_the_old_signature, another_signature, another_key),
    *(another_key_under_the_first_ones_name, a_file_removed, renderings_left_out, a_file_added, a_file_renamed),
    *(files_exchanged, one_statement_for_another),
)


def tampered(pack: bytes, case: int) -> tuple[bytes, str]:
    """The pack after one tampering, and what must be found."""
    files, rng = unzipped(pack), random.Random(case)
    expected = KINDS[case % len(KINDS)](files, rng)
    return zipped(files), expected


def test_every_tampering_is_found_and_named(pack: bytes) -> None:
    assert verify(pack, key=KEY.public).intact
    for case in range(CASES):
        content, expected = tampered(pack, case)
        found = verify(content, key=KEY.public)
        assert any(expected in problem for problem in found.problems), (KINDS[case % len(KINDS)], case, found)
        assert not found.proved


@pytest.mark.parametrize("case", range(len(KINDS)))
def test_the_stand_alone_verifier_finds_the_same(pack: bytes, tmp_path: Path, case: int) -> None:
    content, expected = tampered(pack, case)
    code, lines = alone(tmp_path, content)
    assert code == 1 and len(lines) < MOST_NAMED
    assert lines == list(verify(content, key=KEY.public).problems)
    assert any(expected in line for line in lines)


def test_the_stand_alone_verifier_passes_what_is_intact(pack: bytes, source: ReportSource, tmp_path: Path) -> None:
    said = f"Nothing differs from what the key that you named signed: {KEY.public.fingerprint}"
    assert alone(tmp_path, pack) == (0, [said])
    assert alone(tmp_path, make_pack(source, KEY, withhold=True)) == (0, [said])


def test_the_stand_alone_verifier_is_short_and_needs_one_package() -> None:
    text = Path(standalone.__file__).read_text("utf-8")
    assert len(text.splitlines()) <= 165
    imported = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def alone(folder: Path, content: bytes) -> tuple[int, list[str]]:
    """How the verifier ends, run on its own, and what it says."""
    (folder / "verify_evidence.py").write_bytes(Path(standalone.__file__).read_bytes())
    (folder / "pack.zip").write_bytes(content)
    (folder / "key.pem").write_text(KEY.public.pem)
    ended = subprocess.run(
        [sys.executable, "-I", "verify_evidence.py", "pack.zip", "key.pem"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.stderr == ""
    return ended.returncode, ended.stdout.splitlines()
