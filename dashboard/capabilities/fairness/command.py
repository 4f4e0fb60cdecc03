"""`hcat bias`: groups of people compared, over the same questions or matched; and what so many questions can show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    existing,
    names_in,
    print_document,
    print_note,
)
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.opened.run import Opened
    from hcat.core.records.fairness import FairnessSettings
    from hcat.core.types import JsonValue


OF_OWN = ("by", "match")
"""Settings that say nothing of groups that were asked the same questions."""


@reads_files
def bias(
    run: Annotated[
        str | None, typer.Argument(help="Run file with counterfactual variants; with --project the name of a run.")
    ] = None,
    scores: Annotated[Path | None, typer.Argument(help="Scores of the run (Parquet).")] = None,
    project: Annotated[str | None, typer.Option(help="Compare within this project instead of files.")] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(help="How far groups may lie apart: 0.05 for outcomes from 0 to 1, or OUTCOME=VALUE. Repeat."),
    ] = None,
    outcomes: Annotated[
        str | None, typer.Option(help="Outcomes, comma-separated: pass_rate:CRITERION, refusal, a metric …; or all.")
    ] = None,
    settle: Annotated[
        str | None,
        typer.Option(
            help="With --project: store margins, references and outcomes, signed by this name, before anybody looks."
        ),
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="ATTRIBUTE=GROUP that the others are compared with. Repeat.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="Dimensions that hold groups, comma-separated: compared without counterfactual variants."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(help="With --by: dimensions to match on, or none. By default topic,query_type where there are."),
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV) of the run; needs --criterion.")] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="Calibration (JSON): also compare the probability of a pass.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Level of the tests, over all comparisons together. By default 0.05.")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(help="Before any run: which gap would so many questions find?")
    ] = None,
    trials: Annotated[int, typer.Option(help="Trials of each question and group, for --questions.")] = 1,
    rate: Annotated[float, typer.Option(help="Pass rate expected, for --questions.")] = 0.5,
    alike: Annotated[float, typer.Option(help="Correlation of two answers to one question, for --questions.")] = 0.0,
    comparisons: Annotated[int, typer.Option(help="Groups × outcomes to be tested, for --questions.")] = 1,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Compare groups of people: gaps with intervals, equivalence within a margin, adjusted over all comparisons."""
    from hcat.core.capabilities.fairness.analysis.matched import compare_people

    level = 0.05 if alpha is None else alpha
    if questions is not None:
        _plan(questions, trials, rate, alike, comparisons, level, as_json=as_json)
        return
    asked_for = replace(
        settings_of(margin or (), reference or (), () if outcomes is None else names_in(outcomes), level),
        by=() if by is None else tuple(names_in(by)),
        match=None if match is None else () if match.strip() == "none" else tuple(names_in(match)),
    )
    if settle is not None:
        _settle(project, asked_for, settle)
        return
    if run is None:
        raise HcatError("name the run file; or --questions, to see beforehand which gap so many would find")
    source = Inputs(
        project=project,
        name=None if project is None else run,
        run=existing(Path(run)) if project is None else None,
        scores=scores,
        labels=labels,
        calibrations=() if calibration is None else (calibration,),
        criteria=() if criterion is None else (criterion,),
        positive=positive,
        levels=levels,
        passing=passing,
        stated=statements(directions, ranges),
    )
    asked_by = asked_for.by
    with opened(source) as (asked_people,):
        if project is not None:
            asked_for = _as_settled(asked_people, project, asked_for, own_level=alpha is not None)
        compared = compare_people(asked_people, asked_for, by=asked_by, match=asked_for.match)
    if as_json:
        from hcat.core.capabilities.fairness.wording import fairness_document
        from hcat.core.records.codec import JSON

        paths = {"run": None if project else Path(run), "scores": scores, "labels": labels, "calibration": calibration}
        own = compared.matched_on is not None
        asked: dict[str, JsonValue] = {
            name: value for name, value in JSON.write_object(compared.settings).items() if own or name not in OF_OWN
        }
        inputs = {name: path for name, path in paths.items() if path is not None}
        print_document({**document(inputs=inputs, settings=asked), **fairness_document(compared)})
        return
    from hcat.core.capabilities.fairness.view import fairness_view
    from hcat.dashboard.commands.printed_view import print_view

    print_view(fairness_view(compared, compared.outcomes))


def settings_of(
    margins: Sequence[str], references: Sequence[str], outcomes: Sequence[str], alpha: float
) -> FairnessSettings:
    """The settings from options such as "0.05", "answer_length=5" and "gender=man"."""
    from hcat.core.records.fairness import FairnessSettings

    single: dict[str, float] = {}
    default = None
    for text in margins:
        name, equals, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            raise HcatError(f"--margin {text!r} is no number: write 0.05, or answer_length=5") from None
        if equals:
            single[name.strip()] = number
        else:
            default = number
    named = {}
    for text in references:
        name, equals, group = text.partition("=")
        if not equals or not group.strip():
            raise HcatError(f"--reference {text!r} names no group: write gender=man")
        named[name.strip()] = group.strip()
    return FairnessSettings(default, single, named, tuple(outcomes), alpha)


def _as_settled(run: Opened, project: str, settings: FairnessSettings, *, own_level: bool) -> FairnessSettings:
    """The settings, completed as on the page by those settled in the project where the options leave them open."""
    from hcat.core.capabilities.fairness.analysis.matched import comparable
    from hcat.core.capabilities.fairness.wording import absent_sentence
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        settled = workspace.fairness.settled(workspace.projects.get(project))
    if not settled:
        return settings
    stated = settled[0].settings
    holding = comparable(run, by=settings.by or stated.by).limit(stated)
    if absent := absent_sentence(stated, holding, own=bool(settings.by)):
        print_note(absent)
    settings = settings.completed_by(holding)
    return settings if own_level else replace(settings, alpha=holding.alpha)


def _settle(project: str | None, settings: FairnessSettings, author: str) -> None:
    from hcat.core.capabilities.fairness.wording import settings_sentence
    from hcat.core.workspace import Workspace

    if project is None:
        raise HcatError("--settle stores margins in a project: name it with --project")
    if settings.margin is None and not settings.margins:
        raise HcatError("--settle needs the margins to store: --margin 0.05, or --margin answer_length=5")
    with Workspace.open(actor="command line") as workspace:
        settled = workspace.fairness.settle(workspace.projects.get(project), settings, author=author)
    typer.echo(f"{settings_sentence(settled.settings)} Set by {settled.author}.")


def _plan(
    questions: int, trials: int, rate: float, alike: float, comparisons: int, alpha: float, *, as_json: bool
) -> None:
    from hcat.core.capabilities.fairness.planning import plan_gaps
    from hcat.core.capabilities.fairness.wording import plan_document, plan_sentences

    plan = plan_gaps(questions, trials=trials, rate=rate, alike=alike, comparisons=comparisons, alpha=alpha)
    if as_json:
        print_document({**document(inputs={}, settings={"alpha": alpha}), **plan_document(plan)})
        return
    for sentence in plan_sentences(plan):
        typer.echo(sentence)
