"""A report as a self-verifying PDF: the signed manifest, the report and the label log are attached to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from hcat.core.capabilities.evidence.layout import REPORT, TYPESETTER, VERIFIER, Files
from hcat.core.capabilities.evidence.standalone import (
    BROKEN,
    ENVELOPE,
    LOG,
    MANIFEST,
    MOST_BYTES,
    PREDICATE,
    check_log,
    open_envelope,
    sha256,
)
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.signing import PublicKey
from hcat.core.view.renderers.json_tree import read_report
from hcat.core.view.renderers.pdf.attachment import Attachment
from hcat.core.view.renderers.pdf.render import render_pdf
from hcat.core.view.tree import Report

MOST_ATTACHED = 100
_ATTACHED = {
    MANIFEST: ("application/json", "What was signed: the SHA-256 of each file of the evidence, models, packages."),
    ENVELOPE: ("application/json", "The signature of the manifest (DSSE, Ed25519). `hcat verify` checks it."),
    LOG: ("application/x-ndjson", "The label log under pseudonyms, each row with the hash of those before it."),
    VERIFIER: ("text/x-python", "The program that checks an evidence pack without hcat."),
}


@dataclass(frozen=True, slots=True)
class SignedPdf:
    """The faults of a PDF, its manifest, and its files.

    `pages` is whether the pages are those that follow from the signed report; None if other versions of hcat or of the
    typesetter set them."""

    problems: tuple[str, ...]
    manifest: dict[str, Any]
    files: Files
    pages: bool | None


def signed_pdf(report: Report, files: Files) -> bytes:
    """The PDF of the report with the manifest, its envelope, the label log and the verifier of a pack attached."""
    attached = [Attachment(name, files[name], *_ATTACHED[name]) for name in _ATTACHED if files[name]]
    return render_pdf(report, attached)


def typesetter() -> str:
    """The version of the program that sets PDFs; another one may set other bytes."""
    return f"typst {version('typst')}"


def check_signed_pdf(content: bytes, *, key: PublicKey | None, hcat: str) -> SignedPdf:
    """Check the attached files against the signed manifest, and the pages against the attached report.

    The pages are set again from the report, and must be the same bytes. `hcat` is the installed version.
    FileFormatError if it is not a readable PDF, or has no signed manifest."""
    files = attached_files(content)
    if ENVELOPE not in files:
        raise FileFormatError(
            "this PDF carries no signed manifest: make the report with `hcat report --pack`, which signs it"
        )
    try:
        payload, statement, _, wrong = open_envelope(files[ENVELOPE], None if key is None else key.raw)
        said = dict(statement["predicate"])
        signed = {str(each["name"]): str(each["digest"]["sha256"]) for each in statement["subject"]}
    except (*BROKEN, AttributeError):
        return SignedPdf((f"{ENVELOPE}: it is no signed statement",), {}, files, None)
    problems = [f"{ENVELOPE}: {each}" for each in wrong]
    problems += [] if statement["predicateType"] == PREDICATE else [f"{ENVELOPE}: it is not on an evidence pack"]
    signed[MANIFEST] = sha256(payload)
    problems += _differing(files, signed) + check_log(files.get(LOG, b""), said.get("label_log"))
    if problems:
        return SignedPdf(tuple(problems), said, files, None)
    same_programs = (said.get("hcat"), said.get(TYPESETTER)) == (hcat, typesetter())
    pages = _follows(content, files)
    if same_programs and not pages:
        problems = ["pages: they are not those that follow from the signed report"]
    return SignedPdf(tuple(problems), said, files, True if pages else False if same_programs else None)


def attached_files(content: bytes) -> dict[str, bytes]:
    """The files attached to a PDF, by name. FileFormatError if they can't be read, or are malicious."""
    import pypdfium2

    if len(content) > MOST_BYTES:
        raise FileFormatError(f"this PDF is larger than {MOST_BYTES // 10**6:,} MB")
    files: dict[str, bytes] = {}
    try:
        document = pypdfium2.PdfDocument(content)
        try:
            count = document.count_attachments()
            if count > MOST_ATTACHED:
                raise FileFormatError(f"this PDF carries {count:,} files: at most {MOST_ATTACHED} are read")
            for number in range(count):
                attachment = document.get_attachment(number)
                name = attachment.get_name()
                if name in files:
                    raise FileFormatError(f"two files attached to this PDF have one name: {name!r}")
                files[name] = bytes(attachment.get_data())
        finally:
            document.close()
    except pypdfium2.PdfiumError as error:
        raise FileFormatError(f"this PDF can't be read: {error}") from None
    return files


def _differing(files: Files, signed: Mapping[str, str]) -> list[str]:
    """The attached files that are missing, are not what was signed, or were not signed."""
    problems = [
        f"{name}: it is {'not what was signed' if name in files else 'missing'}"
        for name in sorted({REPORT, MANIFEST, LOG, VERIFIER})
        if sha256(files.get(name, b"")) != signed.get(name)
    ]
    known = {REPORT, *_ATTACHED}
    return problems + [f"{name}: it was not signed" for name in sorted(files) if name not in known]


def _follows(content: bytes, files: Files) -> bool:
    """Whether the PDF, set again from its attached report, has the same bytes."""
    try:
        report = read_report(files[REPORT].decode("utf-8"))
        return signed_pdf(report, {LOG: b"", **files}) == content
    except (HcatError, *BROKEN):
        return False
