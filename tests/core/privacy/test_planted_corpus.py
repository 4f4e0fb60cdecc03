"""A planted corpus: at most 1% of public values are called leaks, and at most 1% of planted ones are missed."""

from random import Random

from benchmarks.privacy import planted_errors


def test_at_most_one_in_a_hundred_is_decided_wrongly_either_way() -> None:
    errors = planted_errors(200, Random(7))  # `make quality` decides 1,000 of each
    assert {title: texts for title, texts in errors.items() if len(texts) > 2} == {}
