"""`hcat judge panel`: several judges of a score file as one, and how many independent ones they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.dashboard.commands.output import AsJson, names_in, print_json

if TYPE_CHECKING:
    from hcat.core.types import JsonValue


def panel(
    scores: Annotated[Path, typer.Argument(help="Scores of several judges (Parquet; `hcat judge RUN --with`).")],
    metrics: Annotated[str, typer.Option(help="The judges' metrics, comma-separated.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the scores with the panel's mean (Parquet).")
    ] = None,
    name: Annotated[str, typer.Option(help="The name of the panel's metric.")] = "panel",
    as_json: AsJson = False,
) -> None:
    """Put several judges together: their rank correlations, what the panel is worth, and its mean as a metric."""
    from hcat.core.capabilities.judges.panel import panel_of, panel_scores
    from hcat.core.capabilities.judges.view import panel_view
    from hcat.core.records.codec import JSON
    from hcat.core.scoring.merging import joined
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.dashboard.commands.printed_view import print_view

    table = ScoreTable.read(scores)
    judges = panel_of(table, names_in(metrics))
    if output is not None:
        joined(table, panel_scores(table, judges, name=name)).write(output)
    pairs = judges.correlations.estimates.items()
    if as_json:
        rows: list[JsonValue] = [
            {"first": first, "second": second, "rho": JSON.write(estimate)} for (first, second), estimate in pairs
        ]
        print_json(
            inputs={"scores": scores},
            settings={"metrics": list(judges.metrics), "name": name},
            correlations=rows,
            mean_correlation=judges.mean_correlation,
            effective_judges=judges.effective,
        )
        return
    print_view(panel_view(judges))
