"""The evidence pack: a report, the inputs of its numbers, and a signed manifest of it, as one zip file."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from hcat.core.capabilities.evidence.layout import (
    COMPUTED,
    INPUTS,
    NOT_REDONE,
    PAYLOAD,
    PDF,
    RENDERINGS,
    RENDERINGS_PREDICATE,
    REPORT,
    TYPESETTER,
    VERIFIER,
    Files,
    verifier,
)
from hcat.core.capabilities.evidence.recompute import differences
from hcat.core.capabilities.evidence.renderings import rendering
from hcat.core.capabilities.evidence.run_files import SAMPLES, TAGGED, json_bytes, run_files
from hcat.core.capabilities.evidence.signed_pdf import typesetter
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.evidence.standalone import ENVELOPE, LOG, MANIFEST, PREDICATE, STATEMENT
from hcat.core.capabilities.evidence.withheld import withheld_evidence, withheld_report, withheld_row
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.errors import HcatError
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.records.canonical import Json, canonical_json
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.signing import SigningKey, seal
from hcat.core.types import JsonValue
from hcat.core.view.renderers.json_tree import render_json
from hcat.core.view.signed import SIGN_OFF


def make_pack(source: ReportSource, key: SigningKey, *, formats: Iterable[str] = (), withhold: bool = False) -> bytes:
    """The pack as a zip file: the same source and key, the same bytes.

    `formats` are those of the report besides JSON. HcatError if a part can't be written as canonical JSON. People have
    the same pseudonyms in all files but the report, which counts them. With `withhold` it contains no text of a sample:
    digests replace texts, and the numbers that can't be computed without the texts are named in a file."""
    names = sorted({f"report.{each}" for each in formats} - {REPORT})
    if withhold:
        source = replace(source, report=withheld_report(source.report), evidence=withheld_evidence(source.evidence))
    files = evidence_files(source, key, renderings=names, withhold=withhold)
    rendered = {name: rendering(source.report, name, files) for name in names}
    return write_pack(_with_renderings(files, rendered, key))


def evidence_files(source: ReportSource, key: SigningKey, *, renderings: list[str], withhold: bool) -> dict[str, bytes]:
    """The files of a pack with the signed manifest, without the renderings of the report."""
    names = pseudonyms(source)
    rows = map(withheld_row, source.label_log) if withhold else source.label_log
    files = {
        f"runs/{number}/{name}": content
        for number, reported in enumerate(source.runs, start=1)
        for name, content in run_files(reported, names, withhold=withhold).items()
    }
    files |= {REPORT: render_json(source.report), INPUTS: json_bytes(inputs(source))}
    files |= {LOG: label_log(rows, names), VERIFIER: verifier()}
    if withhold:
        files[NOT_REDONE] = _canonical([each.path for each in differences(files)])
    said: dict[str, JsonValue] = {**_predicate(source, files, withhold=withhold), "renderings": [*renderings]}
    said |= {TYPESETTER: typesetter()} if PDF in renderings else {}
    manifest = _canonical(statement(files, PREDICATE, said, key))
    return files | {MANIFEST: manifest, ENVELOPE: seal(manifest, kind=PAYLOAD, key=key)}


def _with_renderings(files: Files, renderings: Files, key: SigningKey) -> dict[str, bytes]:
    """The files with renderings of the report, signed separately: the manifest names them, so they may contain it."""
    if not renderings:
        return dict(files)
    about: dict[str, JsonValue] = {"manifest": sha256_of_bytes([files[MANIFEST]])}
    signed = _canonical(statement(renderings, RENDERINGS_PREDICATE, about, key))
    return {**files, **renderings, RENDERINGS: seal(signed, kind=PAYLOAD, key=key)}


