"""Answers that a policy sends back: asked for again with the reason, scored and decided on again, at most N times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hcat.core.capabilities.policy.analysis.policy import decide_run
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.errors import HcatError
from hcat.core.opened.columns import FileColumns
from hcat.core.opened.run import RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import REASON_SUFFIX, ScoreTable
from hcat.core.types import Sample

if TYPE_CHECKING:
    import pandas as pd

ATTEMPT, FIRST_ID, REASON = "attempt", "first_id", "reason"
"""Keys in the metadata of a regenerated answer: the number of the attempt, the ID of the first answer, and the reason
sent to the system."""


@dataclass(frozen=True, slots=True)
class Replies:
    """Result of a further attempt: new answers by the ID of the sample, and counts of failures by reason."""

    answers: Mapping[str, Sample]
    failures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One round: `answered` of the `asked` came, `accepted` of these are accepted now."""

    number: int
    asked: int
    answered: int
    accepted: int
    failures: Mapping[str, int]


@dataclass(frozen=True)
class Regeneration:
    """The run with the last answer of each sample, its scores on the policy's metrics, and the final decision on
    each."""

    samples: tuple[Sample, ...]
    scores: ScoreTable
    decisions: pd.DataFrame
    attempts: tuple[Attempt, ...]


Ask = Callable[[int, Sequence[Sample], Mapping[str, str]], Replies]
"""Ask for these samples once more, by the number of the attempt and the reason of each."""
Rescore = Callable[[Sequence[Sample]], ScoreTable]
"""Scores of samples on the policy's metrics."""
Reason = Callable[[Policy, ScoreTable, str, str, float], str]
"""The reason sent to the system for a sample."""


def to_regenerate(columns: RunColumns, policy: Policy) -> tuple[str, ...]:
    """The samples whose answers are to be regenerated. HcatError where they could not be scored again."""
    table = columns.scores
    foreign = [name for name in policy.metrics if name in table.provenance.from_files]
    if foreign:
        raise HcatError(
            f"{', '.join(foreign)}: these scores came from a file, so that new answers can't be scored here. Use a "
            "calibration on metrics that hcat computes"
        )
    return _regenerated_ids(decide_run(columns, policy))


def attempts_spent(columns: RunColumns, policy: Policy) -> int:
    """Number of attempts spent on the run: all that the policy allows where any answer was regenerated, else 0."""
    samples = columns.given_samples or ()
    return policy.failing.attempts if any(ATTEMPT in sample.metadata for sample in samples) else 0


def regenerate(columns: RunColumns, policy: Policy, *, ask: Ask, rescore: Rescore, reason: Reason) -> Regeneration:
    """Request new answers for those that the policy sends back, until each is accepted, has another action, or
    `attempts` are spent.

    An answer that does not come leaves the one before. Each new one is a sample of its own, with an id of its own, so
    that no label of an earlier answer counts for it. HcatError where scores are not of the models at hand.
    """
    current = {sample.id: sample for sample in columns.samples}
    first_of = {sample_id: sample_id for sample_id in current}
    table, attempts = columns.scores, []
    for number in range(1, policy.failing.attempts + 1):
        decisions = decide_run(_columns(columns, tuple(current.values()), table), policy, attempt=number - 1)
        again = _regenerated_ids(decisions)
        if not again:
            break
        if number == 1:
            _check_models(table, rescore([current[again[0]]]))
        why = decisions.set_index("sample_id")
        reasons = {
            name: reason(policy, table, name, str(why.at[name, "because"]), float(why.at[name, "probability"]))  # type: ignore[arg-type]
            for name in again
        }
        replies = ask(number, [current[name] for name in again], reasons)
        renamed = {name: f"{first_of[name]}@{number}" for name in replies.answers}
        first_of |= {new: first_of[old] for old, new in renamed.items()}
        fresh = {
            name: _regenerated(current[name], reply, number, first_of[name], reasons[name])
            for name, reply in replies.answers.items()
        }
        samples = [fresh.get(name, sample) for name, sample in current.items()]
        current = {sample.id: sample for sample in samples}
        table = _rescored(table, samples, renamed, policy, rescore)
        decided = decide_run(_columns(columns, samples, table), policy, attempt=number).set_index("sample_id")["action"]
        accepted = sum(decided[new] == "accept" for new in renamed.values())
        attempts.append(Attempt(number, len(again), len(fresh), accepted, dict(replies.failures)))
    whole = _columns(columns, tuple(current.values()), table)
    decisions = decide_run(whole, policy, attempt=policy.failing.attempts)
    return Regeneration(whole.samples, table, decisions, tuple(attempts))


def _regenerated_ids(decisions: pd.DataFrame) -> tuple[str, ...]:
    return tuple(decisions.loc[decisions["action"] == "regenerate", "sample_id"].astype(str))


def _columns(columns: RunColumns, samples: Sequence[Sample], table: ScoreTable) -> RunColumns:
    return RunColumns(columns.name, FileColumns(lambda: samples, lambda: table), filename=columns.filename)


def _regenerated(before: Sample, reply: Sample, number: int, first_id: str, reason: str) -> Sample:
    facts = {**before.metadata, ATTEMPT: number, FIRST_ID: first_id, REASON: reason}
    return replace(
        before,
        id=f"{first_id}@{number}",
        answer=reply.answer,
        contexts=reply.contexts,
        test_case=before.test_case or first_id,
        metadata=facts,
    )


def _check_models(table: ScoreTable, fresh: ScoreTable) -> None:
    """New answers are scored by the models that scored the first ones, or not at all."""
    for name in fresh.metrics:
        if table.provenance.models_of.get(name, ()) != fresh.provenance.models_of.get(name, ()) or any(
            table.provenance.models.get(model) != fresh.provenance.models.get(model)
            for model in fresh.provenance.models_of.get(name, ())
        ):
            raise HcatError(
                f"{name} was scored with other models than those at hand: score the run again, and fit calibration and "
                "policy on these scores"
            )


def _rescored(
    table: ScoreTable, samples: Sequence[Sample], renamed: Mapping[str, str], policy: Policy, rescore: Rescore
) -> ScoreTable:
    """The policy's metrics for all samples: only new answers are scored, the others keep their scores. Where a score
    depends on the whole run, all samples are scored again."""
    import pandas as pd

    from hcat.core.metrics.registry import find_metric

    if not renamed:
        return table
    ids, new_ids = [sample.id for sample in samples], set(renamed.values())
    if any(find_metric(name).reads_whole_run for name in policy.metrics):
        fresh = rescore(samples)
        frame = fresh.frame
    else:
        fresh = rescore([sample for sample in samples if sample.id in new_ids])
        columns = [name for metric in fresh.metrics for name in (metric, metric + REASON_SUFFIX) if name in table.frame]
        frame = pd.concat([table.frame[columns].drop(index=list(renamed)), fresh.frame])
    first = {new: old for old, new in renamed.items()}
    states = {**(table.state_of or {}), **(fresh.state_of or {})}
    clusters, drawn, row_of = table.clusters, table.probabilities, table.row_of
    rows = [row_of[first.get(name, name)] for name in ids]
    return ScoreTable(
        frame.reindex(pd.Index(ids, name="sample_id", dtype="str")),
        replace(fresh.provenance, run_hash=content_hash(samples)),
        tuple(states.get(name, "answered") for name in ids),
        None if clusters is None else tuple(clusters[row] for row in rows),
        None if drawn is None else tuple(drawn[row] for row in rows),
    )
