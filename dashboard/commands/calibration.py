"""`hcat calibrate` and `hcat predict`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError
from dashboard.commands.output import document, existing, print_document, print_table, write_parquet
from dashboard.commands.scoring import AsJson

if TYPE_CHECKING:
    from core.calibration.calibration import Calibration
    from core.importers.labels import LabelPreview
    from core.types import Criterion

ScoresFile = Annotated[Path, typer.Argument(help="Scores from `hcat score` (Parquet).")]


def calibrate(
    scores: ScoresFile,
    labels: Annotated[Path, typer.Argument(help="Labels (CSV): sample_id, criterion, label[, annotator, run, …].")],
    criterion: Annotated[str, typer.Option(help="The criterion to calibrate.")],
    metrics: Annotated[str, typer.Option(help="One metric, or several, comma-separated.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the calibration goes (JSON).")],
    method: Annotated[str, typer.Option(help="How scores map to probability.")] = "logistic",
    alpha: Annotated[float, typer.Option(help="Error rate of the conformal sets, between 0 and 1.")] = 0.1,
    positive: Annotated[str | None, typer.Option(help="The label that counts as a pass, against all others.")] = None,
    run: Annotated[str | None, typer.Option(help="Take the labels of this run only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Fit scores to people's labels: a probability, a conformal threshold, and how well both hold."""
    from core.calibration.calibration import calibrate as fit
    from core.scores import ScoreTable

    table = ScoreTable.read(scores)
    judged = read_label_file(labels, criterion=criterion, positive=positive, run=run)
    fitted = fit(
        judged.labels,
        table,
        criterion=judged_criterion(judged, criterion),
        metrics=_names(metrics),
        method=method,
        alpha=alpha,
    )
    output.write_text(fitted.to_json(), encoding="utf-8")
    if as_json:
        typer.echo(fitted.to_json().rstrip())
        return
    print_calibration(fitted, title=f"{fitted.method} on {criterion} → {output}")


def read_label_file(
    path: Path, *, criterion: str, positive: str | None, run: str | None, levels: Criterion | None = None
) -> LabelPreview:
    """The labels of one criterion; a file with any bad row is refused, with the first problem named.

    Levels are those of the given criterion, or else inferred from the file.
    """
    from core.importers.labels import read_labels

    preview = read_labels(existing(path), criterion=levels, positive=positive, run=run)
    if preview.problems:
        first = preview.problems[0]
        raise FileFormatError(
            f"{path.name}: {len(preview.problems)} problems. The first: row {first.row}, column {first.column}: "
            f"expected {first.expected}, found {first.found}"
        )
    preview = replace(preview, labels=tuple(label for label in preview.labels if label.criterion == criterion))
    runs = sorted({label.run for label in preview.labels if label.run})
    if len(runs) > 1:
        shown = ", ".join(runs[:3])
        raise FileFormatError(f"{path.name} has labels of {len(runs)} runs ({shown}, …): choose one with --run")
    return preview


def judged_criterion(preview: LabelPreview, name: str) -> Criterion:
    """The criterion of this name in the file, with the levels found there."""
    for criterion in preview.criteria:
        if criterion.name == name:
            return criterion
    known = ", ".join(criterion.name for criterion in preview.criteria) or "none"
    raise FileFormatError(f"no label is on criterion {name!r}; the file has: {known}")


