"""What a system is told when it is to answer again, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.regeneration import Attempt
from core.display.numbers import counted, format_number, format_percent
from core.estimates.policy.decide import BELOW
from core.estimates.policy.policy import Policy
from core.scoring.score_table import ScoreTable
from core.wording.collecting import failure_sentences

AGAIN = "Answer the question again, and only with what the documents say."
DECLINED = f"The answer that you gave before declined. {AGAIN}"
MISSING = f"No answer came before. {AGAIN}"
NOT_SCORED = f"The answer that you gave before could not be scored. {AGAIN}"

NO_PROMISE = (
    "What the policy promises was shown for first answers. It is not promised of regenerated ones, which were chosen "
    "by their scores: label some of those that are accepted before you rely on them."
)


def reason_text(policy: Policy, scores: ScoreTable, sample_id: str, because: str, probability: float) -> str:
    """Why an answer was not accepted, as the system under test is told. Nothing in it comes from the test case's
    reference but through the scores."""
    if because != BELOW:
        return {"no_answer": MISSING, "unscored": NOT_SCORED}.get(because, DECLINED)
    said = [
        f"{scores.facts(name).title} {format_number(value)} ({scores.direction_of(name)} is better)"
        for name in policy.fitted.metrics
        if (value := scores.score(sample_id, name).value) is not None
    ]
    return (
        f"The answer that you gave before was not accepted: it passes on {policy.criterion} with a probability of only "
        f"{format_percent(probability)} ({'; '.join(said)}). {AGAIN}"
    )


def attempt_sentences(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """What each attempt asked for and what came of it, and what isn't promised."""
    said = []
    for each in attempts:
        said.append(
            f"Attempt {each.number}: {counted(each.asked, 'answer')} asked for again, {each.answered:,} came, "
            f"{each.accepted:,} of them accepted."
        )
        said += failure_sentences(each.failures)
    return (*said, NO_PROMISE) if attempts else ("No answer of this run is to be regenerated.",)
