"""The samples that each finding rests on, in the order of the findings: query, answer, contexts, score and labels."""

from __future__ import annotations

from core.report.evidence.records import Evidence
from core.report.tree import Block, Paragraph, Quantity, Samples, Section

INTRODUCTION = (
    "Each finding with the samples of its slice, those that people failed first, then by score, the worst first. Long "
    "texts are cut, and say by how much. Nothing in them is interpreted: markup is shown as text."
)
EXPORT = " `hcat samples export` writes all of them in full."


def appendix_section(evidence: Evidence) -> Section | None:
    """None where no finding rests on samples that can be shown."""
    blocks: list[Block] = []
    for number, finding in enumerate(evidence.findings, start=1):
        if finding.samples:
            shown, n = Quantity(len(finding.samples), "count"), Quantity(finding.n_samples, "count")
            more = EXPORT if len(finding.samples) < finding.n_samples else ""
            title = f"Finding {number}: {finding.title}"
            blocks.append(Samples(title, finding.samples, (shown, " of ", n, f" samples.{more}")))
    if not blocks:
        return None
    return Section("appendix", "Appendix: samples behind the findings", (Paragraph((INTRODUCTION,)), *blocks))
