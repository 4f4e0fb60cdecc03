"""Sentences sent to a system that has to answer again, and sentences on the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hcat.core.capabilities.collect.wording import failure_sentences
from hcat.core.capabilities.policy.analysis.asking_again import RegenerationPlan
from hcat.core.capabilities.policy.analysis.regeneration import ATTEMPT, Attempt
from hcat.core.capabilities.policy.decide import BELOW
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.policy.wording.policies import ACTION_TITLES
from hcat.core.display.numbers import counted, format_number, format_percent
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Sample

if TYPE_CHECKING:
    import pandas as pd

AGAIN = "Answer the question again, and only with what the documents say."
DECLINED = f"The answer that you gave before declined. {AGAIN}"
MISSING = f"No answer came before. {AGAIN}"
NOT_SCORED = f"The answer that you gave before could not be scored. {AGAIN}"

NO_PROMISE = (
    "What the policy promises was shown for first answers. It is not promised of regenerated ones, which were chosen "
    "by their scores: label some of those that are accepted before you rely on them."
)


def reason_text(policy: Policy, scores: ScoreTable, sample_id: str, because: str, probability: float) -> str:
    """Reason why an answer was not accepted, as sent to the system under test. Only the scores in it can depend on the
    test case's reference."""
    if because != BELOW:
        return {"no_answer": MISSING, "unscored": NOT_SCORED}.get(because, DECLINED)
    said = [
        f"{scores.facts(name).title} {format_number(value)} ({scores.direction_of(name)} is better)"
        for name in policy.metrics
        if (value := scores.score(sample_id, name).value) is not None
    ]
    return (
        f"The answer that you gave before was not accepted: it passes on {' and '.join(policy.criteria)} with a "
        f"probability of {'at most' if policy.further else 'only'} "
        f"{format_percent(probability)} ({'; '.join(said)}). {AGAIN}"
    )


def plan_sentence(plan: RegenerationPlan) -> str:
    """Sentence on the upper bounds of a regeneration."""
    said = (
        f"{counted(plan.answers, 'answer')} to regenerate, each at most {counted(plan.attempts, 'time')}; at most "
        f"{counted(plan.most_requests, 'request')}."
    )
    if plan.cost is None:
        return said
    return f"{said} At one request an attempt: at most {format_number(plan.cost)} at the price that the target states."


def attempt_sentences(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Sentences on the requests and results of each attempt, and on the limits of the promise."""
    said = []
    for each in attempts:
        said.append(
            f"Attempt {each.number}: {counted(each.asked, 'answer')} asked for again, {each.answered:,} came, "
            f"{each.accepted:,} of them accepted."
        )
        said += failure_sentences(each.failures)
    return (*said, NO_PROMISE) if attempts else ("No answer of this run is to be regenerated.",)


def regenerated_sentences(samples: Sequence[Sample], decisions: pd.DataFrame) -> tuple[str, ...]:
    """Sentences on the final actions for the regenerated answers of a run, and on the limits of the promise."""
    attempt = {sample.id: int(str(sample.metadata[ATTEMPT])) for sample in samples if ATTEMPT in sample.metadata}
    action = dict(zip(decisions["sample_id"].astype(str), decisions["action"].astype(str), strict=True))
    said = []
    for number in sorted(set(attempt.values())):
        ended = [action[name] for name, at in attempt.items() if at == number]
        parts = [f"{ACTION_TITLES[each].lower()} {ended.count(each):,}" for each in ACTION_TITLES if ended.count(each)]
        said.append(f"{counted(len(ended), 'answer')} came last at attempt {number}: {', '.join(parts)}.")
    return (*said, NO_PROMISE)
