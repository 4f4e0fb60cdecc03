"""Which samples are trials of one test case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.types import Sample


def all_cases(samples: Sequence[Sample]) -> dict[str, str]:
    """The test case of each sample by its id; a sample without one is its own."""
    return {sample.id: sample.test_case or sample.id for sample in samples}


def repeated_cases(samples: Sequence[Sample]) -> Mapping[str, str] | None:
    """The same where a test case has several trials; None where samples are independent of one another."""
    return trials_of(all_cases(samples))


def trials_of(test_cases: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """The test cases by sample id where one has several trials; None where samples are independent of one another."""
    if test_cases is None or len(set(test_cases.values())) == len(test_cases):
        return None
    return test_cases
