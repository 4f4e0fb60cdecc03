"""`hcat policy fit`, `show` and `apply`: from prediction sets to decisions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hcat.core.display.control_characters import visible
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.importers.reading.spreadsheet import csv_text
from hcat.core.inputs.inputs import Inputs, open_columns, opened
from hcat.core.records.atomic import write_whole
from hcat.dashboard.capabilities.policy.commands.options import (
    AcceptFrom,
    AfterAction,
    Attempts,
    ClusterCap,
    Confidence,
    CostOfError,
    CostOfPerson,
    CostOfRegeneration,
    ErrorShare,
    FailAction,
    FailBelow,
    NumberOfLooks,
    NumberOfTries,
    PerDay,
    RefusalActions,
    policy_spec,
)
from hcat.dashboard.capabilities.policy.commands.printing import CURVE, curve_rows, policy_parts
from hcat.dashboard.capabilities.policy.commands.stored import (
    FittedPolicy,
    InProject,
    OnCriterion,
    decide_in_project,
    fit_in_project,
    no_files,
)
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    print_document,
    read_text,
    write_parquet,
)
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.capabilities.policy.analysis.policy import PolicySpec
    from hcat.core.capabilities.policy.looks import Looks
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.opened.run import Opened, RunColumns
    from hcat.core.types import JsonValue

PolicyFile = Annotated[Path, typer.Argument(help="The policy from `hcat policy fit` (JSON).")]
SomeScores = Annotated[Path | None, typer.Argument(help="The score file from `hcat score` (Parquet).")]
SomePolicy = Annotated[Path | None, typer.Argument(help="The policy from `hcat policy fit` (JSON).")]
SamplesFile = Annotated[
    Path | None,
    typer.Option("--samples", help="The run file: its dimensions, its clusters, and the texts of answers."),
]


def fit(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the policy goes (JSON).")],
    scores: SomeScores = None,
    labels: Annotated[
        Path | None, typer.Argument(help="Labels (CSV): sample_id, criterion, label[, annotator, run, …].")
    ] = None,
    calibration: Annotated[Path | None, typer.Argument(help="The calibration from `hcat calibrate` (JSON).")] = None,
    project: InProject = None,
    on_criterion: OnCriterion = None,
    also: Annotated[
        list[str] | None,
        typer.Option(
            help="A further criterion that accepted answers must pass: its calibration (JSON), or with --project its "
            "name. Several times."
        ),
    ] = None,
    error: ErrorShare = 0.1,
    confidence: Confidence = 0.9,
    by: Annotated[str | None, typer.Option(help="A threshold for each level of this dimension of --samples.")] = None,
    accept_from: AcceptFrom = None,
    fail_below: FailBelow = None,
    cap: ClusterCap = None,
    looks: NumberOfLooks = None,
    tries: NumberOfTries = None,
    on_fail: FailAction = "regenerate",
    attempts: Attempts = 2,
    after: AfterAction = "person",
    refusals: RefusalActions = None,
    cost_person: CostOfPerson = None,
    cost_regeneration: CostOfRegeneration = None,
    cost_error: CostOfError = None,
    per_day: PerDay = None,
    curve: Annotated[
        Path | None,
        typer.Option(help="Write the trade-off of every threshold here (CSV): answers accepted, failures, bound."),
    ] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    run: Annotated[
        str | None, typer.Option(help="Take the labels of this run only; with --project, the run of the project.")
    ] = None,
    samples: SamplesFile = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Set thresholds that keep a promise: with CONFIDENCE, at most the share ERROR of the accepted answers fail.

    The promise is shown for one look at the labels, at one map and promise, unless --looks and --tries declare more.

    The labels are those of the calibration; those that fitted its map have no part in the thresholds.
    """
    from hcat.core.capabilities.policy.looks import Looks

    spec = policy_spec(
        *(error, confidence, by, accept_from, fail_below, cap, on_fail, attempts, after, refusals),
        costs=(cost_person, cost_regeneration, cost_error, per_day),
    )
    if project is not None:
        no_files(SCORES=scores, LABELS=labels, CALIBRATION=calibration, samples=samples)
        if looks is not None or tries is not None:
            raise HcatError("a project counts its looks and tries itself: leave --looks and --tries out")
        fitted = fit_in_project(project, run, on_criterion, spec, also=also or ())
    else:
        source = Inputs(
            name=run,
            run=samples,
            scores=scores,
            labels=labels,
            calibrations=() if calibration is None else (calibration, *map(Path, also or ())),
            positive=positive,
            levels=levels,
            passing=passing,
            stated=statements(directions, ranges),
        )
        with opened(source, needs=["scores", "labels", "calibrations"]) as (asked,):
            fitted = _fit_on_files(asked, source, spec, Looks.declared(looks, tries))
    text = json.dumps(fitted.policy.document(), indent=2, ensure_ascii=False, allow_nan=False)
    write_whole(output, f"{text}\n".encode())
    if curve is not None:
        write_whole(curve, csv_text([CURVE, *curve_rows(fitted.curves)]).encode())
    if as_json:
        print_document(policy_parts(fitted.policy))
        return
    _print_policy(fitted.policy, f" → {output}")


