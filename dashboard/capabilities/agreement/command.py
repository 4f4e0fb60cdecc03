"""`hcat agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import level_settings
from hcat.dashboard.commands.labelled_runs import LABELS, ProjectRun, RunOfLabels, takes_inputs
from hcat.dashboard.commands.output import AsJson, document, print_document

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from hcat.core.capabilities.agreement.drift import Drift
    from hcat.core.capabilities.agreement.leniency import Leniency
    from hcat.core.capabilities.agreement.ratings import Ratings
    from hcat.core.capabilities.agreement.summary import LevelAgreement, PairAgreement
    from hcat.core.types import Criterion, Estimate, JsonValue

SEED = 7


OPTIONS = {
    "labels": Annotated[
        Path | None, typer.Argument(help="Labels (CSV): sample_id, criterion, label, annotator[, run, at, …].")
    ],
    "name": RunOfLabels,
    "project": ProjectRun,
    "run": Annotated[
        Path | None, typer.Option("--run-file", help="The run file: gives the clusters and the dimensions for --by.")
    ],
    **LABELS,
}


@reads_files
@takes_inputs(OPTIONS)
def agreement(
    source: Inputs,
    criterion: Annotated[str, typer.Option("--criterion", help="The criterion of the labels.")],
    by: Annotated[str | None, typer.Option(help="Also report each level of this dimension; needs --run-file.")] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the bootstrap and the drift test.")] = SEED,
    as_json: AsJson = False,
) -> None:
    """Measure how well annotators agree (raw, κ, α, Gwet's AC1, on pass and on fail), who is lenient or strict, who
    drifts."""
    import numpy as np

    from hcat.core.capabilities.agreement.drift import drifts
    from hcat.core.capabilities.agreement.leniency import leniencies
    from hcat.core.capabilities.agreement.ratings import ratings
    from hcat.core.capabilities.agreement.summary import agreement as measure
    from hcat.core.capabilities.agreement.summary import pair_agreements
    from hcat.core.capabilities.agreement.view import agreement_view, drift_view, leniency_view, levels_view, pairs_view
    from hcat.dashboard.commands.printed_view import print_view

    if source.project is None and by is not None and source.run is None:
        raise HcatError("--by needs --run-file, which has the dimensions of each sample")
    with opened(source, needs=["labels"]) as (judged,):
        [on] = judged.criteria
        given, clusters = judged.independent_labels(on), judged.columns.shared_clusters
        dimensions = None if by is None else judged.columns.dimensions
    table, rng = ratings(given, criterion=on, test_cases=clusters), np.random.default_rng(seed)
    whole = measure(table, criterion=on, rng=rng)
    parts = _by_level(table, on, dimensions, by, rng)
    pairs = pair_agreements(table, criterion=on, rng=rng)
    lenient = leniencies(table, criterion=on)
    drifted = drifts(given, criterion=on, rng=rng, test_cases=clusters)
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, "seed": seed}
        settings |= {} if by is None else {"by": by}
        settings |= level_settings(source.levels, source.passing)
        settings |= source.place
        inputs = source.files("labels", "run")
        sliced: dict[str, JsonValue] = {} if by is None else {"levels": [_level(part) for part in parts]}
        print_document(
            {
                **document(inputs=inputs, settings=settings),
                "agreement": whole.document(),
                **sliced,
                "pairs": [_pair(pair) for pair in pairs],
                "leniency": [_leniency(one) for one in lenient],
                "drift": [_drift(one) for one in drifted],
            }
        )
        return
    print_view(agreement_view(whole, criterion, source.name))
    if by is not None:
        print_view(levels_view(parts, by))
    for view in (pairs_view(pairs), leniency_view(lenient), drift_view(drifted)):
        print_view(view)


def _by_level(
    table: Ratings, criterion: Criterion, dimensions: pd.DataFrame | None, by: str | None, rng: np.random.Generator
) -> tuple[LevelAgreement, ...]:
    from hcat.core.capabilities.agreement.summary import agreement_by_level
    from hcat.core.slices.slices import require_dimensions

    if by is None or dimensions is None:
        return ()
    require_dimensions(dimensions, [by])
    level_of = {str(sample_id): str(level) for sample_id, level in dimensions[by].dropna().items()}
    return agreement_by_level(table, level_of, criterion=criterion, rng=rng)


def _level(part: LevelAgreement) -> JsonValue:
    return {"level": part.level, **part.agreement.document()}


def _pair(pair: PairAgreement) -> JsonValue:
    table: list[JsonValue] = [list(row) for row in pair.table]
    return {"first": pair.first, "second": pair.second, **pair.agreement.document(), "table": table}


def _leniency(one: Leniency) -> JsonValue:
    return {
        "annotator": one.annotator,
        "pass_rate": _estimate(one.own),
        "difference": {**_estimate(one.difference), "level": one.difference.level},
        "p": one.p,
        "p_holm": one.p_holm,
        "verdict": one.manner,
    }


def _drift(one: Drift) -> JsonValue:
    from hcat.core.capabilities.agreement.wording import drift_word

    return {
        "annotator": one.annotator,
        "n": one.n,
        "p": one.p,
        "p_holm": one.p_holm,
        "q": one.q,
        "verdict": drift_word(one),
        "change_after": one.change if one.enough else None,
        "before": _estimate(one.before),
        "after": _estimate(one.after),
    }


def _estimate(made: Estimate) -> dict[str, JsonValue]:
    return {"value": made.value, "low": made.low, "high": made.high, "n": made.n}
