"""`hcat judge RUN --project P`: the same on a run of a project, whose scores and labels the verdicts join."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hcat.dashboard.capabilities.judges.commands.judge_options import JudgeOptions, PeopleLabels, endpoint_settings
from hcat.dashboard.capabilities.judges.commands.judge_output import Judged, compared, forecast_first
from hcat.dashboard.commands.output import names_in, progress_bar

if TYPE_CHECKING:
    from hcat.core.types import JsonValue


class JudgedRun(NamedTuple):
    """The run of a project to judge, and the rubric; `sample` samples of it are a trial."""

    project: str
    run: str
    rubric: str | None
    criteria: str
    name: str
    sample: int | None
    criterion: str | None
    examples: int
    keep_labels: bool


def judge_in_project(which: JudgedRun, options: JudgeOptions, *, dry_run: bool, as_json: bool) -> Judged | None:
    """Judge and store; None where only the forecast was asked for."""
    from hcat.core.capabilities.judges.services.judges import JudgeRequest
    from hcat.core.workspace import Workspace

    own = endpoint_settings(options)
    with Workspace.open(own, actor="command line") as workspace:
        project = workspace.projects.get(which.project)
        run = workspace.runs.get(project, which.run)
        people = None if which.criterion is None else workspace.criteria.get(project, which.criterion)
        rubric, _ = workspace.rubrics.newest(project, which.rubric)
        request = JudgeRequest(
            run.id,
            rubric.name,
            tuple(names_in(which.criteria)),
            name=which.name,
            trials=options.trials,
            temperature=options.temperature,
            order=options.reason_order,
            work="run" if which.sample is None else "trial",
            sample=which.sample,
            labelled_on=which.criterion or "",
            examples=which.examples,
            keep_labels=which.keep_labels,
        )
        judge, version = workspace.judges.asked(project, run, request)
        about: dict[str, JsonValue] = {
            **judge.settings(),
            "version": judge.version,
            "rubric_version": version,
            "name": which.name,
        }
        forecast_first(workspace.judges.forecast(project, run, request), {}, about, dry_run=dry_run, as_json=as_json)
        if dry_run:
            return None
        with progress_bar() as show:
            stored = workspace.judges.judge(project, run, request, on_progress=show)
        verdicts, samples = workspace.judges.verdicts(stored), workspace.runs.samples(run)
        agreement = []
        if people is not None:
            labels = PeopleLabels(tuple(workspace.labels.current(project, people.name, run)), people)
            agreement = compared(verdicts, labels, judge, samples)
        return Judged(
            *({}, about, judge, which.name, samples, stored.n, verdicts, stored.usage, agreement, people),
            work=stored.work,
        )
