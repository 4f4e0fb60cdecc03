"""Samples as quoted in a report: long texts are cut, and the labels of the answer are added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.report.evidence.records import WorstSamples
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.display.reflow import reflow
from hcat.core.labelling.consensus import ConsensusLabels, deciding_labels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Direction, Label, Sample
from hcat.core.view.tree import Quantity, SampleExcerpt

MOST_CHARACTERS = 600
MOST_OF_ANSWERS = 2000
"""Limit for queries, answers and references, whose last words may be decisive."""
MOST_CONTEXTS = 3
MOST_WORST = 5


@dataclass(frozen=True, slots=True)
class Judgement:
    """Summary of the labels of a sample: `passed` is None for a tie between people; `by_people` is False for labels by
    a rule alone."""

    passed: bool | None
    by_people: bool
    text: str


def judgements(labels: ConsensusLabels) -> dict[str, Judgement]:
    """Judgements by sample ID, for every sample that a person or a rule labelled."""
    by_sample: dict[str, list[Label]] = {}
    for label in deciding_labels(labels.labels):
        by_sample.setdefault(label.sample_id, []).append(label)
    levels = dict(zip(labels.sample_ids, labels.levels.tolist(), strict=True))
    return {
        sample_id: _judgement(of_sample, levels.get(sample_id), labels.criterion)
        for sample_id, of_sample in by_sample.items()
    }


def excerpt(sample: Sample, *, facts: Mapping[str, float | None], labels: Sequence[str] = ()) -> SampleExcerpt:
    """The sample with its first three contexts, each cut at 600 characters; `labels` are its judgements by people."""
    shown = tuple(quote(passage.text) for passage in sample.contexts[:MOST_CONTEXTS])
    more = len(sample.contexts) - len(shown)
    return SampleExcerpt(
        id=sample.id,
        query=quote(sample.query, most=MOST_OF_ANSWERS),
        answer=None if sample.answer is None else quote(sample.answer, most=MOST_OF_ANSWERS),
        contexts=(*shown, say("… and {more_contexts}", more_contexts=counted(more, "more context"))) if more else shown,
        facts=tuple((name, Quantity(value)) for name, value in facts.items()),
        reference=None if sample.reference is None else quote(sample.reference, most=MOST_OF_ANSWERS),
        labels=tuple(labels),
    )


def quote(text: str, *, most: int = MOST_CHARACTERS) -> str:
    """The text for reading, with rows of numbers set as rows. It is cut at `most` characters, with the number of
    characters left."""
    shown = reflow(text.strip()).shown
    more = len(shown) - most
    if more <= 0:
        return shown
    return f"{shown[:most].rstrip()} … {counted(more, 'more character')}"


def worst_samples(
    samples: Sequence[Sample],
    scores: ScoreTable,
    *,
    run: str,
    metric: str,
    title: str,
    labels: ConsensusLabels | None = None,
    direction: Direction = "higher",
    count: int = MOST_WORST,
) -> WorstSamples:
    """Three lists: answers that the labels fail, the lowest score first; the `count` lowest scores without a label; and
    those of the lowest scores that people passed. Unscored samples are in no list but the first, where they come last.
    """
    by_id = {sample.id: sample for sample in samples}
    judged = {} if labels is None else judgements(labels)
    values = scores.frame[metric].sort_values(ascending=direction != "lower", kind="stable", na_position="last")
    ordered = [(str(name), float(value)) for name, value in values.items() if str(name) in by_id]
    scored = [(name, value) for name, value in ordered if value == value]
    failed = [pair for pair in ordered if pair[0] in judged and judged[pair[0]].passed is False]
    lowest = scored[: max(count, len(scored) // 4)]

    def excerpts(chosen: Iterable[tuple[str, float]]) -> tuple[SampleExcerpt, ...]:
        said = {name: (judged[name].text,) if name in judged else (say("No label"),) for name, _ in chosen}
        return tuple(excerpt(by_id[name], facts={title: value}, labels=said[name]) for name, value in chosen)

    passed = [pair for pair in lowest if pair[0] in judged and judged[pair[0]].passed and judged[pair[0]].by_people]
    return WorstSamples(
        run,
        metric,
        failed=excerpts(failed[:count]),
        unlabelled=excerpts([pair for pair in scored if pair[0] not in judged][: count if len(failed) < count else 0]),
        passed=excerpts(passed[:3]),
        n_failed=len(failed),
        by_people=any(judged[name].by_people for name, _ in failed),
    )


def _judgement(labels: Sequence[Label], level: int | None, criterion: Criterion) -> Judgement:
    people = [label for label in labels if label.source in BY_PEOPLE]
    adjudicated = any(label.source == "adjudication" for label in labels)
    if level is None:
        return Judgement(
            None,
            by_people=True,
            text=say(
                "{criterion.name}: people disagree, {votes}", criterion=criterion, votes=_votes(people, criterion)
            ),
        )
    passed = level >= criterion.passing
    outcome = "pass" if passed else "fail"
    name = criterion.levels[level]
    shown = say(name) if name == outcome else f"{name} ({say(outcome)})"
    who = (
        say("by adjudication")
        if adjudicated
        else say("by {people}", people=_people(len(people)))
        if people
        else say("by a rule")
    )
    return Judgement(passed, bool(people), f"{criterion.name}: {shown}, {who}")


def _votes(labels: Sequence[Label], criterion: Criterion) -> str:
    passes = sum(label.level >= criterion.passing for label in labels)
    return say("{passes} pass, {labels} fail", passes=passes, labels=len(labels) - passes)


def _people(n: int) -> str:
    return say("1 person") if n == 1 else say("{n} people", n=n)
