"""The samples behind each finding, in the order of the findings: query, answer, contexts, score and labels."""

from __future__ import annotations

from hashlib import sha256

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.view.telling import tell
from hcat.core.view.tree import Block, KeyValues, Paragraph, Quantity, Quotation, Samples, Section

INTRODUCTION = (
    "Each finding with the samples of its slice, those that people failed first, then by score, the worst first. Long "
    "texts are cut, and say by how much. Nothing in them is interpreted: markup is shown as text."
)
EXPORT = " `hcat samples export` writes all of them in full."
PROGRAM = (
    "This program checks the evidence pack of this report without hcat: who signed it, the SHA-256 of each file, that "
    "none was added or removed, and the chain of the label log. It needs Python 3.9 or later and the package "
    "cryptography. Save it from the HTML or JSON of this report, which keep each character, as a file in UTF-8, or "
    "take core/capabilities/evidence/standalone.py from where hcat is published; the hash is that of the same file."
)
FENCE = "~~~~"


def appendix_section(evidence: Evidence) -> Section | None:
    """Appendix of the samples behind findings. None where no finding has samples that can be shown."""
    blocks: list[Block] = []
    for number, finding in enumerate(evidence.findings, start=1):
        if finding.samples:
            shown, n = Quantity(len(finding.samples), "count"), Quantity(finding.n_samples, "count")
            more = say(EXPORT) if len(finding.samples) < finding.n_samples else ""
            title = say("Finding {number}: {finding.title}", number=number, finding=finding)
            blocks.append(
                Samples(title, finding.samples, tell("{shown} of {n} samples.{more}", shown=shown, n=n, more=more))
            )
    if not blocks:
        return None
    return Section("appendix", say("Appendix: samples behind the findings"), (Paragraph((say(INTRODUCTION),)), *blocks))


def verifier_section(evidence: Evidence) -> Section | None:
    """None where the evidence names no such program."""
    text = evidence.verifier
    if not text:
        return None
    facts = KeyValues((("SHA-256", Quantity(sha256(text.encode("utf-8")).hexdigest(), "code")),))
    program = Quotation(f"{FENCE}python\n{text.rstrip()}\n{FENCE}")
    title = say("Appendix: the program that checks the evidence")
    return Section("verifier", title, (Paragraph((say(PROGRAM),)), facts, program))
