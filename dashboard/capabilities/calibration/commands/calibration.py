"""`hcat calibrate` and `hcat predict`."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.core.records.atomic import write_whole
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import level_settings
from hcat.dashboard.commands.labelled_runs import LABELLED, SCORES, OptionalScores, ProjectRun, StoredRun, takes_inputs
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    names_in,
    print_document,
    print_table,
    write_parquet,
)

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.calibration.calibration import Calibration
    from hcat.core.calibration.checks.comparison import Comparison
    from hcat.core.calibration.checks.exchangeability import ExchangeabilityCheck
    from hcat.core.types import JsonValue

METHOD_HELP = (
    "How scores map to probability: logistic (penalised), platt (logistic by maximum likelihood, without a penalty), "
    "isotonic (one metric, interpolated), isotonic_steps (one metric, in steps), combined, xgboost (boosted trees); "
    "for more than two levels also ordinal or multinomial."
)
"""Names the methods of `hcat.core.calibration.maps.methods`, which take too long to read for a page of help."""


SamplesFile = Annotated[
    Path | None,
    typer.Option("--samples", help="The run file: its dimensions, and its clusters where the scores lack them."),
]


@reads_files
@takes_inputs({"run": SamplesFile} | LABELLED)
def calibrate(
    source: Inputs,
    criterion: Annotated[str, typer.Option(help="The criterion to calibrate.")],
    metrics: Annotated[str, typer.Option(help="One metric, or several, comma-separated.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the calibration goes (JSON).")],
    method: Annotated[str, typer.Option(help=METHOD_HELP)] = "logistic",
    alpha: Annotated[float, typer.Option(help="Error rate of the conformal sets, between 0 and 1.")] = 0.1,
    conditional: Annotated[
        str, typer.Option(help="Thresholds for all (none), by class, or by a dimension of --samples.")
    ] = "none",
    decision_threshold: Annotated[
        float, typer.Option(help="Type I and II errors are those of passing probabilities from this one on.")
    ] = 0.5,
    compare: Annotated[
        bool, typer.Option("--compare", help="Also cross-validate all methods, each metric alone and all together.")
    ] = False,
    author: Annotated[str, typer.Option(help="Who will use it; with --reason.")] = "",
    reason: Annotated[
        str,
        typer.Option(help="Why it is used, where it is not shown to be fit for use; goes into reports."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Fit scores to people's labels: a probability, a conformal threshold, and how well both hold.

    With --project the same by what is stored; `hcat calibration save` puts it in force."""
    from hcat.core.capabilities.calibration import calibrate as of_run
    from hcat.core.capabilities.calibration.views.evaluators import comparison_view
    from hcat.core.capabilities.calibration.wording.calibration import exchangeability_sentence
    from hcat.core.settings import settings
    from hcat.dashboard.commands.printed_view import print_view

    if source.project is None:
        _check_dimensions(source.run, by=conditional)
    names, seed = names_in(metrics), settings().seed
    with opened(source, needs=["scores", "labels"]) as (asked,):
        [on] = asked.criteria
        fitted = of_run.calibrate(
            asked,
            on,
            metrics=names,
            method=method,
            alpha=alpha,
            conditional=conditional,
            decision_threshold=decision_threshold,
        )
        if author or reason:
            fitted = fitted.put_in_force(author=author, reason=reason, at=datetime.now(UTC))
        alike = of_run.check_exchangeability(asked, on, seed=seed)
        compared = of_run.compare_methods(asked, on, metrics=names, seed=seed) if compare else None
    text = _calibration_text(fitted, alike, compared)
    write_whole(output, f"{text}\n".encode())
    if as_json:
        typer.echo(text)
        return
    print_calibration(fitted, title=f"{fitted.method} on {criterion} → {output}")
    _print_use(fitted)
    typer.echo(exchangeability_sentence(alike))
    if compared is not None:
        print_view(comparison_view(compared))


def _calibration_text(fitted: Calibration, alike: ExchangeabilityCheck, compared: Comparison | None) -> str:
    """The calibration as JSON, with the results of its checks."""
    from hcat.core.capabilities.calibration.wording.calibration import comparison_sentence
    from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document

    whole = {**calibration_document(fitted), "exchangeability": alike.document()}
    if compared is not None:
        whole["comparison"] = {"sentence": comparison_sentence(compared), **compared.document()}
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)


def _print_use(fitted: Calibration) -> None:
    """Of a calibration that is not shown to be fit: why it is used all the same, or that this takes a reason."""
    from hcat.core.capabilities.calibration.wording.in_force import reason_sentence

    if not fitted.is_fit:
        typer.echo(reason_sentence(fitted) if fitted.use else "Using it all the same takes a reason: --reason.")


def _check_dimensions(samples: Path | None, *, by: str) -> None:
    """HcatError where thresholds by a dimension are asked for and there are no samples."""
    from hcat.core.calibration.conformal.mondrian import BY_CLASS
    from hcat.core.calibration.conformal.stage_2 import NOT_CONDITIONAL

    if samples is None and by not in (NOT_CONDITIONAL, BY_CLASS):
        raise HcatError(f"thresholds by {by!r} need the dimensions of the samples: add --samples RUN_FILE")


