"""`hcat judge RUN`: a language model judges the answers of a run by a rubric, one verdict for every item asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_samples
from hcat.dashboard.capabilities.judges.commands.judge_documents import TRIAL
from hcat.dashboard.capabilities.judges.commands.judge_options import (
    Criteria,
    Endpoint,
    JudgeOptions,
    Model,
    Order,
    PeopleLabels,
    Temperature,
    Trials,
    chosen_rubric,
    opened_judge,
    people_labels,
)
from hcat.dashboard.capabilities.judges.commands.judge_output import (
    Judged,
    compared,
    forecast_first,
    print_judged,
    write_judged,
)
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, existing, progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.capabilities.judges.judge import JudgedExample
    from hcat.core.capabilities.judges.rubric import Rubric
    from hcat.core.types import JsonValue, Sample


def judge(
    run: Annotated[
        str, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet; with --project a run's name.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the scores (Parquet); needed for a file.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Judge a run of this project, and store the verdicts there as scores.")
    ] = None,
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: Annotated[
        str | None,
        typer.Option(
            help="A rubric (JSON, from `hcat judge rubric`), or with --project its name; by default the five criteria, "
            "or the project's rubric that was saved last."
        ),
    ] = None,
    criteria: Criteria = "",
    name: Annotated[str, typer.Option(help="The judge's name; its metrics are NAME:CRITERION.")] = "judge",
    trials: Trials = 1,
    temperature: Temperature = 0.0,
    order: Order = "reason-first",
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Judge so many samples only, drawn at random by HCAT_SEED, labelled ones first."),
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="People's labels (CSV), to compare with and to take examples from.")
    ] = None,
    criterion: Annotated[
        str | None, typer.Option(help="The criterion of the labels: with --labels, or of the project.")
    ] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    label_run: Annotated[str | None, typer.Option(help="With --labels: take the labels of this run only.")] = None,
    examples: Annotated[
        int,
        typer.Option(
            min=0,
            max=20,
            help="Show the judge so many labelled answers with critiques; neither they nor their trials are judged.",
        ),
    ] = 0,
    verdicts: Annotated[
        Path | None, typer.Option(help="Also write every verdict with its reason (JSON Lines).")
    ] = None,
    llm_labels: Annotated[
        Path | None, typer.Option(help="Also write the verdicts as labels with source llm (CSV); one criterion.")
    ] = None,
    keep_labels: Annotated[
        bool, typer.Option("--keep-labels", help="With --project: also keep the verdicts as labels with source llm.")
    ] = False,
    theirs: Annotated[
        Path | None, typer.Option("--with", help="Scores of the run (Parquet) to put the judge's beside.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a run by a rubric: what it takes is said first, then a score or a reason for every sample and criterion."""
    from hcat.core.capabilities.judges.scores import judge_metric
    from hcat.dashboard.capabilities.judges.commands.judge_project import JudgedRun, judge_in_project

    options = JudgeOptions(endpoint, model, trials, temperature, order)
    if project is not None:
        if labels is not None or theirs is not None:
            raise HcatError("--labels and --with are for a run in files: a project has labels and scores of its own")
        if keep_labels and sample is not None:
            raise HcatError("verdicts on a few samples are a trial: labels are kept of the whole run, without --sample")
        which = JudgedRun(project, run, rubric, criteria, name, sample, criterion, examples, keep_labels)
        judged = judge_in_project(which, options, dry_run=dry_run, as_json=as_json)
    else:
        file = None if rubric is None else Path(rubric)
        chosen = chosen_rubric(file, criteria)
        for each in chosen.criteria:
            judge_metric(name, each.name)
        if keep_labels:
            raise HcatError("--keep-labels is for a run of a project: write labels of a run file with --llm-labels")
        if output is None and not dry_run:
            raise HcatError("name a file for the scores with -o, or ask what it would take with --dry-run")
        if llm_labels is not None and len(chosen.criteria) != 1:
            raise HcatError("labels are of one criterion: name it with --criteria")
        path = existing(Path(run))
        people = None if labels is None else people_labels(labels, criterion, positive, levels, passing, label_run)
        inputs = (
            {"run": path} | ({} if labels is None else {"labels": labels}) | ({} if file is None else {"rubric": file})
        )
        judged = _judge_file(
            read_samples(path), chosen, options, people, inputs,
            name=name, sample=sample, examples=examples, dry_run=dry_run, as_json=as_json,
        )  # fmt: skip
    if judged is None:
        return
    write_judged(judged, output, verdicts, llm_labels, theirs)
    print_judged(judged, title=f"{Path(run).name}: {judged.judge.name} → {output or project}", as_json=as_json)


def _judge_file(
    samples: Sequence[Sample],
    rubric: Rubric,
    options: JudgeOptions,
    people: PeopleLabels | None,
    inputs: dict[str, Path],
    *,
    name: str,
    sample: int | None,
    examples: int,
    dry_run: bool,
    as_json: bool,
) -> Judged | None:
    """None where only the forecast was asked for."""
    from hcat.core.capabilities.judges.drawing import drawn_samples, without_examples
    from hcat.core.capabilities.judges.forecast import forecast
    from hcat.core.capabilities.judges.judge import judge_samples
    from hcat.core.settings import settings

    shown = _examples(people, samples, rubric, examples)
    judge = opened_judge(options, rubric, shown)
    judged = without_examples(samples, shown)
    if sample is not None:
        labelled = set() if people is None else {label.sample_id for label in people.labels if label.source != "llm"}
        judged = drawn_samples(judge, judged, sample, seed=settings().seed, first=labelled)
    ahead = forecast(judge, judged, prices=(settings().llm_price_in, settings().llm_price_out))
    about: dict[str, JsonValue] = {**judge.settings(), "version": judge.version, "name": name}
    forecast_first(ahead, inputs, about, dry_run=dry_run, as_json=as_json)
    if dry_run:
        return None
    with progress_bar() as show:
        judgement = judge_samples(judge, judged, on_progress=show)
    agreement = [] if people is None else compared(judgement.verdicts, people, judge, samples)
    criterion = None if people is None else people.criterion
    usage: dict[str, JsonValue] = {**judgement.usage.record(), "cached": judgement.cached}
    return Judged(
        *(inputs, about, judge, name, samples, len(judged), judgement.verdicts, usage, agreement, criterion),
        work="run" if sample is None else TRIAL,
    )


def _examples(
    people: PeopleLabels | None, samples: Sequence[Sample], rubric: Rubric, n: int
) -> tuple[JudgedExample, ...]:
    if n == 0:
        return ()
    if people is None or len(rubric.criteria) != 1:
        raise HcatError("examples come from --labels, for one criterion: name both, the latter with --criteria")
    from hcat.core.capabilities.judges.drawing import examples_for
    from hcat.core.settings import settings

    return examples_for(rubric, people.labels, samples, people.criterion, n=n, seed=settings().seed)
