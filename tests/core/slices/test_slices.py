from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.slices.slices import MISSING, OTHER, dimension_frame, input_dimensions, quantile_bins, samples_in
from hcat.core.types import Passage, Sample, Slice


def sample(k: int, answer: str | None = "yes", **rest: object) -> Sample:
    return Sample(f"s{k}", query=" ".join(["word"] * (k + 1)), answer=answer, **rest)  # type: ignore[arg-type]


def test_given_and_derived_dimensions() -> None:
    samples = [
        sample(k, answer=None if k == 0 else " ".join(["a"] * k), dimensions={"company": "3M" if k % 2 else "Amcor"},
               contexts=tuple(Passage(f"p{j}", "one two", 0.5 + k / 100) for j in range(1 + k % 2)))
        for k in range(8)
    ]  # fmt: skip
    frame = dimension_frame(samples)
    assert frame.columns.tolist() == [
        "company", "refusal", "query_length", "answer_length", "context_length", "contexts", "retrieval_score"
    ]  # fmt: skip
    assert frame.index.tolist() == [s.id for s in samples]
    assert frame.loc["s0"].tolist() == [
        "Amcor", "no answer", "1–2 words", MISSING, "2 words", "1 context", "0.5–0.51"
    ]  # fmt: skip
    assert frame["query_length"].cat.ordered
    assert frame["query_length"].cat.categories.tolist() == ["1–2 words", "3–4 words", "5–6 words", "7–8 words"]
    assert frame["answer_length"].cat.categories.tolist()[-1] == MISSING


def test_the_state_of_the_answer_is_a_dimension() -> None:
    declines = "I could not find this in the handbook."
    samples = [
        sample(1, answer="25 euros", reference="25 euros"),
        sample(2, answer=declines, reference="25 euros"),
        sample(3, answer=declines, reference="The handbook does not say."),
        sample(4, answer=declines),
        sample(5, answer=None),
    ]
    assert dimension_frame(samples)["refusal"].tolist() == [
        "answered", "wrong refusal", "correct refusal", "refusal (correctness unknown)", "no answer"
    ]  # fmt: skip


def test_dimensions_that_tell_nothing_apart_are_dropped() -> None:
    samples = [sample(1, dimensions={"system": "A", "empty": ""}) for _ in range(5)]
    assert dimension_frame(samples).columns.tolist() == []
    assert dimension_frame([]).empty


def test_a_missing_level_is_a_level() -> None:
    frame = dimension_frame([sample(1, dimensions={"topic": "loans"}), sample(1), sample(1, dimensions={"topic": ""})])
    assert frame["topic"].tolist() == ["loans", MISSING, MISSING]


def test_many_levels_are_gathered_by_frequency() -> None:
    names = [f"l{k:02d}" for k in range(50) for _ in range(50 - k)]
    frame = dimension_frame([sample(1, dimensions={"d": name}) for name in names])
    counts = frame["d"].value_counts()
    assert frame["d"].cat.categories.tolist() == [*(f"l{k:02d}" for k in range(40)), OTHER]
    assert counts["l39"] == 11 and counts[OTHER] == sum(50 - k for k in range(40, 50))


def test_numbers_among_given_dimensions() -> None:
    few = dimension_frame([sample(1, dimensions={"year": str(2010 + k % 3), "k": str(9 + k % 3)}) for k in range(9)])
    assert few["year"].cat.categories.tolist() == ["2010", "2011", "2012"]
    assert few["k"].cat.categories.tolist() == ["9", "10", "11"]  # as numbers, not as text
    many = dimension_frame([sample(1, dimensions={"difficulty": f"{k / 7:.3f}"}) for k in range(100)])
    assert len(many["difficulty"].cat.categories) == 4


def test_extra_dimensions_are_added_and_never_overwrite() -> None:
    samples = [sample(1, dimensions={"topic": "given" if k else "else"}) for k in range(3)]
    frame = dimension_frame(samples, extra={"topic": ["a", "b", None]})
    assert frame["topic"].tolist() == ["else", "given", "given"]
    assert frame["topic (derived)"].tolist() == ["a", "b", MISSING]
    with pytest.raises(HcatError, match="1 values for 3 samples"):
        dimension_frame(samples, extra={"x": ["a"]})


def test_bins_are_named_after_what_they_hold() -> None:
    # Quartiles of 1 … 12 (lower): 3, 6, 9.
    binned = quantile_bins(np.arange(1.0, 13.0), unit="words")
    assert binned.categories.tolist() == ["1–3 words", "4–6 words", "7–9 words", "10–12 words"]
    assert quantile_bins(np.array([1.0, 1.0, 2.0]), unit="words").categories.tolist() == ["1 word", "2 words"]


def test_close_numbers_get_the_digits_that_tell_them_apart() -> None:
    names = quantile_bins(np.array([0.12341, 0.12342, 0.12343, 0.12344])).categories.tolist()
    assert names == ["0.12341", "0.12342", "0.12343", "0.12344"]


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), max_size=60), st.randoms())
def test_bins_keep_order_and_ignore_the_order_of_rows(values: list[float | None], random: object) -> None:
    numbers = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    binned = quantile_bins(numbers)
    present = ~np.isnan(numbers)
    codes = np.asarray(binned.codes)
    assert len(set(binned.categories)) == len(binned.categories)
    assert (np.diff(codes[present][np.argsort(numbers[present], kind="stable")]) >= 0).all()
    assert all(binned[k] == MISSING for k in np.flatnonzero(~present))
    shuffled = np.random.default_rng(0).permutation(len(numbers))
    again = quantile_bins(numbers[shuffled])
    assert [str(x) for x in again] == [str(binned[k]) for k in shuffled]


def test_samples_of_a_slice() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["1", "2", "2"]}, index=["s0", "s1", "s2"])
    assert samples_in(frame, Slice("a", "x")) == ["s0", "s1"]
    assert samples_in(frame, Slice("a", "x", "b", "2")) == ["s1"]
    assert samples_in(frame, Slice("a", "z")) == []
    with pytest.raises(HcatError, match="there are: a, b"):
        samples_in(frame, Slice("c", "x"))


def test_what_came_out_is_no_input() -> None:
    frame = pd.DataFrame({"topic": ["a"], "refusal": ["refused"], "answer_length": ["1–2 words"], "contexts": ["1"]})
    assert input_dimensions(frame) == ["topic", "contexts"]


def test_numbers_without_end_are_missing() -> None:
    found = quantile_bins(np.array([1.0, 2.0, np.inf, -np.inf, np.nan, 3.0]))
    assert (found == "(none)").tolist() == [False, False, True, True, True, False]
