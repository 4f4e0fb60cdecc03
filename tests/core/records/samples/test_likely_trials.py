"""What looks like trials of one test case, by queries and by ids; and what only seems to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hcat.core.records.samples.likely_trials import likely_trials, likely_trials_by_id
from hcat.core.types import Passage, Sample


def samples(queries: Sequence[str], **fields: object) -> list[Sample]:
    return [Sample(f"s{k}", query, "a", **fields) for k, query in enumerate(queries)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "form",
    ["q{}-{}", "q{}#{}", "q{}_trial{}", "{}_{}", "q{}.{}", "case {} run {}", "q{}t{}", "faq-{:03d}/v{}", "q{}:{}"],
)
def test_ids_of_trials_are_noticed(form: str) -> None:
    found = likely_trials_by_id([form.format(case, trial) for case in range(8) for trial in range(5)])
    assert found is not None
    assert (found.sign, found.samples, found.cases) == ("ids", 40, 8)
    assert found.examples == (form.format(0, 0), form.format(0, 1))


@pytest.mark.parametrize(
    "ids",
    [
        [f"q{k}" for k in range(1, 501)],
        [f"q-{k}" for k in range(1, 501)],
        [f"financebench_id_{k:05d}" for k in range(100)],
        [str(k) for k in range(300)],
        [f"{split}-{k}" for split in ("train", "dev") for k in range(40)],
        [f"{area}-{k}" for area in ("loans", "cards", "fees") for k in range(1, 10)],
        [f"{chapter}.{section}" for chapter in range(1, 20) for section in range(1, 6)],
        [f"2024-{month:02d}-{day:02d}" for month in range(1, 5) for day in range(1, 28)],
        [f"doc_{k}_v2" for k in range(50)],
        [f"context{k}" for k in range(9)] + [f"text{k}" for k in range(9)],
        [],
    ],
    ids=lambda ids: ids[0] if ids else "none",
)
def test_plain_ids_are_not(ids: list[str]) -> None:
    assert likely_trials_by_id(ids) is None


def test_ids_of_any_length_are_told_apart_by_their_whole_beginning() -> None:
    found = likely_trials_by_id([f"q{case}{'-part' * 15_000}{case}-{trial}" for case in range(8) for trial in range(5)])
    assert found is not None
    assert (found.samples, found.cases) == (40, 8)
    assert likely_trials_by_id(["é_" * 35_000 + str(k) for k in range(40)]) is None


def test_identical_queries_are_the_strongest_sign() -> None:
    found = likely_trials(samples(["How much?", "how  much?", "When?", "Where?"]))
    assert found is not None
    assert (found.sign, found.samples, found.cases, found.examples) == ("same query", 2, 1, ("s0", "s1"))


def test_one_query_on_other_contexts_or_with_another_reference_is_another_question() -> None:
    asked = [Sample(f"s{k}", "Summarise this.", "a", (Passage(f"p{k}", f"text {k}"),)) for k in range(20)]
    assert likely_trials(asked) is None
    assert likely_trials([Sample(f"s{k}", "Revenue?", "a", reference=str(k)) for k in range(20)]) is None


def test_a_few_repeats_among_many_samples_change_no_interval() -> None:
    assert likely_trials(samples([*(f"question {k}" for k in range(98)), "Again?", "Again?"])) is None


def test_who_says_what_belongs_together_is_not_warned() -> None:
    assert likely_trials(samples(["Again?"] * 9, test_case="q1")) is None
    assert likely_trials(samples(["Again?"] * 9, group="g1")) is None
    assert likely_trials([Sample("q1", "Again?", "a", trial=k) for k in range(9)]) is None  # told apart when stored
    assert likely_trials([]) is None
