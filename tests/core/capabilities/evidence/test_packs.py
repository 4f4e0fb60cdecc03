"""An evidence pack proves what it says: its files, its signature, its numbers computed again, and no more."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from hcat.core.capabilities.evidence import standalone
from hcat.core.capabilities.evidence import verify as verification
from hcat.core.capabilities.evidence.layout import INPUTS, NOT_REDONE, PAYLOAD, RENDERINGS, RENDERINGS_PREDICATE, REPORT
from hcat.core.capabilities.evidence.pack import make_pack, statement
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.evidence.standalone import ENVELOPE, MANIFEST
from hcat.core.capabilities.evidence.verify import verify
from hcat.core.errors import HcatError
from hcat.core.records.canonical import canonical_json
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.signing import pre_authentication, seal
from hcat.core.settings import ROOT
from hcat.core.view.renderers.html import render_html
from hcat.core.view.renderers.json_tree import render_json
from hcat.core.view.signed import with_sign_off
from tests.core.capabilities.evidence.packed import KEY, OTHER_KEY, N, sample, signed_anew, unzipped, zipped

NAMES = ("ann jones", "bea smith")


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_an_intact_pack_passes_and_its_numbers_follow_from_it(pack: bytes) -> None:
    found = verify(pack, key=KEY.public, recompute=True)
    assert found.intact
    said = " ".join(found.proved)
    assert f"signed by the key that you named: {KEY.public.fingerprint}" in said
    assert re.search(r"all [\d,]+ numbers agree", said)
    assert "Taken as given" in found.not_proved[0]


def test_a_key_that_nobody_named_is_said_to_be_one(pack: bytes) -> None:
    found = verify(pack)
    assert "a key that you did not name" in found.proved[0]
    assert not found.intact and not found.problems
    assert found.headline.startswith("Not checked: who signed")
    [first, *_] = verify(pack, key=OTHER_KEY.public).problems
    assert "it names another key than you did" in first


def test_the_signature_is_plain_ed25519_over_dsse(pack: bytes) -> None:
    files = unzipped(pack)
    envelope = json.loads(files[ENVELOPE])
    signature = base64.b64decode(envelope["signatures"][0]["sig"])
    signed = pre_authentication("application/vnd.in-toto+json", files[MANIFEST])
    Ed25519PublicKey.from_public_bytes(KEY.public.raw).verify(signature, signed)


def test_a_pack_has_the_report_and_its_rendering(pack: bytes, source: ReportSource) -> None:
    files = unzipped(pack)
    assert files[REPORT] == render_json(source.report)
    assert files["report.html"] == render_html(source.report)
    assert files["verify_evidence.py"] == Path(standalone.__file__).read_bytes()


def test_people_stand_under_pseudonyms(pack: bytes) -> None:
    files = unzipped(pack)
    assert [name for name in files if any(each.encode() in files[name] for each in NAMES)] == []
    assert {json.loads(line)["annotator"] for line in files["runs/1/labels.jsonl"].splitlines()} == {
        "person 1", "person 2", "person 3", "rule"}  # fmt: skip


def test_the_same_source_gives_the_same_bits_in_any_time_zone(source: ReportSource, pack: bytes, zone: None) -> None:
    assert make_pack(source, KEY, formats=["html"]) == pack


def test_a_signed_report_keeps_its_sign_off(source: ReportSource) -> None:
    signed = replace(source, report=with_sign_off(source.report, "Approved by kim"))
    assert verify(make_pack(signed, KEY), key=KEY.public, recompute=True).intact


def test_the_numbers_are_computed_again_in_a_process_without_a_database(pack: bytes, tmp_path: Path) -> None:
    (tmp_path / "pack.zip").write_bytes(pack)
    (tmp_path / "key.pem").write_text(KEY.public.pem)
    line = ["-m", "hcat.dashboard.cli", "verify", "pack.zip", "--key", "key.pem", "--recompute"]
    environment = {"PYTHONPATH": str(ROOT), "HCAT_DATABASE_URL": "sqlite:///none/h.db", "OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, *line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    found = f"Intact: as signed by the key that you named, {KEY.public.fingerprint}."
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (0, found), ended.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["key.pem", "pack.zip"]


def changed(files: dict[str, bytes], name: str, old: str, new: str) -> bytes:
    content = files[name].replace(old.encode(), new.encode(), 1)
    assert content != files[name]
    return zipped(signed_anew({**files, name: content}, KEY))


def test_a_number_that_the_signer_changed_is_found_and_named(plain_pack: bytes) -> None:
    files = unzipped(plain_pack)
    tree = json.loads(files[REPORT])
    [people] = [section for section in tree["sections"] if section["id"] == "people"]
    [labels] = [block for block in people["blocks"] if block.get("title") == "Labels"]
    labels["rows"][0][4] += 1
    forged = zipped(signed_anew({**files, REPORT: json.dumps(tree).encode()}, KEY))
    assert verify(forged, key=KEY.public).intact
    [problem] = verify(forged, key=KEY.public, recompute=True).problems
    assert (
        problem
        == f"{REPORT}: The bank's own › Human judgement › Labels: value 5 is reported as 136, and computes to 135"
    )


def repacked(pack: bytes, name: str, content: bytes) -> bytes:
    """The pack with another rendering, signed by the same key, as only its signer can make it."""
    files = {**unzipped(pack), name: content}
    manifest = sha256_of_bytes([files[MANIFEST]])
    said = statement({name: content}, RENDERINGS_PREDICATE, {"manifest": manifest}, KEY)
    return zipped({**files, RENDERINGS: seal(canonical_json(said), kind=PAYLOAD, key=KEY)})


def test_a_rendering_that_the_signer_changed_is_found_by_making_it_again(
    pack: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = unzipped(pack)["report.html"]
    forged = repacked(pack, "report.html", re.sub(rb"\d\.\d{2}", b"0.99", page, count=1))
    assert verify(forged, key=KEY.public).intact, "the signer's own signature fits"
    assert "pages from its numbers" in verify(forged, key=KEY.public).not_proved[0]
    found = verify(forged, key=KEY.public, recompute=True)
    assert found.problems == ("report.html: it does not follow from report.json",)
    same = verify(pack, key=KEY.public, recompute=True)
    assert "Made again from report.json, report.html has the same bytes." in same.proved
    monkeypatch.setattr(verification, "__version__", "99.0")
    unknown = verify(forged, key=KEY.public, recompute=True)
    assert not unknown.intact and not unknown.problems
    assert unknown.headline.startswith("Not checked: the pages of report.html")


@pytest.mark.parametrize(("name", "old", "new"), [("runs/1/labels.jsonl", '"level":0', '"level":3'),
                                                  (INPUTS, '"rating":"not fit"', '"rating":"no opinion"')])  # fmt: skip
def test_a_report_that_does_not_follow_from_its_inputs_is_found(
    plain_pack: bytes, name: str, old: str, new: str
) -> None:
    found = verify(changed(unzipped(plain_pack), name, old, new), key=KEY.public, recompute=True)
    assert found.problems and all(each.startswith((f"{REPORT}: ", "and ")) for each in found.problems)


def test_a_pack_without_texts_holds_none_and_says_what_rests_on_them(source: ReportSource) -> None:
    withheld = make_pack(source, KEY, formats=["html"], withhold=True)
    files = unzipped(withheld)
    texts = [text.encode() for k in range(N) for text in (sample(k).query, sample(k).answer or "")]
    texts += [passage.text.encode() for k in range(N) for passage in sample(k).contexts]
    assert [name for name, content in files.items() if any(text in content for text in texts)] == []
    found = verify(withheld, key=KEY.public, recompute=True)
    assert found.intact
    skipped = json.loads(files[NOT_REDONE])
    assert skipped and "in these chapters: " in found.not_proved[0]
    assert f"{len(skipped)} places in all, were not computed again" in found.not_proved[0]
    assert re.search(r"[\d,]+ of its [\d,]+ numbers agree", " ".join(found.proved))


def test_nothing_is_excused_from_being_computed_again_where_the_texts_are_there(plain_pack: bytes) -> None:
    files = unzipped(plain_pack)
    forged = changed(files, "runs/1/labels.jsonl", '"level":0', '"level":3')
    paths = canonical_json([f"/sections/{number}" for number in range(20)])
    excused = {**unzipped(forged), NOT_REDONE: paths}
    manifest = json.loads(excused[MANIFEST])
    manifest["subject"].append({"name": NOT_REDONE, "digest": {"sha256": ""}})
    excused = signed_anew({**excused, MANIFEST: json.dumps(manifest).encode()}, KEY)
    assert not verify(zipped(excused), key=KEY.public, recompute=True).intact


def test_what_has_no_canonical_form_is_refused(source: ReportSource) -> None:
    with pytest.raises(HcatError, match="can't be put into an evidence pack"):
        make_pack(replace(source, label_log=({"annotator": "x", "seconds": float("inf")},)), KEY)
