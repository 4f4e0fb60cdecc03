"""`hcat judge self-preference`: does a judge score its own family's answers higher than people's labels warrant?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_samples
from hcat.dashboard.capabilities.judges.commands.judge_documents import read_judge
from hcat.dashboard.capabilities.judges.commands.judge_options import people_labels
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, existing, print_json

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.self_preference import SelfPreference
    from hcat.core.types import JsonValue


def self_preference(
    judged: Annotated[
        list[str],
        typer.Argument(help="What `hcat judge RUN --json` says of each run; with --project the names of the runs."),
    ],
    own: Annotated[str, typer.Option(help="A part of the names of the judge's own family, such as gpt.")],
    wrote: Annotated[list[str], typer.Option(help="The model that wrote the answers, once for each run.")],
    criterion: Annotated[str, typer.Option(help="The criterion of the labels.")],
    run: Annotated[list[Path] | None, typer.Option(help="The run file, once for each; not with --project.")] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="People's labels (CSV), once for each; not with --project.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Runs, verdicts and labels of this project.")] = None,
    name: Annotated[str, typer.Option(help="With --project: the judge's name.")] = "judge",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    as_json: AsJson = False,
) -> None:
    """Compare answers of the judge's own family with others that people put on the same level, question by question."""
    if len(wrote) != len(judged) or not own.strip():
        raise HcatError("name by --wrote who wrote the answers of each run, in their order, and by --own a family")
    is_own = [own.strip().casefold() in model.casefold() for model in wrote]
    inputs: dict[str, Path] = {}
    if project is not None:
        if run or labels:
            raise HcatError("--run and --labels are for files: a project has runs and labels of its own")
        found = _of_project(project, dict(zip(judged, is_own, strict=True)), name, criterion)
    else:
        if not len(judged) == len(run or ()) == len(labels or ()):
            raise HcatError("name --run and --labels once for each file of a judge, in their order")
        files = list(zip(map(Path, judged), run or (), labels or (), strict=True))
        inputs = {
            f"{kind} {number}": existing(path)
            for number, paths in enumerate(files, start=1)
            for kind, path in zip(("judge", "run", "labels"), paths, strict=True)
        }
        found = _of_files(files, is_own, (criterion, positive, levels, passing))
    _print(found, inputs, {"own": own.strip(), "wrote": [*wrote], "criterion": criterion}, as_json=as_json)


def _of_files(
    files: list[tuple[Path, Path, Path]], is_own: list[bool], reading: tuple[str, str | None, str | None, str | None]
) -> tuple[SelfPreference, ...]:
    from hcat.core.capabilities.judges.self_preference import AnswersOfModel, self_preferences
    from hcat.core.capabilities.judges.stored import StoredJudgement, of_one_version
    from hcat.core.records.run_file import content_hash

    judgements, answers, criteria = [], [], []
    for (said, run, labels), side in zip(files, is_own, strict=True):
        samples, people = read_samples(run), people_labels(labels, *reading, None)
        stored = read_judge(said, content_hash(samples))
        if not isinstance(stored, StoredJudgement):
            raise HcatError(f"{said.name} is a check for bias: give what `hcat judge RUN --json` says")
        judgements.append(stored)
        criteria.append(people.criterion)
        answers.append(AnswersOfModel(samples, stored.verdicts, people.labels, side))
    if len({(each.levels, each.passing) for each in criteria}) > 1:
        raise HcatError("the labels of the runs have different levels: name them by --levels")
    return self_preferences(answers, of_one_version(judgements), criteria[0])


def _of_project(project: str, runs: dict[str, bool], judge: str, criterion: str) -> tuple[SelfPreference, ...]:
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        owner = workspace.projects.get(project)
        return workspace.judges.self_preference(owner, runs, judge, workspace.criteria.get(owner, criterion))


def _print(
    found: tuple[SelfPreference, ...], inputs: dict[str, Path], about: dict[str, JsonValue], *, as_json: bool
) -> None:
    from hcat.core.capabilities.judges.view import self_preference_view
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    if as_json:
        print_json(inputs=inputs, settings=about, preferences=[JSON.write(each) for each in found])
        return
    print_view(self_preference_view(found))
