"""Runs of words that two texts share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hcat.core.privacy.copying import copied_runs, placed_words

SOURCE = "one two three four five six seven eight nine ten"


def test_the_longest_run_is_found_with_both_places() -> None:
    text = "So: Two, three -- FOUR five! And nine ten."
    (run,) = copied_runs(text, ["zero", SOURCE], minimum=3)
    assert (run.words, run.source, text[run.start : run.end]) == (4, 1, "Two, three -- FOUR five")
    assert SOURCE[run.source_start : run.source_end] == "two three four five"


def test_shorter_runs_are_own_words_and_runs_of_two_sources_are_apart() -> None:
    assert copied_runs("one two nine ten", [SOURCE], minimum=3) == ()
    runs = copied_runs("one two three a b c", [SOURCE, "a b c"], minimum=3)
    assert [(run.words, run.source) for run in runs] == [(3, 0), (3, 1)]


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_runs_are_disjoint_and_stand_in_both_texts(left: list[str], right: list[str]) -> None:
    text, source = " ".join(left), " ".join(right)
    end = 0
    for run in copied_runs(text, [source], minimum=2):
        assert run.start >= end
        assert text[run.start : run.end] == source[run.source_start : run.source_end]
        assert len(placed_words(text[run.start : run.end])) == run.words >= 2
        end = run.end


def test_a_copy_is_found_whole() -> None:
    (run,) = copied_runs(SOURCE, [SOURCE], minimum=10)
    assert run.words == 10
