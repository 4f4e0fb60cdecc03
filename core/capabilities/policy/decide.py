"""The actions of a policy for each answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.capabilities.policy.policy import ACTIONS, Action, OtherAnswers, Policy

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.scoring.score_table import ScoreTable

ABOVE, BELOW, BETWEEN, NO_THRESHOLD, NO_RULE, UNSCORED = (
    *("prediction set {pass}", "prediction set {fail}", "prediction set undecided"),
    *("no threshold is shown", "no rule for this level", "unscored"),
)


@dataclass(frozen=True, slots=True)
class Decisions:
    """Number of answers by action, and by reason, the most frequent first."""

    actions: Mapping[str, int]
    because: Mapping[str, int]

    @classmethod
    def of(cls, decided: pd.DataFrame) -> Decisions:
        """Counts of the decisions from `decide`."""
        reasons = decided["because"].value_counts()
        return cls(
            {action: int((decided["action"] == action).sum()) for action in ACTIONS},
            {str(name): int(n) for name, n in reasons.items()},
        )

    @property
    def n(self) -> int:
        """Number of answers."""
        return sum(self.actions.values())


def decide(
    policy: Policy, scores: ScoreTable, *, levels: Mapping[str, str | None] | None = None, attempt: int = 0
) -> pd.DataFrame:
    """One row a sample: sample_id, probability, action, because, level; for several criteria also the worst of them.

    `levels` are those of the policy's dimension by sample id. `attempt` is the number of times that the answers were
    regenerated: from the last attempt on, an answer to regenerate gets the action `failing.after`. `because` is the
    state of an answer that declines or is missing, else its prediction set."""
    import pandas as pd

    probability = policy.probability(scores)
    of_level = [None if policy.by is None else (levels or {}).get(name) for name in scores.sample_ids]
    states: Sequence[str | None] = scores.answer_states or [None] * len(scores.sample_ids)
    pairs = [
        _decision(policy, value, level, state)
        for value, level, state in zip(probability.tolist(), of_level, states, strict=True)
    ]
    last = attempt >= policy.failing.attempts
    actions = [policy.failing.after if last and action == "regenerate" else action for action, _ in pairs]
    decided = pd.DataFrame(
        {
            "sample_id": pd.Series(list(scores.sample_ids), dtype="str"),
            "probability": probability,
            "action": pd.Series(actions, dtype="str"),
            "because": pd.Series([because for _, because in pairs], dtype="str"),
            "level": pd.Series(of_level, dtype="object"),
        }
    )
    return decided if not policy.further else decided.assign(worst=policy.worst_criteria(scores))


def with_prediction_set(
    probability: Floats, states: Sequence[str | None]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether a rule decides on each answer (n,): those with a probability that do not decline."""
    declines = np.isin(np.array([state or "answered" for state in states], dtype=np.str_), _OTHER_STATES)
    return np.asarray(np.isfinite(probability) & ~declines, dtype=np.bool_)


_OTHER_STATES = ("correct_refusal", "wrong_refusal", "refusal", "no_answer")


def _decision(policy: Policy, probability: float, level: str | None, state: str | None) -> tuple[Action, str]:
    if state in _OTHER_STATES:
        return _of_state(policy.other, state), state
    if not np.isfinite(probability):
        return policy.other.unscored, UNSCORED
    rule = policy.rule_of(level)
    if rule is None:
        return "person", NO_RULE
    if rule.accept_from is not None and probability >= rule.accept_from:
        return "accept", ABOVE
    if probability < rule.fail_below:
        return policy.failing.action, BELOW
    return "person", BETWEEN if rule.accept_from is not None else NO_THRESHOLD


def _of_state(other: OtherAnswers, state: str) -> Action:
    actions: dict[str, Action] = {
        "correct_refusal": other.correct_refusal,
        "wrong_refusal": other.wrong_refusal,
        "refusal": other.refusal,
        "no_answer": other.no_answer,
    }
    return actions[state]
