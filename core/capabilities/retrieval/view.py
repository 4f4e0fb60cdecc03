"""Views of the relevant passages found in each stage of a run's retrieval."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.metrics.funnel import RunFunnel
from hcat.core.metrics.retrieval import FUNNEL, STAGE_2
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Paragraph, Table, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

MEANING = (
    "Means over the samples that say which passages are relevant, as trec_eval computes them. Stage 1 is the first "
    "100 candidates, stage 2 the contexts that the system read. No re-ranking can find more than the ceiling that "
    "stage 1 leaves. The share of attainable recall that is reached is the recall of stage 2 divided by the ceiling."
)


def retrieval_view(funnel: RunFunnel) -> View:
    """Every measure of both stages, the ceiling and the share of it that is reached; without candidates, stage 2
    alone."""
    stages = {metric.name: int(str(metric.parameters["stage"])) for metric in FUNNEL}
    rows: list[tuple[Value, ...]] = [
        (slice_metric_title(name), stages[name], estimate)
        for name, estimate in funnel.measures.items()
        if funnel.given or stages[name] == 2
    ]
    if funnel.given:
        rows.append((say("Ceiling for stage 2"), 1, funnel.ceiling))
        rows += [(say("Share of attainable recall reached @{k}", k=k), 2, funnel.reached[k]) for k in STAGE_2]
    counts = say(
        "{funnels} samples; {funnel.left_out} more do not say which passages are relevant, or have no contexts. The "
        "candidates of stage 1 are known for {funnel.given}; what rests on them is of those alone.",
        funnels=len(funnel.funnels),
        funnel=funnel,
    )
    columns = (column("Measure"), column("Stage", "count"), column("Mean", "estimate"))
    blocks: list[Block] = [
        Paragraph((say(MEANING),)),
        Table(say("Measures of retrieval"), columns, tuple(rows), (counts,)),
    ]
    most = max((len(query.second.ids) for query in funnel.funnels.values()), default=0)
    if most < STAGE_2[0]:
        few = say(
            "No sample has more than {most} contexts, so precision@{k} is at most {most}/{k}.", most=most, k=STAGE_2[0]
        )
        blocks.append(Paragraph((few,)))
    return View(tuple(blocks))
