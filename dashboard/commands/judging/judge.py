"""`hcat judge RUN`: a language model judges the answers of a run by a rubric, one verdict for every item asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import HcatError
from dashboard.commands.judging.judge_options import (
    Criteria,
    Endpoint,
    JudgeOptions,
    Model,
    Order,
    PeopleLabels,
    RubricFile,
    Temperature,
    Trials,
    chosen_rubric,
    opened_judge,
    people_labels,
)
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
)
from dashboard.commands.output import AsJson, print_json, print_table, progress_bar
from dashboard.commands.runs import read_samples
from dashboard.commands.score_files import read_score_table
from dashboard.commands.scoring import summary_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agreement.judges.against_people import JudgeAgreement
    from core.agreement.judges.judge import Judge, JudgedExample, Judgement
    from core.agreement.judges.rubric import Rubric
    from core.scoring.score_table import ScoreTable
    from core.types import JsonValue, Sample


def judge(
    run: Annotated[Path, typer.Argument(help="Run file: JSON Lines, JSON, CSV or Parquet.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the scores (Parquet); not with --dry-run.")
    ] = None,
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: RubricFile = None,
    criteria: Criteria = "",
    name: Annotated[str, typer.Option(help="The judge's name; its metrics are NAME:CRITERION.")] = "judge",
    trials: Trials = 1,
    temperature: Temperature = 0.0,
    order: Order = "reason-first",
    sample: Annotated[
        int | None, typer.Option(min=1, help="Judge so many samples only, drawn at random by HCAT_SEED.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="People's labels (CSV), to compare with and to take examples from.")
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="With --labels: the criterion of the labels.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    label_run: Annotated[str | None, typer.Option(help="With --labels: take the labels of this run only.")] = None,
    examples: Annotated[
        int,
        typer.Option(
            min=0, max=20, help="Show the judge so many labelled answers with critiques; they are not judged."
        ),
    ] = 0,
    verdicts: Annotated[
        Path | None, typer.Option(help="Also write every verdict with its reason (JSON Lines).")
    ] = None,
    llm_labels: Annotated[
        Path | None, typer.Option(help="Also write the verdicts as labels with source llm (CSV); one criterion.")
    ] = None,
    theirs: Annotated[
        Path | None, typer.Option("--with", help="Scores of the run (Parquet) to put the judge's beside.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a run by a rubric: what it takes is said first, then a score or a reason for every sample and criterion."""
    from core.agreement.judges.forecast import forecast
    from core.agreement.judges.judge import judge_samples
    from core.agreement.judges.scores import judge_metric, judge_score_table
    from core.settings import settings
    from core.wording.judging.verdicts import forecast_sentence

    chosen = chosen_rubric(rubric, criteria)
    for each in chosen.criteria:
        judge_metric(name, each.name)
    if output is None and not dry_run:
        raise HcatError("name a file for the scores with -o, or ask what it would take with --dry-run")
    if llm_labels is not None and len(chosen.criteria) != 1:
        raise HcatError("labels are of one criterion: name it with --criteria")
    samples = read_samples(run)
    people = None if labels is None else people_labels(labels, criterion, positive, levels, passing, label_run)
    shown = _examples(people, samples, chosen, examples)
    options = JudgeOptions(endpoint, model, trials, temperature, order)
    asked = opened_judge(options, chosen, shown)
    judged = _to_judge(samples, shown, sample)
    prices = (settings().llm_price_in, settings().llm_price_out)
    ahead = forecast(asked, judged, prices=prices)
    inputs = (
        {"run": run} | ({} if labels is None else {"labels": labels}) | ({} if rubric is None else {"rubric": rubric})
    )
    about: dict[str, JsonValue] = {**asked.settings(), "version": asked.version, "name": name}
    if dry_run or not as_json:
        typer.echo(forecast_sentence(ahead), err=as_json)
    if dry_run:
        if as_json:
            print_json(inputs=inputs, settings=about, forecast=_forecast_json(ahead))
        return
    with progress_bar() as show:
        judgement = judge_samples(asked, judged, on_progress=show)
    table = judge_score_table(judgement.verdicts, samples, asked, name=name, seed=settings().seed)
    compared = _compared(judgement, people, asked, samples)
    _write(table if theirs is None else _beside(theirs, samples, table), output, verdicts, llm_labels, judgement, asked)
    if as_json:
        print_json(
            inputs=inputs,
            settings=about,
            n=len(judged),
            run_hash=table.provenance.run_hash,
            metrics=summary_json(table, samples),
            usage={**judgement.usage.record(), "cached": judgement.cached},
            agreement=[_agreement_json(each) for each in compared],
        )
        return
    _print(table, samples, judgement, compared, people, title=f"{run.name}: {asked.name} → {output}")