def print_calibration(calibration: Calibration, *, title: str) -> None:
    """Print a calibration as `hcat calibrate` does."""
    from hcat.core.calibration.conformal.mondrian import BY_CLASS
    from hcat.core.capabilities.calibration.views.calibration import (
        coverage_view,
        diagnostics_view,
        sets_view,
        verdict_view,
    )
    from hcat.core.capabilities.calibration.views.evaluators import weights_view
    from hcat.core.view.tree import Heading
    from hcat.core.view.view import View
    from hcat.dashboard.commands.printed_view import print_view

    print_view(View((Heading(title),)))
    for view in (
        *(sets_view(calibration), weights_view(calibration.map), diagnostics_view(calibration)),
        *(coverage_view(calibration, by) for by in dict.fromkeys((BY_CLASS, calibration.conditional))),
        verdict_view(calibration),
    ):
        print_view(view)


@reads_files
@takes_inputs({"run": SamplesFile} | LABELLED)
def fitness(
    source: Inputs,
    criterion: Annotated[str, typer.Option(help="The criterion of the labels.")],
    metrics: Annotated[str | None, typer.Option(help="Metrics, comma-separated; by default all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say of each metric alone whether it is fit for use on these labels. A verdict allows for looks and tries already,
    so that asking for all costs nothing. With --metrics or --json the reason of each is told, too."""
    from hcat.core.capabilities.calibration.fitness import fitness_of_all
    from hcat.core.capabilities.calibration.wording.fitness import FITNESS_COLUMNS, fitness_cells
    from hcat.core.records.codec import JSON

    with opened(source, needs=["scores", "labels"]) as (asked,):
        [on] = asked.criteria
        found = fitness_of_all(asked, on, None if metrics is None else names_in(metrics))
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, **level_settings(source.levels, source.passing)}
        settings |= source.place
        about = document(inputs=source.files("scores", "labels", "run"), settings=settings)
        print_document({**about, "fitness": [JSON.write(each) for each in found]})
        return
    print_table(f"Fitness for use on {criterion}, each metric alone", FITNESS_COLUMNS, list(map(fitness_cells, found)))
    for each in found if metrics is not None else ():
        typer.echo(f"{each.metric}: {each.reason or each.verdict}")


PREDICTED = {
    "scores": OptionalScores,
    "calibration": Annotated[
        Path | None, typer.Argument(help="The calibration from `hcat calibrate` (JSON); with --project that in force.")
    ],
    "project": ProjectRun,
    "name": StoredRun,
    "run": Annotated[
        Path | None, typer.Option("--samples", help="The run file, where thresholds are by one of its dimensions.")
    ],
    **SCORES,
}


@reads_files
@takes_inputs(PREDICTED)
def predict(
    source: Inputs,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the decisions go (Parquet).")],
    criterion: Annotated[
        str | None, typer.Option(help="With --project: the criterion of the calibration; by default that saved last.")
    ] = None,
    contributions: Annotated[
        bool, typer.Option("--contributions", help="Add what each metric adds to the log-odds of each sample.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Apply a calibration: probability, prediction set and decision of every sample."""
    from hcat.core.capabilities.calibration import calibrate as of_run
    from hcat.core.capabilities.calibration.views.calibration import decisions_view
    from hcat.dashboard.commands.printed_view import print_view

    with opened(replace(source, criteria=(), warns=False), needs=["scores", "calibrations"]) as (asked,):
        fitted = asked.in_force(None if source.project is None else criterion)
        if source.project is None:
            _check_dimensions(source.run, by=fitted.conditional)
        table, decisions = asked.columns.scores, of_run.predict(asked.columns, fitted)
    added = None
    if contributions:
        added = fitted.contributions(table)
        names = {metric: f"contribution_{metric}" for metric in fitted.metrics}
        decisions = decisions.join(added[["baseline", *fitted.metrics]].rename(columns=names))
    about = document(
        inputs=source.files("scores", "calibration"),
        settings={
            **{"alpha": fitted.alpha, "method": fitted.method, "metrics": list(fitted.metrics)},
            **({} if source.project is None else {**source.place, "criterion": fitted.criterion}),
        },
        run_hash=table.provenance.run_hash,
    )
    write_parquet(decisions, output, about=about)
    counts = {str(word): int(n) for word, n in decisions["decision"].value_counts().items()}
    if as_json:
        means: JsonValue = None if added is None else dict(_mean_contributions(added, fitted.metrics))
        parts: dict[str, JsonValue] = {} if added is None else {"contributions": means}
        states = table.state_counts()
        answer_states: JsonValue = None if states is None else {str(state): n for state, n in states.items()}
        print_document(
            {**about, "n": len(decisions), "decisions": dict(counts), "answer_states": answer_states, **parts}
        )
        return
    typer.echo(f"{counted(len(decisions), 'sample')} → {output}")
    print_view(decisions_view(fitted, counts, source.name or (source.scores or output).name))
    if added is not None:
        sizes = _mean_contributions(added, fitted.metrics)
        print_table(
            "How much each metric moves the log-odds of a pass, on average",
            ("metric", "mean size"),
            [(name, f"{size:.3f}") for name, size in sizes.items()],
        )


def _mean_contributions(added: pd.DataFrame, metrics: tuple[str, ...]) -> dict[str, float]:
    """The mean size of each metric's contributions, largest first."""
    sizes = {name: float(added[name].abs().mean()) for name in metrics}
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))
