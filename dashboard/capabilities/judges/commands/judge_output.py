"""Output of `hcat judge RUN`, written and printed, for a run file and for a project's run alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_run_scores
from hcat.dashboard.capabilities.metrics.command import print_summary, summary_json
from hcat.dashboard.commands.output import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hcat.core.capabilities.judges.against_people import JudgeAgreement
    from hcat.core.capabilities.judges.forecast import JudgeForecast
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.capabilities.judges.verdict import JudgeVerdict
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.types import Criterion, JsonValue, Sample
    from hcat.dashboard.capabilities.judges.commands.judge_options import PeopleLabels


class Judged(NamedTuple):
    """A judgement of `n` of the samples of a run, with its cost, and its agreement with the labels, if any."""

    inputs: Mapping[str, Path]
    about: Mapping[str, JsonValue]
    judge: Judge
    name: str
    samples: Sequence[Sample]
    n: int
    verdicts: Sequence[JudgeVerdict]
    usage: Mapping[str, JsonValue]
    compared: Sequence[JudgeAgreement]
    people: Criterion | None
    work: str = "run"

    def table(self) -> ScoreTable:
        """The verdicts as metrics over all samples of the run."""
        from hcat.core.capabilities.judges.scores import judge_score_table
        from hcat.core.settings import settings

        return judge_score_table(self.verdicts, self.samples, self.judge, name=self.name, seed=settings().seed)


def compared(
    verdicts: Sequence[JudgeVerdict], people: PeopleLabels, judge: Judge, samples: Sequence[Sample]
) -> list[JudgeAgreement]:
    """Agreement of the judge with the labels, on each criterion of its rubric."""
    import numpy as np

    from hcat.core.capabilities.judges.against_people import judge_agreement
    from hcat.core.capabilities.judges.verdict import mean_scores
    from hcat.core.records.clusters import clusters_of
    from hcat.core.settings import settings

    clusters = clusters_of(samples)
    return [
        judge_agreement(
            mean_scores(verdicts, each.name),
            people.labels,
            people=people.criterion,
            judge=each,
            rng=np.random.default_rng(settings().seed),
            clusters=clusters,
        )
        for each in judge.rubric.criteria
    ]


def forecast_first(
    ahead: JudgeForecast,
    inputs: Mapping[str, Path],
    about: Mapping[str, JsonValue],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Print the cost of asking, before anything is asked."""
    from hcat.core.capabilities.judges.wording.verdicts import forecast_sentence
    from hcat.core.records.codec import JSON

    if dry_run or not as_json:
        typer.echo(forecast_sentence(ahead), err=as_json)
    if dry_run and as_json:
        print_json(inputs=inputs, settings=about, forecast=JSON.write(ahead))


def write_judged(
    judged: Judged, output: Path | None, verdicts: Path | None, llm_labels: Path | None, theirs: Path | None
) -> None:
    """The files that were asked for."""
    from hcat.core.capabilities.judges.scores import judge_criterion, judge_labels
    from hcat.core.capabilities.judges.verdict import verdicts_jsonl
    from hcat.core.importers.labels.label_file import labels_csv
    from hcat.core.records.atomic import write_whole
    from hcat.core.scoring.merging import joined

    if output is not None:
        table = judged.table()
        if theirs is not None:
            table = joined(read_run_scores(theirs, judged.samples, {}), table, overwrite=True)
        table.write(output)
    if verdicts is not None:
        write_whole(verdicts, verdicts_jsonl(judged.verdicts).encode())
    if llm_labels is not None:
        if len(judged.judge.rubric.criteria) != 1:
            raise HcatError("labels are of one criterion: name it with --criteria")
        on = judged.judge.rubric.criteria[0]
        labels = judge_labels(judged.verdicts, on, annotator=judged.judge.name)
        write_whole(llm_labels, labels_csv(labels, judge_criterion(on)).encode())


def print_judged(judged: Judged, *, title: str, as_json: bool) -> None:
    """The scores, the cost of asking, and the agreement with the labels."""
    from hcat.core.capabilities.judges.view import beside_people_view, both_levels_view
    from hcat.core.capabilities.judges.wording.verdicts import usage_sentence
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    table, people = judged.table(), judged.people
    if as_json:
        print_json(
            inputs=judged.inputs,
            settings=judged.about,
            work=judged.work,
            n=judged.n,
            run_hash=table.provenance.run_hash,
            metrics=summary_json(table.summary(samples=judged.samples)),
            usage=dict(judged.usage),
            agreement=[JSON.write(each) for each in judged.compared],
            rubric=JSON.write_object(judged.judge.rubric),
            verdicts=[JSON.write(each) for each in judged.verdicts],
        )
        return
    print_summary(table, table.summary(samples=judged.samples), title=title)
    typer.echo(usage_sentence(judged.usage))
    if people is None:
        return
    print_view(beside_people_view([(each.criterion, people.name, each) for each in judged.compared]))
    for each in judged.compared:
        if each.enough:
            print_view(both_levels_view(each, judged.judge.rubric.criterion(each.criterion), people))