def _examples(
    people: PeopleLabels | None, samples: Sequence[Sample], rubric: Rubric, n: int
) -> tuple[JudgedExample, ...]:
    if n == 0:
        return ()
    if people is None or len(rubric.criteria) != 1:
        raise HcatError("examples come from --labels, for one criterion: name both, the latter with --criteria")
    import numpy as np

    from core.agreement.judges.examples import draw_examples
    from core.settings import settings

    by_id = {sample.id: sample for sample in samples}
    rng = np.random.default_rng(settings().seed)
    judged = rubric.criteria[0]
    drawn = draw_examples(people.labels, by_id, people=people.criterion, judge=judged, n=n, rng=rng)
    if len(drawn) < n:
        raise HcatError(
            f"{len(drawn)} labelled answers have a critique (column rationale) by a person: too few for {n} examples"
        )
    return drawn


def _to_judge(samples: Sequence[Sample], shown: Sequence[JudgedExample], most: int | None) -> list[Sample]:
    import numpy as np

    from core.settings import settings

    left_out = {example.sample.id for example in shown}
    judged = [each for each in samples if each.id not in left_out]
    if most is None or most >= len(judged):
        return judged
    drawn = np.random.default_rng(settings().seed).permutation(len(judged))[:most]
    return [judged[place] for place in sorted(drawn.tolist())]


def _compared(
    judgement: Judgement, people: PeopleLabels | None, judge: Judge, samples: Sequence[Sample]
) -> list[JudgeAgreement]:
    if people is None:
        return []
    import numpy as np

    from core.agreement.judges.against_people import judge_agreement
    from core.agreement.judges.verdict import mean_scores
    from core.records.clusters import clusters_of
    from core.settings import settings

    clusters = clusters_of(samples)
    return [
        judge_agreement(
            mean_scores(judgement.verdicts, each.name),
            people.labels,
            people=people.criterion,
            judge=each,
            rng=np.random.default_rng(settings().seed),
            clusters=clusters,
        )
        for each in judge.rubric.criteria
    ]


def _beside(theirs: Path, samples: Sequence[Sample], table: ScoreTable) -> ScoreTable:
    from core.scoring.merging import joined

    return joined(read_score_table(theirs, samples, {}), table, overwrite=True)


def _write(
    table: ScoreTable,
    output: Path | None,
    verdicts: Path | None,
    llm_labels: Path | None,
    judgement: Judgement,
    judge: Judge,
) -> None:
    from core.agreement.judges.scores import judge_criterion, judge_labels
    from core.agreement.judges.verdict import verdicts_jsonl
    from core.importers.labels.label_file import labels_csv
    from core.records.atomic import write_whole

    if output is not None:
        table.write(output)
    if verdicts is not None:
        write_whole(verdicts, verdicts_jsonl(judgement.verdicts).encode())
    if llm_labels is not None:
        on = judge.rubric.criteria[0]
        labels = judge_labels(judgement.verdicts, on, annotator=judge.name)
        write_whole(llm_labels, labels_csv(labels, judge_criterion(on)).encode())


def _print(
    table: ScoreTable,
    samples: Sequence[Sample],
    judgement: Judgement,
    compared: Sequence[JudgeAgreement],
    people: PeopleLabels | None,
    *,
    title: str,
) -> None:
    from core.wording.judging.verdicts import agreement_sentences, usage_sentence
    from dashboard.commands.scoring import print_summary

    print_summary(table, samples, title=title)
    typer.echo(usage_sentence(judgement))
    for each in compared:
        for sentence in agreement_sentences(each, people.criterion) if people is not None else ():
            typer.echo(sentence)
        if each.enough and people is not None:
            print_table(
                f"{people.criterion.name} by people (rows), {each.criterion} by the judge (columns)",
                ("", *(str(score) for score in range(1, len(each.table[0]) + 1))),
                [(level, *map(str, counts)) for level, counts in zip(people.criterion.levels, each.table, strict=True)],
            )


def _forecast_json(forecast: object) -> JsonValue:
    from core.records.codec import JSON

    return JSON.write(forecast)


def _agreement_json(agreement: JudgeAgreement) -> JsonValue:
    from core.records.codec import JSON

    return JSON.write(agreement)
