"""`hcat trials`: scores over repeated trials of the same test cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import level_settings
from hcat.dashboard.commands.labelled_runs import LABELS, SCORES, ProjectRun, RunOfLabels, takes_inputs
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    existing,
    print_document,
    progress_bar,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hcat.core.calibration.calibration import Calibration
    from hcat.core.capabilities.trials.answer_diversity import AnswerDiversity
    from hcat.core.capabilities.trials.trials import Checker, FactorScores
    from hcat.core.opened.run import RunColumns
    from hcat.core.records.layout import JsonObject
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.types import Criterion, JsonValue, Label, Sample

    Judged = tuple[Sequence[Label], Criterion]

LONGEST_QUESTION = 80


OPTIONS = {
    "run": Annotated[Path | None, typer.Argument(help="Run file; the trials of a test case share its test_case.")],
    "project": ProjectRun,
    "name": RunOfLabels,
    "labels": Annotated[Path | None, typer.Option(help="Labels (CSV) as the checker; needs --criterion.")],
    **LABELS,
    "scores": Annotated[Path | None, typer.Option(help="Scores (Parquet), for --calibration or --metric.")],
    "calibration": Annotated[Path | None, typer.Option(help="Calibration (JSON) as the checker.")],
    **SCORES,
}


@reads_files
@takes_inputs(OPTIONS)
def trials(
    source: Inputs,
    criterion: Annotated[
        list[str] | None, typer.Option(help="The criterion of the labels; once for each factor of relevance.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="A metric as the checker, or METRIC=THRESHOLD; a trial is good at its threshold, else at --threshold, "
            "or better. Once for each factor of relevance."
        ),
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="Threshold on the probability from --calibration, or on the scores of --metric.")
    ] = 0.5,
    expected: Annotated[
        Path | None,
        typer.Option(
            help="What people expect (H), in place of that of the run: a table of test_case, expected[, annotator]; of "
            "several people the mean counts."
        ),
    ] = None,
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
    as_json: AsJson = False,
) -> None:
    """S_u, S_c and S_t over repeated trials, clustered; answer diversity; variance components (PROB).

    Each criterion, the calibration and each metric is one factor of relevance F: a row of the table. The first of
    them is that of the test cases. One criterion, calibration and metric also split the variance as checkers of the
    same answers; of several criteria or metrics, the first alone does. With --project and none of these, the
    calibration in force is the checker.
    """
    import numpy as np

    from hcat.core.capabilities.trials.trials import factor_scores, judgement_split, peoples_expectations, ratings
    from hcat.core.capabilities.trials.view import factors_view, lowest_view, variance_view
    from hcat.core.capabilities.trials.wording import trials_document, variance_document
    from hcat.core.records.codec import JSON
    from hcat.core.settings import settings
    from hcat.dashboard.commands.printed_view import print_view

    names, asked = criterion or [], metric or []
    if source.labels is not None and not names:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    with opened(replace(source, warns=False), needs=["run"]) as (repeated,):
        columns = repeated.columns
        judged: list[Judged] = [
            (repeated.label_source.labels(each.name), each) for each in (repeated.criteria if names else ())
        ]
        fitted = next(iter(repeated.chosen_calibrations), None)
        if source.project is not None and not (names or asked or source.calibrations or self_check):
            fitted = repeated.in_force()
        if source.project is not None and (fitted is not None or asked) and columns.given_scores is None:
            raise HcatError(f"run {source.name!r} has no scores yet: score it first")
        samples = columns.samples
        if self_check is not None:
            checked = _self_check(samples, self_check)
            if not (judged or asked) and fitted is None:
                if as_json:
                    inputs = source.files("run")
                    print_document({**document(inputs=inputs, settings={}), "self_check": checked})
                return
        checkers = _checkers(judged, columns.given_scores, fitted, asked, threshold)
        level_of = None if by is None else _levels(columns, by)
    people_say = None if expected is None else peoples_expectations(_expected(expected), samples)
    h = None if people_say is None else people_say.mean
    factors = [factor_scores(samples, one, level_of, expected=h) for one in checkers]
    first, *_ = factors
    kinds = _scatter(samples) if scatter else None
    splitting = checkers if len(judged) < 2 and len(asked) < 2 else checkers[:1]
    said = [(sample_id, one.name, value) for one in splitting for sample_id, value in one.outcomes.items()]
    people = ratings(*judged[0]) if judged else []
    judges = "annotator" if len({name for _, name, _ in people}) > 1 and len(splitting) == 1 else "checker"
    split = judgement_split(
        samples,
        people if judges == "annotator" else said,
        judge=judges,
        generator=np.random.default_rng(settings().seed),
    )
    if as_json:
        given = {} if expected is None else {"expected": expected}
        about = document(
            inputs=source.files("run", "labels", "scores", "calibration") | given,
            settings={
                "checker": first.checker.name,
                "checkers": [one.name for one in checkers],
                "by": by,
                **level_settings(source.levels, source.passing),
                **source.place,
            },
        )
        each: list[JsonValue] = [
            {"factor": one.checker.name, **trials_document(one.scores), "levels": _levels_document(one)}
            for one in factors
        ]
        print_document(
            {
                **about,
                **trials_document(first.scores),
                "levels": _levels_document(first),
                "factors": each,
                **({} if people_say is None else {"expected": JSON.write(people_say)}),
                "scatter": None if kinds is None else kinds.document(),
                "variance": variance_document(split),
            }
        )
        return
    print_view(factors_view(factors, by=by, expected=people_say))
    print_view(lowest_view(first))
    if kinds is not None:
        _print_diversity(kinds, samples)
    print_view(variance_view([split]))


def _levels_document(factor: FactorScores) -> JsonValue:
    from hcat.core.capabilities.trials.wording import trials_document

    return [{"level": part.level, **trials_document(part.scores)} for part in factor.levels]


def _expected(path: Path) -> dict[str, dict[str, float]]:
    from hcat.core.importers.labels.expected_file import read_expected

    try:
        return read_expected(existing(path))
    except FileFormatError as error:
        raise FileFormatError(f"{path.name}: {error}") from None


def _checkers(
    judged: Sequence[Judged],
    table: ScoreTable | None,
    fitted: Calibration | None,
    metrics: Sequence[str],
    threshold: float,
) -> list[Checker]:
    from hcat.core.capabilities.trials.trials import calibration_checker, labels_checker, metric_checker

    found = [labels_checker(*each) for each in judged]
    if (fitted is not None or metrics) and table is None:
        raise HcatError("--calibration and --metric need --scores: what `hcat score` wrote for this run")
    if table is not None and fitted is not None:
        found.append(calibration_checker(fitted, table, threshold=0.5 if metrics else threshold))
    if table is not None:
        found += [metric_checker(table, name, threshold=at) for name, at in _thresholds(metrics, table, threshold)]
    if not found:
        raise HcatError(
            "say how to check the trials: --labels with --criterion, --scores with --calibration or --metric"
        )
    return found


def _thresholds(metrics: Sequence[str], table: ScoreTable, threshold: float) -> Iterator[tuple[str, float]]:
    """Each metric with the threshold after its equals sign, else the one for all."""
    for text in metrics:
        name, separator, value = text.rpartition("=")
        if not separator or text in table.metrics:
            yield text, threshold
            continue
        try:
            yield name, float(value)
        except ValueError:
            raise HcatError(f"--metric {text}: write METRIC or METRIC=THRESHOLD, with a number") from None


def _self_check(samples: Sequence[Sample], path: Path) -> JsonObject:
    """Write the score of each sample, and say their mean."""
    import csv
    import io

    from hcat.core.capabilities.samples.answers import ENTAILED, self_check
    from hcat.core.metrics.registry import find_metric
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.records.atomic import write_whole
    from hcat.core.settings import settings

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
    from hcat.core.slices.slices import require_dimensions

    require_dimensions(columns.dimensions, [dimension])
    return [str(level) for level in columns.dimensions[dimension]]


def _scatter(samples: Sequence[Sample]) -> AnswerDiversity:
    from hcat.core.capabilities.samples.answers import answer_kinds
    from hcat.core.capabilities.trials.answer_diversity import answer_diversity
    from hcat.core.capabilities.trials.trials import cases_of
    from hcat.dashboard.capabilities.runs.commands.runs import encoder_and_store

    encoder, store = encoder_and_store()
    with progress_bar() as show:
        kinds = answer_kinds(samples, encoder=encoder, store=store, on_progress=show)
    return answer_diversity(kinds, cases_of(samples))


def _print_diversity(found: AnswerDiversity, samples: Sequence[Sample]) -> None:
    from textwrap import shorten

    from hcat.core.capabilities.trials.trials import cases_of
    from hcat.core.capabilities.trials.view import WORST, diversity_view, most_varied
    from hcat.dashboard.commands.printed_view import print_view

    asked = dict(zip(cases_of(samples), (sample.query for sample in samples), strict=True))
    shown = most_varied(found)[:WORST]
    print_view(diversity_view(found, {case: shorten(asked[case], LONGEST_QUESTION, placeholder="…") for case in shown}))
