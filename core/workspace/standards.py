"""What labels are held against: examples of levels, gold items, the annotator's own repeats, and other annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import HcatError
from core.storage.records import Adjudication, CriterionExample, GoldItem, LabelRecord, ProjectInfo, RunInfo
from core.types import Criterion, Score
from core.workspace.labels import check_level, check_samples
from core.workspace.projects import checked_name, project_id

if TYPE_CHECKING:
    from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Revealed:
    """What was hidden from the annotator until their own label was in. `gold` and `decided` are None where unknown."""

    own: LabelRecord
    others: tuple[LabelRecord, ...]
    scores: Mapping[str, Score]
    gold: GoldItem | None
    decided: Adjudication | None


@dataclass(frozen=True, slots=True)
class LabelPair:
    """An annotator's first judgement of a sample and the hidden repeat. A level is None where they can't judge."""

    annotator: str
    sample_id: str
    first: int | None
    again: int | None


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """What an annotator gave where the right level is known."""

    annotator: str
    sample_id: str
    right: int
    given: int | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A sample to which annotators gave different levels, and what was decided on it, if anything."""

    sample_id: str
    labels: tuple[LabelRecord, ...]
    decided: Adjudication | None


def examples(workspace: Workspace, project: ProjectInfo | str, criterion: str) -> list[CriterionExample]:
    """The criterion's examples, by level from worst to best."""
    return workspace.standards.examples(project_id(workspace, project), criterion)


def add_example(
    workspace: Workspace, project: ProjectInfo | str, criterion: Criterion, text: str, level: int, *, comment: str = ""
) -> CriterionExample:
    """A text that shows what a level means, and why. HcatError for an empty text or a level that there is not."""
    check_level(criterion, level)
    if not text.strip():
        raise HcatError("an example needs a text: write what an annotator would see")
    return workspace.standards.add_example(project_id(workspace, project), criterion.name, text, level, comment)


def remove_example(workspace: Workspace, example: CriterionExample) -> None:
    """Show the example no longer; the database keeps it."""
    workspace.standards.remove_example(example.id)


def add_gold(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    levels: Mapping[str, int],
    *,
    author: str,
    rationale: str = "",
) -> list[GoldItem]:
    """Say which level is right, by sample id; queues with a gold share mix these samples in. All of them, or none."""
    for level in levels.values():
        check_level(criterion, level)
    check_samples(workspace, run, list(levels))
    workspace.standards.add_gold(
        run.project_id,
        run.id,
        criterion.name,
        list(levels.items()),
        rationale=rationale,
        author=checked_name(author, "author"),
    )
    return gold_items(workspace, run, criterion)


def gold_items(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[GoldItem]:
    """The samples of the run whose right level is known, oldest first."""
    return workspace.standards.gold(run.project_id, run.id, criterion.name)


def gold_answers(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[GoldAnswer]:
    """What people gave on gold items, whether those were mixed in or drawn like any other."""
    right = {item.sample_id: item.level for item in gold_items(workspace, run, criterion)}
    return [
        GoldAnswer(record.annotator, record.sample_id, right[record.sample_id], record.level)
        for record in _judgements(workspace, run, criterion)
        if record.sample_id in right and record.purpose in ("gold", "estimate")
    ]


def repeat_pairs(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[LabelPair]:
    """Each hidden repeat beside the same annotator's first judgement, for their self-consistency."""
    judged = _judgements(workspace, run, criterion)
    first = {(x.sample_id, x.annotator): x.level for x in judged if x.purpose == "estimate"}
    return [
        LabelPair(x.annotator, x.sample_id, first[x.sample_id, x.annotator], x.level)
        for x in judged
        if x.purpose == "repeat" and (x.sample_id, x.annotator) in first
    ]


def disagreements(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[Disagreement]:
    """The samples to which people gave different levels, hidden repeats left out; undecided ones first."""
    by_sample: dict[str, list[LabelRecord]] = {}
    for record in _judgements(workspace, run, criterion):
        if record.level is not None and record.purpose != "repeat":
            by_sample.setdefault(record.sample_id, []).append(record)
    decided = {x.sample_id: x for x in adjudications(workspace, run, criterion)}
    found = [
        Disagreement(sample_id, tuple(records), decided.get(sample_id))
        for sample_id, records in by_sample.items()
        if len({record.level for record in records}) > 1
    ]
    return sorted(found, key=lambda item: item.decided is not None)


def adjudicate(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    sample_id: str,
    level: int,
    *,
    author: str,
    rationale: str = "",
) -> Adjudication:
    """Decide on a sample over the labels that it has. They all stay; a later decision supersedes this one."""
    check_level(criterion, level)
    check_samples(workspace, run, [sample_id])
    weighed = [x.id for x in _judgements(workspace, run, criterion) if x.sample_id == sample_id]
    if not weighed:
        raise HcatError("nobody has labelled this sample yet: there is nothing to decide between")
    return workspace.standards.adjudicate(
        run.project_id,
        run.id,
        criterion.name,
        sample_id,
        level,
        rationale=rationale,
        author=checked_name(author, "author"),
        label_ids=weighed,
        guideline_version=criterion.guideline_version,
    )


def adjudications(workspace: Workspace, run: RunInfo, criterion: Criterion | None = None) -> list[Adjudication]:
    """The decisions that hold on the run, oldest first."""
    name = None if criterion is None else criterion.name
    made = workspace.standards.adjudications(run.project_id, run.id, name)
    replaced = {decision.supersedes for decision in made}
    return [decision for decision in made if decision.id not in replaced]


def reveal(workspace: Workspace, run: RunInfo, criterion: Criterion, sample_id: str, annotator: str) -> Revealed:
    """The others' labels, the scores, the right level and the decision, once the annotator's own label is in.

    HcatError before that, and while the sample is before the annotator again. It is kept who saw it: what they say of
    the sample from then on is stored as not blind.
    """
    present = workspace.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
    of_sample = [x for x in present if x.sample_id == sample_id and x.source == "person"]
    own = [x for x in of_sample if x.annotator == annotator and x.kind != "skip"]
    if not own or workspace.leases.holds(run.id, sample_id, annotator):
        raise HcatError("scores and the labels of others are shown once your own label is in: label the sample first")
    if sample_id not in workspace.unblinding.seen(run.project_id, run.id, criterion.name, annotator):
        workspace.unblinding.add(run.project_id, run.id, criterion.name, annotator, [sample_id])
    table = workspace.scores(run)
    return Revealed(
        own=max(own, key=lambda record: record.id),
        others=tuple(x for x in of_sample if x.annotator != annotator),
        scores={} if table is None else {metric: table.score(sample_id, metric) for metric in table.metrics},
        gold=next((x for x in gold_items(workspace, run, criterion) if x.sample_id == sample_id), None),
        decided=next((x for x in adjudications(workspace, run, criterion) if x.sample_id == sample_id), None),
    )


def _judgements(workspace: Workspace, run: RunInfo, criterion: Criterion) -> list[LabelRecord]:
    present = workspace.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
    return [x for x in present if x.kind != "skip" and x.source == "person"]
