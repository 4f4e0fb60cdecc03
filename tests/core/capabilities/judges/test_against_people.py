"""A judge beside people: κ and table by hand, who labelled, where they disagree; the gain of a rubric."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from hcat.core.capabilities.judges.against_people import judge_agreement, kappa_gain, level_of_try
from hcat.core.capabilities.judges.examples import draw_examples, score_of_level
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.judge import NO_CONTEXTS
from hcat.core.errors import HcatError
from hcat.core.types import Criterion, Label, Sample, Score

BINARY = Criterion("correctness", ("wrong", "right"))
FIVE = Criterion("correctness", ("1", "2", "3", "4", "5"), passing=3)
JUDGED = FUNNEL.criterion("captured_rate")  # passes from score 4 on


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def labels(levels: list[int], **fields: str) -> list[Label]:
    return [Label(f"s{n}", "correctness", level, **fields) for n, level in enumerate(levels)]  # type: ignore[arg-type]


def scores(values: list[float | None]) -> dict[str, Score]:
    return {f"s{n}": Score(None, NO_CONTEXTS) if v is None else Score(v) for n, v in enumerate(values)}


def test_pass_and_fail_by_hand() -> None:
    people = [1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0]
    judge: list[float | None] = [5, 4, 3, 1, 2, 4, 5, 3, 5, 4, None]
    made = judge_agreement(scores(judge), labels(people), people=BINARY, judge=JUDGED, rng=rng())
    passes = [value >= 4 for value in judge if value is not None]
    assert (made.n, made.by_people, made.enough) == (10, 10, True)
    assert made.kappa.value == pytest.approx(cohen_kappa_score(people[:10], passes))
    assert made.kappa.low < made.kappa.value < made.kappa.high
    assert made.same.value == pytest.approx(8 / 10)
    assert made.kappa_levels is None  # two levels by people, five scores by the judge
    assert made.table == ((1, 1, 1, 1, 0), (0, 0, 1, 2, 3))
    assert [each.sample_id for each in made.disagreements] == ["s5", "s2"]  # 4 for a wrong one, 3 for a right one
    assert made.unscored == {NO_CONTEXTS: 1}


def test_as_many_levels_are_compared_one_by_one() -> None:
    people, judge = [0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 4], [1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 4.0, 4.0, 1.0, 1.0, 5.0]
    made = judge_agreement(scores([*judge]), labels(people), people=FIVE, judge=JUDGED, rng=rng())
    expected = cohen_kappa_score(people, [value - 1 for value in judge], weights="quadratic")
    assert made.kappa_levels is not None
    assert made.kappa_levels.value == pytest.approx(expected)


def test_labels_of_language_models_are_nobodys() -> None:
    made = judge_agreement(scores([5.0] * 20), labels([1] * 20, source="llm"), people=BINARY, judge=JUDGED, rng=rng())
    assert (made.n, made.by_people, made.enough) == (0, 0, False)
    by_rule = judge_agreement(
        scores([5.0] * 20), labels([1] * 20, source="rule"), people=BINARY, judge=JUDGED, rng=rng()
    )
    assert (by_rule.n, by_rule.by_people) == (20, 0)


def test_a_mean_over_trials_counts_at_its_nearest_score() -> None:
    made = judge_agreement(scores([3.5, 3.6]), labels([1, 1]), people=BINARY, judge=JUDGED, rng=rng())
    assert made.table == ((0, 0, 0, 0, 0), (0, 0, 1, 1, 0))


def test_a_rubric_that_agrees_better_shows_it_and_an_equal_one_does_not() -> None:
    draws = rng()
    people = draws.random(200) < 0.5
    poor = np.where(draws.random(200) < 0.4, ~people, people)
    good = np.where(draws.random(200) < 0.1, ~people, people)
    gain = kappa_gain(poor.tolist(), good.tolist(), people.tolist(), rng=rng())
    assert gain.is_shown
    difference = cohen_kappa_score(people, good) - cohen_kappa_score(people, poor)
    assert gain.gain.value == pytest.approx(difference)
    assert not kappa_gain(poor.tolist(), poor.tolist(), people.tolist(), rng=rng()).is_shown


def test_each_further_try_on_the_same_answers_takes_a_higher_level() -> None:
    assert [level_of_try(k) for k in (1, 2, 3)] == pytest.approx([1 - 0.05 / 2, 1 - 0.05 / 6, 1 - 0.05 / 12])
    assert sum(1 - level_of_try(k) for k in range(1, 10_000)) == pytest.approx(0.05, abs=1e-5)
    people = [k % 2 == 0 for k in range(60)]
    better = [truth if k % 5 else not truth for k, truth in enumerate(people)]
    worse = [truth if k % 3 else not truth for k, truth in enumerate(people)]
    lows = [kappa_gain(worse, better, people, rng=rng(), tries=k).gain.low for k in (1, 2, 8)]
    assert lows == sorted(lows, reverse=True)
    with pytest.raises(HcatError, match="counted from 1"):
        level_of_try(0)


def test_examples_differ_in_length_and_form() -> None:
    short, long = "It is free.", "\n".join(f"- The fee number {k} is {k} pounds a year." for k in range(30))
    texts = {f"s{n}": long if n in (6, 7) else short for n in range(16)}
    samples = {name: Sample(name, "q", text) for name, text in texts.items()}
    given = [Label(name, "correctness", int(name[1:]) % 2, "P", rationale="because") for name in samples]
    seeds = range(20)
    drawn = [
        draw_examples(given, samples, people=BINARY, judge=JUDGED, n=2, rng=np.random.default_rng(seed))
        for seed in seeds
    ]
    # Each level has one long answer of 8: by chance alone both kinds would be there in about a fifth of the draws.
    assert all(len({each.sample.answer for each in examples}) == 2 for examples in drawn)


def test_examples_show_each_level_and_have_a_critique_by_a_person() -> None:
    samples = {f"s{n}": Sample(f"s{n}", "q", "a") for n in range(8)}
    given = [
        *(Label(f"s{n}", "correctness", n % 2, "P", rationale="because") for n in range(4)),
        Label("s4", "correctness", 1, "P"),
        Label("s5", "correctness", 1, "rule", rationale="by rule", source="rule"),
        Label("s6", "correctness", 1, "model", rationale="says so", source="llm"),
        Label("s7", "other", 1, "P", rationale="because"),
    ]
    drawn = draw_examples(given, samples, people=BINARY, judge=JUDGED, n=4, rng=rng())
    backwards = draw_examples(given[::-1], samples, people=BINARY, judge=JUDGED, n=4, rng=rng())
    assert [each.sample.id for each in backwards] == [each.sample.id for each in drawn]
    with pytest.raises(HcatError, match="4 labelled answers have a critique"):
        draw_examples(given, samples, people=BINARY, judge=JUDGED, n=5, rng=rng())
    assert sorted(each.sample.id for each in drawn) == ["s0", "s1", "s2", "s3"]
    assert [each.score for each in drawn] == [1, 5, 1, 5]
    assert [score_of_level(level, people=FIVE, judge=JUDGED) for level in range(5)] == [1, 2, 3, 4, 5]
