"""`hcat judge distil`: a rubric from people's critiques, and its gain on answers that it was not written from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dashboard.commands.judging.judge_options import (
    Endpoint,
    JudgeOptions,
    Model,
    RubricFile,
    chosen_rubric,
    opened_judge,
    people_labels,
)
from dashboard.commands.label_files import LevelNames, Passing, Positive
from dashboard.commands.output import AsJson, print_json, progress_bar
from dashboard.commands.runs import read_samples


def distil(
    run: Annotated[Path, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet.")],
    labels: Annotated[Path, typer.Argument(help="People's labels (CSV) with their reasons in the column rationale.")],
    criterion: Annotated[str, typer.Option(help="The criterion of the labels.")],
    judged: Annotated[str, typer.Option("--criteria", help="The criterion of the rubric that is written anew.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the new rubric (JSON).")],
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: RubricFile = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    label_run: Annotated[str | None, typer.Option(help="Take the labels of this run only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a criterion anew from critiques on half of the labels, and say what it gains on the other half."""
    import numpy as np

    from core.agreement.judges.distil import distil as distil_rubric
    from core.agreement.judges.rubric import rubric_json
    from core.records.atomic import write_whole
    from core.records.clusters import clusters_of
    from core.records.codec import JSON
    from core.settings import settings
    from core.wording.judging.verdicts import gain_sentence

    judge = opened_judge(JudgeOptions(endpoint, model), chosen_rubric(rubric, judged))
    samples = read_samples(run)
    people = people_labels(labels, criterion, positive, levels, passing, label_run)
    with progress_bar() as show:
        distilled = distil_rubric(
            judge,
            people.labels,
            {sample.id: sample for sample in samples},
            people=people.criterion,
            clusters=clusters_of(samples),
            rng=np.random.default_rng(settings().seed),
            on_progress=show,
        )
    write_whole(output, rubric_json(distilled.rubric).encode())
    if as_json:
        print_json(
            inputs={"run": run, "labels": labels} | ({} if rubric is None else {"rubric": rubric}),
            settings=judge.settings(),
            rubric=JSON.write_object(distilled.rubric),
            critiques=distilled.critiques,
            gain=JSON.write_object(distilled.gain),
            shown=distilled.gain.is_shown,
            usage=distilled.usage.record(),
        )
        return
    typer.echo(f"Written from {distilled.critiques} critiques to {output}: read and edit it before it is used.")
    typer.echo(gain_sentence(distilled.gain))
