"""Self-preference on single answers: a known value, judges of known bias, and what is in no number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hcat.core.capabilities.judges.forecast import JudgeForecast
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.self_preference import AnswersOfModel, model_family, own_models, self_preferences
from hcat.core.capabilities.judges.verdict import JudgeVerdict
from hcat.core.capabilities.judges.wording.verdicts import forecast_sentence
from hcat.core.errors import HcatError
from hcat.core.types import Criterion, Label, Sample

PEOPLE = Criterion("correctness")
QUALITY = RubricCriterion("quality", "Quality", "Is it good?", ("1", "2", "3", "4", "5"))
RUBRIC = Rubric("r", "You judge.", (QUALITY,))


def answers(scores: list[int | None], levels: list[int], *, is_own: bool, start: int = 0) -> AnswersOfModel:
    """One answer to each of the questions q0, q1, …, with its score and people's level."""
    names = [f"q{start + n}" for n in range(len(scores))]
    return AnswersOfModel(
        [Sample(name, f"Question {name}?", "An answer.") for name in names],
        [JudgeVerdict(name, "quality", 0, score, "") for name, score in zip(names, scores, strict=True)],
        [Label(name, PEOPLE.name, level, "ann") for name, level in zip(names, levels, strict=True)],
        is_own,
    )


def test_a_known_value() -> None:
    # q0 and q1 match: (5 − 4) and (4 − 2), mean 1.5; passes from 4 on: 0 and 1, mean .5. q2: people's levels differ.
    # q3: the judge gave no score.
    own = answers([5, 4, 5, None], [1, 0, 1, 1], is_own=True)
    others = answers([4, 2, 1, 1], [1, 0, 0, 1], is_own=False)
    [found] = self_preferences([own, others], RUBRIC, PEOPLE)
    assert (found.n, found.apart, found.shift.value, found.pass_rate.value) == (2, 1, 1.5, 0.5)
    assert np.isnan(found.p_holm) and not found.is_flagged


def test_several_answers_of_a_side_count_by_their_mean_and_weight() -> None:
    # q0: own 5 and 3, mean 4, less 2 = 2, weight 2 · 1/3; q1: 4 − 4 = 0, weight 1/2: (2 · 2/3) / (2/3 + 1/2) = 8/7.
    first, second = answers([5, 4], [1, 1], is_own=True), answers([3], [1], is_own=True)
    [found] = self_preferences([first, second, answers([2, 4], [1, 1], is_own=False)], RUBRIC, PEOPLE)
    assert found.n == 2
    assert found.shift.value == pytest.approx(8 / 7)


@pytest.mark.parametrize("bias", [0, 1])
def test_better_answers_of_the_own_family_are_no_preference_and_bias_is_found(bias: int) -> None:
    rng, n = np.random.default_rng(3), 120
    own_levels, other_levels = (rng.random(n) < share for share in (0.8, 0.4))
    hard = rng.integers(2, size=n)
    own, others = (np.where(levels, 4, 2) + 1 - hard for levels in (own_levels, other_levels))
    favoured = np.minimum(own + bias * (rng.random(n) < 0.5), 5)
    sides = [
        answers(favoured.tolist(), own_levels.astype(int).tolist(), is_own=True),
        answers(others.tolist(), other_levels.astype(int).tolist(), is_own=False),
    ]
    [found] = self_preferences(sides, RUBRIC, PEOPLE)
    assert found.n + found.apart == n
    assert found.is_flagged is bool(bias)
    if bias:
        assert 0.2 < found.shift.low < found.shift.high < 0.7
        assert found.pass_rate.value > 0
    else:
        assert found.shift.value == found.pass_rate.value == 0


def test_other_questions_and_one_side_alone_tell_nothing() -> None:
    own, others = answers([5] * 20, [1] * 20, is_own=True), answers([1] * 20, [1] * 20, is_own=False, start=20)
    [found] = self_preferences([own, others], RUBRIC, PEOPLE)
    assert (found.n, found.apart) == (0, 0) and np.isnan(found.shift.value)
    with pytest.raises(HcatError, match="own family and answers of others"):
        self_preferences([own, replace(own)], RUBRIC, PEOPLE)


def test_a_judge_of_the_family_that_wrote_the_answers_is_named() -> None:
    assert [model_family(name) for name in ("meta-llama/Llama-3.1-8B", "gpt-4o", "Qwen2.5-Coder", "7b")] == [
        *("llama", "gpt", "qwen", "7b")
    ]
    samples = [
        Sample("a", "q", "x", metadata={"model": "openai/gpt-4o"}),
        Sample("b", "q", "x", dimensions={"model": "claude-3"}),
        Sample("c", "q", "x", metadata={"model": 3}),
    ]
    assert own_models(["gpt-4.1-mini"], samples) == ("openai/gpt-4o",)
    assert own_models(["llama-3"], samples) == ()
    ahead = JudgeForecast(3, 3, 3, 0, 900, 180, None, own_models(["gpt-4.1-mini"], samples))
    assert "The answers are by openai/gpt-4o" in forecast_sentence(ahead)
    assert "own family" not in forecast_sentence(replace(ahead, own=()))