def print_calibration(calibration: Calibration, *, title: str) -> None:
    """The table of `hcat calibrate`."""
    from core.formats import format_estimate, format_number

    sizes = calibration.split_sizes
    rows = [
        ("labels: fit / conformal / check", f"{sizes['fit']} / {sizes['conformal']} / {sizes['check']}"),
        ("q̂", f"{format_number(calibration.threshold.q_hat)} at α = {calibration.alpha:g}"),
    ]
    rows += [(f"left out: {reason}", str(count)) for reason, count in calibration.left_out.items() if count]
    measured = calibration.diagnostics
    if measured is not None:
        rows += [
            ("coverage", format_estimate(measured.coverage)),
            ("AUC", format_estimate(measured.auc)),
            ("ECE", format_number(measured.ece)),
            ("Brier score", format_estimate(measured.brier)),
            ("Type I error (bad answer passes)", format_estimate(measured.type_1)),
            ("Type II error (good answer fails)", format_estimate(measured.type_2)),
            ("undecided", format_estimate(measured.undecided)),
        ]
    print_table(title, ("measure", "value"), rows)
    typer.echo(f"Fit for use: {calibration.fit_for_use.value}. {calibration.fit_for_use.reason}")


def predict(
    scores: ScoresFile,
    calibration: Annotated[Path, typer.Argument(help="The calibration from `hcat calibrate` (JSON).")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the decisions go (Parquet).")],
    as_json: AsJson = False,
) -> None:
    """Apply a calibration: probability, prediction set and decision of every sample."""
    from core.calibration.calibration import Calibration
    from core.scores import ScoreTable

    table = ScoreTable.read(scores)
    fitted = Calibration.from_json(existing(calibration).read_text(encoding="utf-8"))
    decisions = fitted.predict(table)
    about = document(
        inputs={"scores": scores, "calibration": calibration},
        settings={"alpha": fitted.alpha, "method": fitted.method, "metrics": list(fitted.metrics)},
        run_hash=table.provenance.run_hash,
    )
    write_parquet(decisions, output, about=about)
    counts = {str(word): int(n) for word, n in decisions["decision"].value_counts().items()}
    if as_json:
        print_document({**about, "n": len(decisions), "decisions": dict(counts)})
        return
    print_table(
        f"{len(decisions)} samples → {output}",
        ("decision", "samples", "share"),
        [(word, str(n), f"{n / len(decisions):.1%}") for word, n in counts.items()],
    )


def estimate(
    scores: ScoresFile,
    labels: Annotated[Path, typer.Argument(help="Labels (CSV).")],
    criterion: Annotated[str, typer.Option(help="The criterion to estimate the pass rate on.")],
    metrics: Annotated[str, typer.Option(help="One metric, or several, comma-separated.")],
    method: Annotated[str, typer.Option(help="How scores map to probability.")] = "logistic",
    positive: Annotated[str | None, typer.Option(help="The label that counts as a pass, against all others.")] = None,
    run: Annotated[str | None, typer.Option(help="Take the labels of this run only.")] = None,
    as_json: AsJson = False,
) -> None:
    """The pass rate of the whole run: naive, from labels only, and prediction-powered (PPI++)."""
    from core.estimates.run_estimates import estimate_run
    from core.formats import format_number, format_percent
    from core.scores import ScoreTable

    table = ScoreTable.read(scores)
    judged = read_label_file(labels, criterion=criterion, positive=positive, run=run)
    names = _names(metrics)
    found = estimate_run(
        judged.labels, table, criterion=judged_criterion(judged, criterion), metrics=names, method=method
    )
    if as_json:
        about = document(
            inputs={"scores": scores, "labels": labels},
            settings={"criterion": criterion, "metrics": list(names), "method": method},
        )
        print_document({**about, **found.document()})
        return
    rows = [
        (title, format_percent(e.value), f"{format_percent(e.low)} … {format_percent(e.high)}", str(e.n))
        for title, e in (("naive", found.naive), ("labels only", found.labels_only), ("PPI++", found.ppi))
    ]
    print_table(f"Pass rate on {criterion}", ("estimate", "value", "95 % interval", "n"), rows)
    typer.echo(
        f"Effective labels: {format_number(found.labels_only_effective_n)} without the metric, "
        f"{format_number(found.effective_n)} with it. {found.note}".rstrip()
    )


def _names(metrics: str) -> list[str]:
    return [name.strip() for name in metrics.split(",") if name.strip()]
