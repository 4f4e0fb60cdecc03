"""The faults that are planted in the demo's third run: where they strike, and where they do not."""

from collections import Counter

import pytest

from hcat.core.capabilities.demo.planted.table import RUN, planted_faults
from hcat.core.records.run_file import Run


@pytest.fixture
def run(planted: Run) -> Run:
    return planted


def test_each_fault_strikes_in_some_of_its_questions_and_leaves_others_alone(run: Run):
    struck = Counter(sample.metadata["planted"] for sample in run.samples if "planted" in sample.metadata)
    asked = Counter(sample.dimensions["probe"] for sample in run.samples)
    assert run.name == RUN
    assert set(struck) == set(asked) == {fault.name for fault in planted_faults()}
    assert all(0 < struck[name] < asked[name] for name in asked)


def test_questions_have_ids_of_their_own_and_every_answer_is_there(run: Run):
    assert len({sample.id for sample in run.samples}) == len(run.samples)
    assert all(sample.answer and sample.contexts for sample in run.samples)


def test_what_is_planted_says_who_finds_it():
    assert all(fault.found_by and fault.cases for fault in planted_faults())