def _fit_on_files(run: Opened, source: Inputs, spec: PolicySpec, looks: Looks) -> FittedPolicy:
    from hcat.core.capabilities.policy.analysis.policy import fit_policy, trade_offs

    for each in run.chosen_calibrations:
        _check_dimension(source.run, spec.by or _dimension_of(each.conditional))
    first, *further = [(run.in_force(criterion.name), criterion) for criterion in run.criteria]
    policy = fit_policy(run, *first, spec, further=further, looks=looks)
    own, *others = source.calibrations
    files = {"scores": cast(Path, source.scores), "labels": cast(Path, source.labels), "calibration": own}
    files |= {f"calibration on {on.name}": path for path, (_, on) in zip(others, further, strict=True)}
    about = document(inputs=files, settings={})
    policy = replace(policy, inputs={**policy.inputs, **{f"file of {k}": str(v) for k, v in _hashes(about).items()}})
    return FittedPolicy(policy, trade_offs(run, *first, spec, further=further, looks=looks))


def show(policy: PolicyFile, as_json: AsJson = False) -> None:
    """Say what a policy does and promises, and what load, error and cost its run lets expect."""
    from hcat.core.capabilities.policy.policy import Policy

    stated = Policy.from_json(read_text(policy))
    if as_json:
        print_document(policy_parts(stated))
        return
    _print_policy(stated)


def _print_policy(policy: Policy, place: str = "") -> None:
    from hcat.core.capabilities.policy.view import policy_view
    from hcat.dashboard.commands.printed_view import print_view

    typer.echo(visible(f"Policy on {' and '.join(policy.criteria)}{place}"))
    print_view(policy_view(policy))


def apply(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the actions go (Parquet).")],
    scores: SomeScores = None,
    policy: SomePolicy = None,
    project: InProject = None,
    run: Annotated[str | None, typer.Option(help="With --project: the run that the policy in use decides on.")] = None,
    on_criterion: OnCriterion = None,
    samples: SamplesFile = None,
    attempt: Annotated[int, typer.Option(help="How often these answers were regenerated already.", min=0)] = 0,
    accepted: Annotated[
        Path | None,
        typer.Option(help="Write accepted answers with their certificates here (JSON Lines); needs --samples."),
    ] = None,
    people: Annotated[
        Path | None,
        typer.Option(help="Write what goes to people here (CSV), without scores; needs --samples."),
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Decide on every answer: accept, regenerate, send to a person, or reject."""
    from hcat.core.capabilities.policy.decide import Decisions
    from hcat.core.capabilities.policy.view import decisions_view
    from hcat.core.capabilities.policy.wording.policies import policy_sentence
    from hcat.dashboard.commands.printed_view import print_view

    if project is not None:
        no_files(SCORES=scores, POLICY=policy, samples=samples)
        stored = decide_in_project(project, run, on_criterion)
        columns, stated, decisions = stored.columns, stored.policy, stored.decisions
    elif scores is None or policy is None:
        raise HcatError("give SCORES and POLICY, or --project and --run")
    else:
        if samples is None and (accepted or people):
            raise HcatError("--accepted and --people write texts of answers: add --samples RUN_FILE")
        columns = open_columns(samples, scores, statements(directions, ranges))
        stated, decisions = _decided_on_files(columns, policy, samples, attempt=attempt)
    about = document(
        inputs={name: path for name, path in (("scores", scores), ("policy", policy)) if path is not None},
        settings={"attempt": attempt, "by": stated.by, "criterion": stated.criterion}
        | ({} if project is None else {"project": project, "run": run}),
        run_hash=columns.scores.provenance.run_hash,
        policy_hash=stated.hash,
    )
    write_parquet(decisions, output, about=about)
    _write_texts(columns, stated, decisions, accepted, people)
    counts = Decisions.of(decisions)
    if as_json:
        of_each: dict[str, JsonValue] = {"actions": {**counts.actions}, "because": {**counts.because}}
        print_document({**about, "n": counts.n, **of_each, "shown": stated.shown})
        return
    print_view(decisions_view(counts, title=f"{counted(counts.n, 'answer')} → {output}"))
    typer.echo(policy_sentence(stated))


def _decided_on_files(
    columns: RunColumns, policy: Path, samples: Path | None, *, attempt: int
) -> tuple[Policy, pd.DataFrame]:
    from hcat.core.capabilities.policy.analysis.policy import decide_run
    from hcat.core.capabilities.policy.policy import Policy

    stated = Policy.from_json(read_text(policy))
    _check_dimension(samples, stated.by)
    return stated, decide_run(columns, stated, attempt=attempt)


def _write_texts(
    columns: RunColumns, policy: Policy, decisions: pd.DataFrame, accepted: Path | None, people: Path | None
) -> None:
    from hcat.core.capabilities.policy.analysis.policy_export import accepted_answers, for_people

    if accepted is not None:
        lines = (json.dumps(line, ensure_ascii=False) for line in accepted_answers(columns, policy, decisions))
        write_whole(accepted, "".join(f"{line}\n" for line in lines).encode())
    if people is not None:
        write_whole(people, csv_text([("sample_id", "query", "answer"), *for_people(columns, decisions)]).encode())


def _hashes(about: dict[str, JsonValue]) -> dict[str, JsonValue]:
    hashes = about["inputs"]
    return hashes if isinstance(hashes, dict) else {}


def _dimension_of(conditional: str) -> str | None:
    return None if conditional in ("none", "class") else conditional


def _check_dimension(samples: Path | None, by: str | None) -> None:
    if samples is None and by is not None:
        raise HcatError(f"a policy by {by!r} needs the dimensions of the samples: add --samples RUN_FILE")
