"""`hcat report`: the evidence of a project, or of a folder of files, as a document."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from core import __version__
from core.errors import HcatError
from core.records.atomic import write_whole
from core.records.hashing import sha256_of_files
from dashboard.commands.label_files import LevelNames, Positive, calibrated_criterion, read_label_file, stated_criterion
from dashboard.commands.output import existing, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.calibration.calibration import Calibration
    from core.report.evidence.records import AgreementEvidence, Evidence
    from core.scoring.score_table import ScoreTable
    from core.types import Criterion, Label, Sample


def report(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the report goes.")],
    project: Annotated[str | None, typer.Option(help="A project of the workspace; else give files.")] = None,
    run: Annotated[Path | None, typer.Option(help="Run file.")] = None,
    scores: Annotated[Path | None, typer.Option(help="Its scores (Parquet).")] = None,
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV).")] = None,
    calibration: Annotated[Path | None, typer.Option(help="A calibration (JSON).")] = None,
    weakness: Annotated[Path | None, typer.Option(help="A weakness table (Parquet).")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Annotated[
        str | None, typer.Option(help="The lowest level that counts as a pass; the calibration's where left out.")
    ] = None,
    label_run: Annotated[str | None, typer.Option(help="Take the labels of this run only.")] = None,
    format: Annotated[str | None, typer.Option(help="html or json; else by the output's name.")] = None,  # noqa: A002
    author: Annotated[str, typer.Option(help="Who hands the report in.")] = "",
) -> None:
    """Write the validation report."""
    from core.report.build import build_report
    from core.report.renderers.render import RENDERERS, render

    kind = format or output.suffix.lstrip(".")
    if kind not in RENDERERS:
        raise HcatError(f"no report format {kind!r}: choose one of {', '.join(RENDERERS)} with --format")
    if project is not None:
        from core.workspace import Workspace

        with Workspace.open() as workspace:
            tree = workspace.build_report(workspace.project(project), author=author)
    elif run is None or scores is None:
        raise HcatError("give --project, or at least --run and --scores")
    else:
        files = {"labels": labels, "calibration": calibration, "weakness": weakness}
        given = {name: existing(path) for name, path in files.items() if path is not None}
        reading = LabelReading(positive, levels, passing, label_run)
        tree = build_report(_from_files(existing(run), existing(scores), given, reading, author))
    content = render(tree, format=kind)
    write_whole(output, content)
    typer.echo(f"{output}: {len(tree.sections)} sections, {len(content):,} bytes")


class LabelReading(NamedTuple):
    """How the label file is to be read: what the options of these names say."""

    positive: str | None
    levels: str | None
    passing: str | None
    run: str | None

    def judged(self, path: Path, fitted: Calibration, scores: ScoreTable) -> tuple[tuple[Label, ...], Criterion]:
        """The labels on the calibration's criterion, and that."""
        name = fitted.criterion
        stated = stated_criterion(name, self.levels, self.positive)
        preview = read_label_file(
            path, criterion=name, positive=self.positive, run=self.run, levels=stated, scores=scores
        )
        return preview.labels, calibrated_criterion(preview, fitted, passing=self.passing)


def _agreements(
    labels: Sequence[Label], criterion: Criterion, run: str, samples: Sequence[Sample]
) -> tuple[AgreementEvidence, ...]:
    """How far annotators agree, where two labelled the same samples."""
    import numpy as np

    from core.agreement.ratings import ratings
    from core.agreement.summary import agreement
    from core.records.test_cases import repeated_cases
    from core.report.evidence.records import AgreementEvidence
    from core.settings import settings

    table = ratings(labels, criterion=criterion, test_cases=repeated_cases(samples))
    made = agreement(table, criterion=criterion, rng=np.random.default_rng(settings().seed))
    return (AgreementEvidence(run, criterion.name, made),) if made.n else ()


def _from_files(run: Path, scores: Path, given: dict[str, Path], reading: LabelReading, author: str) -> Evidence:
    from core.calibration.calibration import Calibration
    from core.records.run_file import content_hash
    from core.records.test_cases import all_cases, repeated_cases
    from core.report.evidence.gather import (
        calibration_evidence,
        label_evidence,
        pass_rate_evidence,
        run_evidence,
        worst_samples,
    )
    from core.report.evidence.records import Evidence, WeaknessEvidence
    from core.report.sections.reproducibility import installed_versions
    from core.scoring.score_table import ScoreTable
    from core.weakness.files import read_weaknesses
    from core.weakness.slices import dimension_frame
    from core.workspace.reporting import MAIN_METRICS, metric_notes
    from dashboard.commands.calibration import levels_of
    from dashboard.commands.runs import read_samples

    samples, table = read_samples(run), ScoreTable.read(scores)
    if table.provenance.run_hash != content_hash(samples):
        raise HcatError(f"{scores.name} holds the scores of another run than {run.name}: score it again")
    notes, name = metric_notes(), run.stem
    judged: tuple[Label, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    fitted = Calibration.from_json(read_text(given["calibration"])) if "calibration" in given else None
    if "labels" in given and fitted is not None:
        judged, on = reading.judged(given["labels"], fitted, table)
        criteria = (on,)
    main = next((metric for metric in (fitted.metrics if fitted else MAIN_METRICS) if metric in table.metrics), None)
    return Evidence(
        project=name,
        created_at=datetime.now(UTC),
        version=__version__,
        author=author,
        runs=(run_evidence(name, samples, table, content_hash=content_hash(samples), filename=run.name),),
        metrics=notes,
        criteria=criteria,
        labels=tuple(
            part
            for c in criteria
            for part in label_evidence(judged, run=name, criterion=c, test_cases=all_cases(samples))
        ),
        agreements=tuple(part for c in criteria for part in _agreements(judged, c, name, samples)),
        calibrations=tuple(
            calibration_evidence(
                fitted,
                table,
                judged,
                criterion=c,
                run=name,
                groups=levels_of(fitted, samples),
                test_cases=all_cases(samples),
            )
            for c in criteria
            if fitted is not None
        ),
        pass_rates=tuple(
            pass_rate_evidence(
                fitted,
                judged,
                table,
                dimension_frame(samples),
                criterion=c,
                run=name,
                test_cases=repeated_cases(samples),
            )
            for c in criteria
            if fitted is not None
        ),
        weaknesses=(WeaknessEvidence(name, read_weaknesses(given["weakness"])),) if "weakness" in given else (),
        worst=()
        if main is None
        else (worst_samples(samples, table, run=name, metric=main, direction=notes[main].direction),),
        hashes={"run": content_hash(samples), "scores": sha256_of_files([scores])}
        | {kind: sha256_of_files([path]) for kind, path in given.items()},
        packages=installed_versions(),
    )
