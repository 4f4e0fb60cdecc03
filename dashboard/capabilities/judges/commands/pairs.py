"""`hcat judge pairs`: answers of two runs to the same questions, compared by a language model in both orders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_samples
from hcat.dashboard.capabilities.judges.commands.judge_options import (
    Endpoint,
    JudgeOptions,
    Model,
    Order,
    chosen_rubric,
    endpoint_settings,
    opened_judge,
    people_labels,
)
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, existing, print_json, progress_bar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hcat.core.capabilities.judges.asked_pairs import PairJudgement
    from hcat.core.capabilities.judges.pairs import PairBias
    from hcat.core.types import JsonValue


def pairs(
    run: Annotated[str, typer.Argument(help="Run file of the answers A; with --project a run's name.")],
    against: Annotated[str, typer.Argument(help="Run file of the answers B; with --project a run's name.")],
    criteria: Annotated[str, typer.Option("--criteria", help="The criterion of the rubric to compare by.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the verdicts (JSON Lines); needed for files.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Both are runs of this project; verdicts stay there.")] = None,
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: Annotated[
        str | None, typer.Option(help="A rubric (JSON), or with --project its name; by default the five criteria.")
    ] = None,
    order: Order = "reason-first",
    sample: Annotated[int | None, typer.Option(min=1, help="Ask about so many pairs, drawn by HCAT_SEED.")] = None,
    labels_a: Annotated[Path | None, typer.Option(help="Labels of A (CSV), to say which is right.")] = None,
    labels_b: Annotated[Path | None, typer.Option(help="Labels of B (CSV).")] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    model_a: Annotated[str, typer.Option(help="The model that wrote the answers A, for self-preference.")] = "",
    model_b: Annotated[str, typer.Option(help="The model that wrote the answers B.")] = "",
    family: Annotated[str, typer.Option(help="A part of the names of the judge's own family, such as gpt.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare the answers of two runs in both orders: which is preferred, and what position, length and family do."""
    from hcat.core.capabilities.judges.asked_pairs import (
        drawn_pairs,
        forecast_pairs,
        judge_pairs,
        pairs_of_runs,
    )
    from hcat.core.capabilities.judges.pair_file import asked_pairs_jsonl
    from hcat.core.capabilities.judges.pairs import pair_biases
    from hcat.core.capabilities.judges.wording.verdicts import forecast_sentence
    from hcat.core.records.atomic import write_whole
    from hcat.core.settings import settings

    options = JudgeOptions(endpoint, model, order=order)
    inputs: dict[str, Path] = {}
    if project is not None:
        if labels_a is not None or labels_b is not None:
            raise HcatError("--labels-a and --labels-b are for files: a project has labels of its own")
        from hcat.core.capabilities.judges.services.pair_judgements import PairRequest
        from hcat.core.workspace import Workspace

        own = endpoint_settings(options)
        with Workspace.open(own, actor="command line") as workspace:
            owner = workspace.projects.get(project)
            first, second = (workspace.runs.get(owner, name) for name in (run, against))
            name = workspace.rubrics.newest(owner, rubric)[0].name
            request = PairRequest(
                *(first.id, second.id, name, criteria),
                labelled_on=criterion or "",
                sample=sample,
                model_a=model_a,
                model_b=model_b,
                family=family,
                order=options.reason_order,
            )
            about: Mapping[str, JsonValue] = workspace.pair_judgements.asked(owner, request)[0].settings()
            typer.echo(forecast_sentence(workspace.pair_judgements.forecast(owner, first, request)), err=as_json)
            if dry_run:
                return
            with progress_bar() as show:
                stored = workspace.pair_judgements.judge(owner, first, request, on_progress=show)
            judgement, bias = workspace.pair_judgements.result(stored)
    else:
        if output is None and not dry_run:
            raise HcatError("name a file for the verdicts with -o, or ask what it would take with --dry-run")
        judge = opened_judge(options, chosen_rubric(None if rubric is None else Path(rubric), criteria))
        if len(judge.rubric.criteria) != 1:
            raise HcatError("answers are compared by one criterion of the rubric: name it with --criteria")
        inputs = {"run": existing(Path(run)), "against": existing(Path(against))}
        reading = (criterion, positive, levels, passing, None)
        people = [{} if file is None else _levels(file, *reading) for file in (labels_a, labels_b)]
        found = pairs_of_runs(
            *(read_samples(inputs["run"]), read_samples(inputs["against"]), judge.rubric.criteria[0]),
            levels=(people[0], people[1]),
            models=(model_a, model_b),
        )
        drawn, about = drawn_pairs(found, sample, seed=settings().seed), judge.settings()
        prices = (settings().llm_price_in, settings().llm_price_out)
        typer.echo(forecast_sentence(forecast_pairs(judge, drawn, prices=prices)), err=as_json)
        if dry_run:
            return
        with progress_bar() as show:
            judgement = judge_pairs(judge, drawn, on_progress=show)
        biases = pair_biases(judgement.verdicts, own={judge.name: family})
        bias = biases[0] if biases else None
    if output is not None:
        write_whole(output, asked_pairs_jsonl(judgement, judge=str(about["model"])).encode())
    _print(judgement, bias, about, inputs, (run, against), as_json=as_json)


def _levels(
    file: Path,
    criterion: str | None,
    positive: str | None,
    levels: str | None,
    passing: str | None,
    run: str | None,
) -> Mapping[str, int]:
    from hcat.core.labelling.consensus import resolve_labels

    people = people_labels(file, criterion, positive, levels, passing, run)
    agreed = resolve_labels(people.labels, people.criterion)
    return dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))


def _print(
    judgement: PairJudgement,
    bias: PairBias | None,
    about: Mapping[str, JsonValue],
    inputs: Mapping[str, Path],
    names: tuple[str, str],
    *,
    as_json: bool,
) -> None:
    from hcat.core.capabilities.judges.view import asked_pairs_view
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    if as_json:
        print_json(
            inputs=inputs,
            settings=dict(about),
            criterion=judgement.criterion,
            n=len(judgement.verdicts),
            unscored=dict(judgement.unscored),
            bias=None if bias is None else JSON.write_object(bias),
            usage={**judgement.usage.record(), "cached": judgement.cached},
        )
        return
    print_view(asked_pairs_view(judgement, bias, names))
