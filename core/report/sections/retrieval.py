"""What each stage of retrieval found of the relevant passages."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.metrics.retrieval import STAGE_2
from hcat.core.report.evidence.records import Evidence, RetrievalEvidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Paragraph, Section, Table, Value

INTRODUCTION = (
    "Means over the samples that say which passages are relevant, as trec_eval computes them. Stage 1 is the first "
    "100 candidates, stage 2 the contexts that the system read. No re-ranking can find more than the ceiling that "
    "stage 1 leaves."
)


def retrieval_section(evidence: Evidence) -> Section | None:
    """None where no run says what is relevant."""
    if not evidence.retrieval:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),)), *(_measures(evidence, item) for item in evidence.retrieval)]
    return Section("retrieval", say("Retrieval"), tuple(blocks))


def _measures(evidence: Evidence, item: RetrievalEvidence) -> Table:
    funnel = item.funnel
    rows: list[tuple[Value, ...]] = [
        (evidence.title(name), estimate)
        for name, estimate in funnel.measures.items()
        if funnel.given or "@100" not in name
    ]
    if funnel.given:
        rows.append((say("Ceiling for stage 2"), funnel.ceiling))
        rows += [(say("Share of attainable recall reached @{k}", k=k), funnel.reached[k]) for k in STAGE_2]
    note = say(
        "{funnels} samples; {funnel.left_out} more do not say which passages are relevant, or have no contexts. The "
        "candidates of stage 1 are known for {funnel.given}.",
        funnels=len(funnel.funnels),
        funnel=funnel,
    )
    return Table(
        say("Retrieval of run {item.run}", item=item),
        (column("Measure"), column("Mean", "estimate")),
        tuple(rows),
        (note,),
    )