def write_pack(files: Files) -> bytes:
    """The files as a zip file: the same files, the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def statement(files: Files, kind: str, predicate: Mapping[str, JsonValue], key: SigningKey) -> dict[str, JsonValue]:
    """An in-toto Statement v1 on the files: each with its SHA-256, and the predicate."""
    subjects: list[JsonValue] = [
        {"name": name, "digest": {"sha256": sha256_of_bytes([files[name]])}} for name in sorted(files)
    ]
    public = base64.b64encode(key.public.raw).decode("ascii")
    return {
        "_type": STATEMENT,
        "subject": subjects,
        "predicateType": kind,
        "predicate": {**predicate, "public_key": public},
    }


def inputs(source: ReportSource) -> dict[str, JsonValue]:
    """The inputs of a report besides its runs: the given parts, the layout, the seed."""
    evidence = source.evidence
    given = [field.name for field in fields(evidence) if field.name not in COMPUTED]
    return {
        "chapters": None if source.chapters is None else list(source.chapters),
        "template": TAGGED.write(source.template),
        "sign_off": source.report.facts.get(SIGN_OFF),
        "seed": source.seed,
        "given": {name: TAGGED.write(getattr(evidence, name)) for name in given},
    }


def pseudonyms(source: ReportSource) -> dict[str, str]:
    """A pseudonym for each person who labelled: "person 1" … in the order of the names. Rules have their own names."""
    labelled = {
        label.annotator
        for reported in source.runs
        for criterion in reported.criteria
        for label in reported.run.label_source.labels(criterion.name)
        if label.source in BY_PEOPLE
    }
    labelled |= {str(row["annotator"]) for row in source.label_log if row.get("source") in BY_PEOPLE}
    width = len(str(len(labelled)))
    return {name: f"person {number:0{width}}" for number, name in enumerate(sorted(labelled), start=1)}


def label_log(rows: Iterable[Mapping[str, JsonValue]], names: Mapping[str, str]) -> bytes:
    """The entries as JSON Lines, each with the hash of the chain that ends in it (`standalone.check_log`)."""
    chain, lines = "0" * 64, []
    for row in rows:
        content = _canonical({**row, "annotator": names.get(str(row["annotator"]), str(row["annotator"]))})
        chain = sha256_of_bytes([chain.encode(), content])
        lines.append(b'{"chain":"%s","row":%s}\n' % (chain.encode(), content))
    return b"".join(lines)


def _predicate(source: ReportSource, files: Files, *, withhold: bool) -> dict[str, JsonValue]:
    evidence, lines = source.evidence, files[LOG].split(b"\n")[:-1]
    return {
        "hcat": evidence.version,
        "project": evidence.project,
        "created_at": evidence.created_at.isoformat(),
        "report": {"title": source.report.title, "sha256": sha256_of_bytes([render_json(source.report)])},
        "runs": [_run(number, reported, withhold=withhold) for number, reported in enumerate(source.runs, start=1)],
        "hashes": dict(evidence.hashes),
        "label_log": {"rows": len(lines), "head": lines[-1][10:74].decode() if lines else "0" * 64},
        "guidelines": {criterion.name: criterion.guideline for criterion in evidence.criteria},
        "policies": [
            {"version": each.version, "sha256": sha256_of_bytes([_canonical(TAGGED.write(each.policy))])}
            for each in evidence.policies
        ],
        "seed": source.seed,
        "packages": dict(evidence.packages),
        "withheld": _withheld(source) if withhold else [],
        "given": [field.name for field in fields(evidence) if field.name not in COMPUTED],
    }


def _run(number: int, reported: ReportedRun, *, withhold: bool) -> dict[str, JsonValue]:
    columns = reported.run.columns
    scored = columns.given_scores
    return {
        "name": columns.name,
        "folder": f"runs/{number}",
        "content_hash": columns.content_hash,
        "texts": "withheld" if withhold else "in the pack",
        "calibrations": [each.criterion for each in reported.calibrations],
        "seed": None if scored is None else scored.provenance.seed,
        "models": {} if scored is None else dict(scored.provenance.models),
    }


def _withheld(source: ReportSource) -> list[JsonValue]:
    """The run files that are not in the pack, each by its name and content hash."""
    return [
        {"name": f"runs/{number}/{SAMPLES}", "sha256": reported.run.columns.content_hash}
        for number, reported in enumerate(source.runs, start=1)
    ]


def _canonical(value: Json) -> bytes:
    try:
        return canonical_json(value)
    except ValueError as error:
        raise HcatError(f"this can't be put into an evidence pack: {error}") from None
