"""`hcat agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from hcat.dashboard.commands.labelled_runs import ProjectRun, Stored, stored_run
from hcat.dashboard.commands.output import AsJson, document, print_document
from hcat.dashboard.commands.runs import open_columns, warn_of_clusters, warn_of_likely_trials

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import pandas as pd

    from hcat.core.agreement.drift import Drift
    from hcat.core.agreement.leniency import Leniency
    from hcat.core.agreement.ratings import Ratings
    from hcat.core.agreement.summary import LevelAgreement, PairAgreement
    from hcat.core.types import Criterion, Estimate, JsonValue, Label

SEED = 7


def agreement(
    criterion: Annotated[str, typer.Option("--criterion", help="The criterion of the labels.")],
    labels: Annotated[
        Path | None, typer.Argument(help="Labels (CSV): sample_id, criterion, label, annotator[, run, at, …].")
    ] = None,
    run: Annotated[str | None, typer.Option(help="Use only the labels of this run; with --project, the run.")] = None,
    project: ProjectRun = None,
    run_file: Annotated[
        Path | None, typer.Option("--run-file", help="The run file: gives the clusters and the dimensions for --by.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="Also report each level of this dimension; needs --run-file.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    seed: Annotated[int, typer.Option(help="Random seed of the bootstrap and the drift test.")] = SEED,
    as_json: AsJson = False,
) -> None:
    """How well annotators agree (raw, κ, α, Gwet's AC1, on pass and on fail), who is lenient or strict, who drifts."""
    import numpy as np

    from hcat.core.agreement.drift import drifts
    from hcat.core.agreement.leniency import leniencies
    from hcat.core.agreement.ratings import ratings
    from hcat.core.agreement.summary import agreement as measure
    from hcat.core.agreement.summary import pair_agreements
    from hcat.core.views.agreement import agreement_view, drift_view, leniency_view, levels_view, pairs_view
    from hcat.dashboard.commands.printed_view import print_view

    if project is not None:
        with stored_run(project, run, criterion, (labels, run_file, positive, levels, passing)) as held:
            judged = _of_project(held, by)
    elif labels is None:
        raise HcatError("give a label file, or --project and --run")
    else:
        stated = stated_criterion(criterion, levels, positive)
        preview = read_label_file(labels, criterion=criterion, positive=positive, run=run, levels=stated)
        on = labelled_criterion(preview, criterion, passing=passing)
        judged = _of_files(preview.labels, on, run_file, by)
    given, on, clusters, dimensions = judged
    table, rng = ratings(given, criterion=on, test_cases=clusters), np.random.default_rng(seed)
    whole = measure(table, criterion=on, rng=rng)
    parts = _by_level(table, on, dimensions, by, rng)
    pairs = pair_agreements(table, criterion=on, rng=rng)
    lenient = leniencies(table, criterion=on)
    drifted = drifts(given, criterion=on, rng=rng, test_cases=clusters)
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, "seed": seed}
        settings |= {} if by is None else {"by": by}
        settings |= level_settings(levels, passing)
        settings |= {} if project is None else {"project": project, "run": run}
        inputs = {name: path for name, path in (("labels", labels), ("run", run_file)) if path is not None}
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
    print_view(agreement_view(whole, criterion, run))
    if by is not None:
        print_view(levels_view(parts, by))
    for view in (pairs_view(pairs), leniency_view(lenient), drift_view(drifted)):
        print_view(view)


class _Judged(NamedTuple):
    """Labels on a criterion, with the clusters of their samples, and the dimensions where they are asked for."""

    labels: Sequence[Label]
    criterion: Criterion
    clusters: Mapping[str, str] | None
    dimensions: pd.DataFrame | None


def _of_project(held: Stored, by: str | None) -> _Judged:
    """What people said for themselves, as on the page Agreement."""
    assert held.criterion is not None
    labels = held.workspace.annotators.independent_labels(held.info, held.criterion)
    columns = held.run.columns
    return _Judged(labels, held.criterion, columns.shared_clusters, None if by is None else columns.dimensions)


def _of_files(labels: Sequence[Label], criterion: Criterion, run_file: Path | None, by: str | None) -> _Judged:
    from hcat.core.records.samples.likely_trials import likely_trials_by_id

    if by is not None and run_file is None:
        raise HcatError("--by needs --run-file, which has the dimensions of each sample")
    if run_file is None:
        warn_of_likely_trials(likely_trials_by_id(sorted({label.sample_id for label in labels})))
        return _Judged(labels, criterion, None, None)
    columns = open_columns(run_file, None)
    warn_of_clusters(columns)
    return _Judged(labels, criterion, columns.shared_clusters, None if by is None else columns.dimensions)


def _by_level(
    table: Ratings, criterion: Criterion, dimensions: pd.DataFrame | None, by: str | None, rng: np.random.Generator
) -> tuple[LevelAgreement, ...]:
    from hcat.core.agreement.summary import agreement_by_level
    from hcat.core.weakness.slices import require_dimensions

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
    from hcat.core.wording.agreement import drift_word

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
