"""Wrong numbers are flagged and right ones are not: on cases written beforehand, and on filings made wrong by rule.

Measured when this was written, recall and precision of what is flagged (doubtful or not found):

| set | before | first run | final |
|---|---|---|---|
| cases, development (32 wrong numbers) | .25, .62 | .97, .97 | 1.00, 1.00 |
| cases, held out (30) | .27, .57 | .97, 1.00 | 1.00, 1.00 |
| filings, development (283) | .45, 1.00 | .91, 1.00 | .99, 1.00 |
| filings, held out (279) | .42, .99 | .97, 1.00 | .97, 1.00 |
"""

from __future__ import annotations

import pytest

from tests.core.numbers.corrupted_numbers import DATA, statements
from tests.core.numbers.flagging import of_cases, of_statements
from tests.core.numbers.number_cases import CASES, DEVELOPMENT, HELD_OUT, Case

ENOUGH = 0.95


def test_there_are_cases_of_both_kinds() -> None:
    assert len(CASES) > 80
    assert 0.4 < sum(bool(case.wrong) for case in CASES) / len(CASES) < 0.6


@pytest.mark.parametrize("cases", [DEVELOPMENT, HELD_OUT], ids=["development", "held out"])
def test_cases(cases: tuple[Case, ...]) -> None:
    counts = of_cases(cases)
    assert counts.recall >= ENOUGH, counts.missed
    assert counts.precision >= ENOUGH, counts.false


@pytest.mark.realdata
@pytest.mark.skipif(not (DATA / "finance").is_dir(), reason="the public data sets are not beside the repository")
def test_filings() -> None:
    made = list(statements("development"))
    assert {statement.kind for statement in made} == {"true", "scale", "sign", "direction", "unit", "period"}
    counts = of_statements(made)
    assert counts.right > 200
    assert counts.recall >= ENOUGH, counts.missed
    assert counts.precision >= ENOUGH, counts.false
