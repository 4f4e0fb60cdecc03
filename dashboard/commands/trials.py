"""`hcat trials`: scores over repeated trials of the same test cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.display.numbers import counted, format_estimate, format_number, format_with_interval
from core.errors import HcatError
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import AsJson, document, print_document, print_table, progress_bar, read_text
from dashboard.commands.runs import open_columns
from dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.analysis.run_data import RunColumns
    from core.estimates.answer_diversity import AnswerDiversity
    from core.estimates.probabilistic import ProbabilisticScores
    from core.estimates.trials import Checker
    from core.estimates.variance_components import ComponentSplit
    from core.records.layout import JsonObject
    from core.scoring.score_table import ScoreTable
    from core.types import Criterion, Estimate, JsonValue, Label, Sample

    Judged = tuple[Sequence[Label], Criterion]

WORST = 10


def trials(
    run: Annotated[Path, typer.Argument(help="Run file; the trials of a test case share its test_case.")],
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV) as the checker; needs --criterion.")] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    scores: Annotated[Path | None, typer.Option(help="Scores (Parquet), for --calibration or --metric.")] = None,
    calibration: Annotated[Path | None, typer.Option(help="Calibration (JSON) as the checker.")] = None,
    metric: Annotated[
        str | None, typer.Option(help="A metric as the checker; a trial is good at --threshold or above.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="Threshold on the probability from --calibration, or on the scores of --metric.")
    ] = 0.5,
    by: Annotated[str | None, typer.Option(help="Also report each level of this dimension.")] = None,
    scatter: Annotated[bool, typer.Option(help="Also group answers by meaning; uses the sentence encoder.")] = True,
    self_check: Annotated[
        Path | None,
        typer.Option(
            "--self-check",
            help="Write how far the other answers to a test case entail each answer (CSV), by the NLI model: a score "
            "that needs no contexts and no reference. Alone, without a checker, nothing else is computed.",
        ),
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """S_u, S_c and S_t over repeated trials, clustered; answer diversity; variance components (PROB).

    With several checkers, the first of labels, calibration, metric gives the scores; all split the variance.
    """
    import numpy as np

    from core.estimates.trials import factor_scores, judgement_split, ratings, trial_scores
    from core.settings import settings
    from core.wording.trials import trials_document, variance_document

    columns = open_columns(run, scores, statements(directions, ranges))
    samples = columns.samples
    if self_check is not None:
        checked = _self_check(samples, self_check)
        if labels is None and calibration is None and metric is None:
            if as_json:
                print_document({**document(inputs={"run": run}, settings={}), "self_check": checked})
            return
    judged = _labels(labels, criterion, positive, levels, passing)
    checkers = _checkers(judged, columns.given_scores, calibration, metric, threshold)
    found = trial_scores(samples, checkers[0])
    parts = () if by is None else factor_scores(samples, checkers[0], _levels(columns, by))
    kinds = _scatter(samples) if scatter else None
    said = [(sample_id, one.name, value) for one in checkers for sample_id, value in one.outcomes.items()]
    people = [] if judged is None else ratings(*judged)
    judges = "annotator" if len({name for _, name, _ in people}) > 1 and len(checkers) == 1 else "checker"
    split = judgement_split(
        samples,
        people if judges == "annotator" else said,
        judge=judges,
        generator=np.random.default_rng(settings().seed),
    )
    if as_json:
        paths = {"run": run, "labels": labels, "scores": scores, "calibration": calibration}
        about = document(
            inputs={name: path for name, path in paths.items() if path is not None},
            settings={
                "checker": checkers[0].name,
                "checkers": [one.name for one in checkers],
                "by": by,
                **level_settings(levels, passing),
            },
        )
        factors: list[JsonValue] = [{"level": part.level, **trials_document(part.scores)} for part in parts]
        print_document(
            {
                **about,
                **trials_document(found),
                "factors": factors,
                "scatter": None if kinds is None else kinds.document(),
                "variance": variance_document(split),
            }
        )
        return
    _print_scores(found, [(part.level, part.scores) for part in parts], checker=checkers[0].name, by=by)
    _print_cases(found)
    if kinds is not None:
        _print_scatter(kinds)
    _print_split(split)


def _labels(
    path: Path | None, name: str | None, positive: str | None, levels: str | None, passing: str | None
) -> Judged | None:
    if path is None:
        return None
    if name is None:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    stated = stated_criterion(name, levels, positive)
    judged = read_label_file(path, criterion=name, positive=positive, run=None, levels=stated)
    return judged.labels, labelled_criterion(judged, name, passing=passing)


def _checkers(
    judged: Judged | None, table: ScoreTable | None, calibration: Path | None, metric: str | None, threshold: float
) -> list[Checker]:
    from core.calibration.calibration import Calibration
    from core.estimates.trials import calibration_checker, labels_checker, metric_checker

    found = [] if judged is None else [labels_checker(*judged)]
    if (calibration is not None or metric is not None) and table is None:
        raise HcatError("--calibration and --metric need --scores: what `hcat score` wrote for this run")
    if table is not None and calibration is not None:
        fitted = Calibration.from_json(read_text(calibration))
        found.append(calibration_checker(fitted, table, threshold=threshold if metric is None else 0.5))
    if table is not None and metric is not None:
        found.append(metric_checker(table, metric, threshold=threshold))
    if not found:
        raise HcatError(
            "say how to check the trials: --labels with --criterion, --scores with --calibration or --metric"
        )
    return found


def _self_check(samples: Sequence[Sample], path: Path) -> JsonObject:
    """Write the score of each sample, and say their mean."""
    import csv
    import io

    from core.analysis.answers import ENTAILED, self_check
    from core.metrics.registry import find_metric
    from core.models.opened import ModelsOfSettings
    from core.records.atomic import write_whole
    from core.settings import settings

    opened = ModelsOfSettings(settings(), frozenset(find_metric(ENTAILED).models))()
    with progress_bar() as show:
        scores = self_check(samples, models=opened.models, store=opened.store, on_progress=show)
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(("sample_id", "self_check"))
    rows.writerows((name, "" if score.value is None else repr(score.value)) for name, score in scores.items())
    write_whole(path, lines.getvalue().encode())
    known = sum(score.value is not None for score in scores.values())
    typer.echo(
        f"{counted(known, 'answer')} of {len(scores)} checked against the other answers to its test case → {path}. "
        "A machine's verdict: take it as a score file, with --direction self_check=higher --range self_check=0..1.",
        err=True,
    )
    return {"scored": known, "unscored": len(scores) - known}


def _levels(columns: RunColumns, dimension: str) -> list[str]:
    """The level of each sample, in order."""
    from core.weakness.slices import require_dimensions

    require_dimensions(columns.dimensions, [dimension])
    return [str(level) for level in columns.dimensions[dimension]]


def _scatter(samples: Sequence[Sample]) -> AnswerDiversity:
    from core.analysis.answers import answer_kinds
    from core.estimates.answer_diversity import answer_diversity
    from core.estimates.trials import cases_of
    from core.models.encoder.encoder import load_encoder
    from core.settings import settings
    from dashboard.commands.runs import embedding_cache

    encoder = load_encoder(settings().embedder, device=settings().device)
    with progress_bar() as show:
        kinds = answer_kinds(samples, encoder=encoder, store=embedding_cache(encoder), on_progress=show)
    return answer_diversity(kinds, cases_of(samples))


def _print_scores(
    found: ProbabilisticScores, parts: Sequence[tuple[str, ProbabilisticScores]], *, checker: str, by: str | None
) -> None:
    from core.wording.trials import trials_note

    rows = [("whole run", found), *sorted(parts, key=lambda part: part[1].unconditional.value)]
    print_table(
        f"Trials by {checker}" + ("" if by is None else f", and by {by}"),
        ("", "S_u", "S_c", "S_t", "test cases", "trials"),
        [
            (
                name,
                *(_short(estimate) for estimate in (one.unconditional, one.conditional, one.total)),
                str(len(one.cases)),
                str(one.trials),
            )
            for name, one in rows
        ],
    )
    typer.echo(f"Intervals are clustered; {counted(found.unscored, 'trial')} unscored. {trials_note(found)}".rstrip())


def _print_cases(found: ProbabilisticScores) -> None:
    worst = sorted(found.cases, key=lambda case: case.probability)[:WORST]
    print_table(
        f"The {len(worst)} lowest of {len(found.cases)} test cases",
        ("test case", "trials", "P(E=1|Q)", "expected", "S_c"),
        [
            (
                c.test_case,
                str(c.trials),
                format_number(c.probability),
                format_number(c.expected),
                format_number(c.agreement),
            )
            for c in worst
        ],
    )


def _print_scatter(found: AnswerDiversity) -> None:
    rows = (
        ("share of the most common answer", found.largest),
        ("entropy, bits", found.entropy),
        ("evenness", found.evenness),
    )
    columns = ("answers to one question", "mean over test cases")
    print_table("Scatter", columns, [(name, format_estimate(estimate)) for name, estimate in rows])


def _print_split(split: ComponentSplit) -> None:
    from core.wording.trials import component_note

    print_table(
        f"Variance of {split.n} judgements",
        ("source", "levels", "variance", "share", "note"),
        [
            (
                part.name,
                str(part.levels),
                format_number(part.variance, decimals=4),
                _short(part.share),
                component_note(part),
            )
            for part in split.components
        ],
    )


def _short(estimate: Estimate) -> str:
    return format_with_interval(estimate)
