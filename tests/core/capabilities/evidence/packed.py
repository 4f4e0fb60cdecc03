"""A small project's report with all that it rests on, and packs of it."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.evidence.layout import PAYLOAD
from hcat.core.capabilities.evidence.pack import write_pack
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.evidence.standalone import ENVELOPE, MANIFEST
from hcat.core.capabilities.report.opinion import stated_opinion
from hcat.core.capabilities.report.template import read_template
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.signing import SigningKey, seal
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace

Files = dict[str, bytes]
N = 120
CRITERION = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=3)
TEMPLATE = """
title: The bank's own
cover: {Unit: Validation}
chapters: [summary, data, people, results, calibration, weaknesses, changes, reproducibility]
"""
WORDS = ("one", "two", "three", "four", "five")
KEY, OTHER_KEY = (SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([each]) * 32)) for each in (1, 2))


def sample(k: int) -> Sample:
    """Its answer has the first `k % 5 + 1` of five words of the reference; the last samples are refusals."""
    answer, passage = f"In case {k}: {' '.join(WORDS[: k % 5 + 1])}", Passage(f"d{k}", f"Case {k} of {WORDS[k % 5]}.")
    answer = answer if k < N - 4 else "I'm sorry, but I can't answer that."
    return Sample(f"s{k}", f"What holds in case {k}?", answer, (passage,), " ".join(WORDS),
                  dimensions={"topic": "ab"[k % 2]})  # fmt: skip


def level(k: int, *, strict: bool) -> int:
    """Better answers have better labels, but for each seventh; a strict annotator gives each third a level less."""
    return max(0, min(3, k % 5 - (k % 7 == 0) * 3 + (k % 11 == 0) * 2) - (strict and k % 3 == 0))


def build_source(folder: Path) -> ReportSource:
    """The second version of a project's report: two people, a rule and a decision, scores, a calibration, an opinion,
    a template and topics."""
    chosen = Settings(database_url=f"sqlite:///{folder / 'h.db'}", artifacts=str(folder / "artifacts"))
    with Workspace.open(chosen, actor="test") as workspace:
        project = workspace.projects.create("bank")
        criterion = workspace.criteria.add(project, CRITERION)
        run = workspace.runs.add(project, "run", [sample(k) for k in range(N)], source="run.jsonl")
        workspace.scoring.score(run, ["token_recall", "answer_length"])
        at = datetime(2026, 5, 4, 9, tzinfo=UTC)
        given = [
            Label(f"s{k}", "usefulness", level(k, strict=who == "bea smith"), who, "run", at=at)
            for k in range(90)
            for who in ("ann jones", "bea smith")
            if who == "ann jones" or k % 2
        ]
        given += [Label(f"s{k}", "usefulness", level(k, strict=False), "rule", "run", source="rule") for k in range(99)]
        workspace.labels.add(run, criterion, given)
        workspace.disagreements.adjudicate(run, criterion, "s3", 3, author="lead")
        workspace.reports.build(project, author="lee")
        fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_recall"], method="logistic")
        workspace.calibrations.save(run, fitted, reason="a test")
        workspace.opinions.state(project, stated_opinion("not fit", author="lee", reasons="Half is wrong."))
        look = read_template(TEMPLATE)
        source = workspace.reports.with_source(project, author="lee", template=look)
        again = workspace.reports.with_source(project, author="lee", template=look)
        assert (again.report, again.evidence.created_at) == (source.report, source.evidence.created_at)
        return again


def unzipped(pack: bytes) -> Files:
    """The files of the pack, by the standard library alone."""
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files as a pack is laid out."""
    return write_pack(files)


def signed_anew(files: Mapping[str, bytes], key: SigningKey) -> Files:
    """The files with a manifest that fits them, signed by the key: what somebody who forges a pack would do."""
    manifest = json.loads(files[MANIFEST])
    for subject in manifest["subject"]:
        if subject["name"] in files:
            subject["digest"]["sha256"] = sha256_of_bytes([files[subject["name"]]])
    manifest["predicate"]["public_key"] = base64.b64encode(key.public.raw).decode()
    return enveloped(files, json.dumps(manifest).encode(), key)


def enveloped(files: Mapping[str, bytes], manifest: bytes, key: SigningKey) -> Files:
    """The files with this manifest, signed by the key."""
    return {**files, MANIFEST: manifest, ENVELOPE: seal(manifest, kind=PAYLOAD, key=key)}
