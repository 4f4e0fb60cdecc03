"""`hcat compare-slices`: one run of a project less another in each slice, paired by sample."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from dashboard.commands.output import AsJson, document, names_in, print_document, print_table
from dashboard.commands.project_options import ProjectOption, RunOption

if TYPE_CHECKING:
    from core.weakness.paired import PairedSlice, PairedSlices

SHOWN_ROWS = 20


def compare_slices(
    project: ProjectOption,
    run: RunOption,
    against: Annotated[str, typer.Option(help="Another run of the project, whose scores are subtracted.")],
    metric: Annotated[
        str, typer.Option(help="A metric scored in both runs, or pass_rate:CRITERION for labels in both.")
    ],
    by: Annotated[
        str | None, typer.Option(help="Dimensions, comma-separated; by default those of the Weaknesses page.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs slice by slice: the paired difference with interval, q over all slices tested, verdict."""
    from core.records.codec import JSON
    from core.wording.paired import paired_sentences
    from core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        first, second = workspace.runs.get(project, run), workspace.runs.get(project, against)
        names = None if by is None else names_in(by)
        chosen = names or workspace.weaknesses.default_dimensions(first, metric)
        paired = workspace.weaknesses.compare(first, second, metric, by=chosen)
    notes = paired_sentences(paired)
    if as_json:
        about = document(inputs={}, settings={"by": list(paired.by), "metric": metric}, notes=list(notes))
        print_document({**about, "comparison": JSON.write_object(paired)})
        return
    _print_slices(paired)
    for sentence in notes:
        typer.echo(sentence)


def _print_slices(paired: PairedSlices) -> None:
    from core.display.numbers import format_estimate, format_number, format_p_value

    rows = sorted(paired.slices, key=lambda each: _worst_first(each, paired))[:SHOWN_ROWS]
    of = f"{len(rows)} of {len(paired.slices)} slices, worst first"
    print_table(
        f"{paired.run} less {paired.against} on {paired.metric}; {of}",
        ("slice", paired.run, paired.against, "difference, 95% interval", "q", "verdict"),
        [
            (
                each.slice.title,
                format_number(each.mean),
                format_number(each.mean_against),
                format_estimate(each.difference),
                format_p_value(each.q),
                each.verdict,
            )
            for each in rows
        ],
    )


def _worst_first(each: PairedSlice, paired: PairedSlices) -> tuple[bool, float]:
    """Untested slices come last."""
    sign = -1.0 if paired.direction == "lower" else 1.0
    return math.isnan(each.q), sign * each.difference.value if math.isfinite(each.difference.value) else 0.0
