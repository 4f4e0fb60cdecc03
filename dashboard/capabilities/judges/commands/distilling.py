"""`hcat judge distil` and `gain`: a rubric from people's critiques, and what rubrics gain on answers held out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_samples
from hcat.dashboard.capabilities.judges.commands.judge_options import (
    Endpoint,
    JudgeOptions,
    Model,
    chosen_rubric,
    endpoint_settings,
    opened_judge,
    people_labels,
)
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, existing, print_json, progress_bar

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.distil import Distilled, LabelledRun
    from hcat.core.types import JsonValue

RunOrName = Annotated[
    str, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet; with --project a run's name.")
]
LabelsFile = Annotated[
    Path | None,
    typer.Argument(help="People's labels (CSV), reasons in the column rationale; not with --project."),
]
LabelCriterion = Annotated[str, typer.Option("--criterion", help="The criterion of the labels.")]
Project = Annotated[str | None, typer.Option(help="Take run, labels and rubric from this project, and store the gain.")]
Most = Annotated[int | None, typer.Option("--sample", min=2, help="Judge so many held-out answers at most, at random.")]
Tries = Annotated[
    int,
    typer.Option(
        min=1,
        help="How often rubrics were compared on these held-out answers, this time included. A project counts itself.",
    ),
]
LabelRun = Annotated[str | None, typer.Option(help="Take the labels of this run only.")]


class Asked(NamedTuple):
    """The criterion and the labels to measure on: from files, or from a project if `project` is named."""

    run: str
    labels: Path | None
    project: str | None
    criterion: str
    judged: str
    most: int | None
    tries: int


class Reading(NamedTuple):
    """Options for reading the label file."""

    positive: str | None
    levels: str | None
    passing: str | None
    label_run: str | None


def distil(
    run: RunOrName,
    criterion: LabelCriterion,
    judged: Annotated[str, typer.Option("--criteria", help="The criterion of the rubric that is written anew.")],
    labels: LabelsFile = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the new rubric (JSON); needed for files.")
    ] = None,
    project: Project = None,
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: Annotated[
        str | None, typer.Option(help="A rubric (JSON), or with --project its name; by default the five criteria.")
    ] = None,
    sample: Most = None,
    tries: Tries = 1,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    label_run: LabelRun = None,
    as_json: AsJson = False,
) -> None:
    """Write a criterion anew from critiques on half of the labels, and say what it gains on the other half."""
    from hcat.core.capabilities.judges.distil import distil as distil_rubric
    from hcat.core.capabilities.judges.rubric import rubric_json
    from hcat.core.records.atomic import write_whole

    asked = Asked(run, labels, project, criterion, judged, sample, tries)
    options = JudgeOptions(endpoint, model)
    if project is not None:
        about, result = _in_project(asked, options, rubric, against=None)
    else:
        if output is None:
            raise HcatError("name a file for the new rubric with -o")
        judge = opened_judge(options, chosen_rubric(None if rubric is None else Path(rubric), judged))
        labelled = _labelled(asked, Reading(positive, levels, passing, label_run))
        with progress_bar() as show:
            result = distil_rubric(judge, labelled, on_progress=show)
        about = judge.settings()
    if output is not None:
        write_whole(output, rubric_json(result.rubric).encode())
    if not as_json:
        where = f" to {output}" if output is not None else ""
        typer.echo(f"Written from {result.measured.critiques} critiques{where}: read and edit it before it is used.")
    _print(result, about, _inputs(asked, None if project is not None else rubric), as_json=as_json)


def gain(
    run: RunOrName,
    criterion: LabelCriterion,
    judged: Annotated[str, typer.Option("--criteria", help="The criterion of the rubrics that is compared.")],
    against: Annotated[
        str, typer.Option(help="The earlier rubric (JSON), or with --project the number of its version.")
    ],
    labels: LabelsFile = None,
    project: Project = None,
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: Annotated[
        str | None, typer.Option(help="The new rubric (JSON), or with --project its name, in its newest version.")
    ] = None,
    sample: Most = None,
    tries: Tries = 1,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    label_run: LabelRun = None,
    as_json: AsJson = False,
) -> None:
    """Say what an edited rubric gains in agreement with people over an earlier one, on the half of labels held out."""
    from hcat.core.capabilities.judges.distil import compare_rubrics

    asked = Asked(run, labels, project, criterion, judged, sample, tries)
    options = JudgeOptions(endpoint, model)
    if project is not None:
        if not against.isdecimal():
            raise HcatError(f"--against {against}: name the number of a version, 0 for the rubric that comes with hcat")
        about, result = _in_project(asked, options, rubric, against=int(against))
    else:
        if rubric is None:
            raise HcatError("name the new rubric with --rubric, and the earlier one with --against")
        first, second = (opened_judge(options, chosen_rubric(Path(each), judged)) for each in (against, rubric))
        labelled = _labelled(asked, Reading(positive, levels, passing, label_run))
        with progress_bar() as show:
            result = compare_rubrics(first, second, labelled, on_progress=show)
        about = second.settings()
    _print(result, about, _inputs(asked, None if project is not None else rubric), as_json=as_json)


def _labelled(asked: Asked, reading: Reading) -> LabelledRun:
    from hcat.core.capabilities.judges.distil import LabelledRun
    from hcat.core.records.clusters import clusters_of
    from hcat.core.settings import settings

    if asked.labels is None:
        raise HcatError("name the file of people's labels after the run, or a project with --project")
    samples = read_samples(existing(Path(asked.run)))
    people = people_labels(asked.labels, asked.criterion, *reading)
    by_id = {sample.id: sample for sample in samples}
    return LabelledRun(
        people.labels, by_id, clusters_of(samples), people.criterion, settings().seed, asked.most, asked.tries
    )


def _in_project(
    asked: Asked, options: JudgeOptions, rubric: str | None, *, against: int | None
) -> tuple[dict[str, JsonValue], Distilled]:
    from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest
    from hcat.core.workspace import Workspace

    if asked.labels is not None:
        raise HcatError("a project has labels of its own: name no file of labels with --project")
    if asked.tries != 1:
        raise HcatError("a project counts the tries on its held-out answers: --tries is for files")
    own = endpoint_settings(options)
    with Workspace.open(own, actor="command line") as workspace:
        project = workspace.projects.get(asked.project or "")
        run = workspace.runs.get(project, asked.run)
        name = workspace.rubrics.newest(project, rubric)[0].name
        request = RubricRequest(run.id, name, asked.judged, asked.criterion, against=against, most=asked.most)
        with progress_bar() as show:
            stored, result = workspace.rubric_gains.measure(project, run, request, on_progress=show)
        return dict(stored.settings), result


def _inputs(asked: Asked, rubric: str | None) -> dict[str, Path]:
    if asked.project is not None:
        return {}
    files = {"run": Path(asked.run), "labels": asked.labels, "rubric": None if rubric is None else Path(rubric)}
    return {name: file for name, file in files.items() if file is not None}


def _print(result: Distilled, about: dict[str, JsonValue], inputs: dict[str, Path], *, as_json: bool) -> None:
    from hcat.core.capabilities.judges.wording.verdicts import gain_sentence
    from hcat.core.records.codec import JSON

    measured = result.measured
    if as_json:
        print_json(
            inputs=inputs,
            settings=about,
            rubric=JSON.write_object(result.rubric),
            critiques=measured.critiques,
            gain=JSON.write_object(measured.gain),
            shown=measured.gain.is_shown,
            usage=result.usage.record(),
        )
        return
    typer.echo(gain_sentence(measured.gain))
