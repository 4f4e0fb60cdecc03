"""Broken files, names and addresses meet the real command line and pages: one clear line, and nothing half stored.

`make fuzz` goes on for minutes, each case in a process of its own: it sets `HCAT_FUZZ_MINUTES` and `HCAT_FUZZ_SEED`, or
`HCAT_FUZZ_CASE` to repeat one case.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.fuzz.attempts import attempt
from tests.fuzz.cases import PARTS, Cases
from tests.fuzz.long_run import fuzz
from tests.fuzz.material import make_material
from tests.pages.conftest import word_models

SEED = int(os.environ.get("HCAT_FUZZ_SEED", "7"))
MINUTES = float(os.environ.get("HCAT_FUZZ_MINUTES", "0"))
CASE = os.environ.get("HCAT_FUZZ_CASE", "")
EACH = {"imports": 9, "artifacts": 9, "options": 5, "documents": 6, "addresses": 2}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return Cases(make_material(tmp_path_factory.mktemp("material")), SEED)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.skipif(MINUTES > 0 or bool(CASE), reason="make fuzz tries others")
def test_a_few_cases(cases: Cases, part: str, tmp_path: Path) -> None:
    with word_models():
        for number in range(EACH[part]):
            case = cases.case(part, number)
            assert attempt(case, cases.material, tmp_path / str(number)) == [], case.name


@pytest.mark.skipif(not CASE, reason="HCAT_FUZZ_CASE names no case")
def test_one_case_again(cases: Cases, tmp_path: Path) -> None:
    part, _, number = CASE.partition(":")
    case = cases.case(part, int(number))
    print(ascii(case.call), case.page)
    with word_models():
        assert attempt(case, cases.material, tmp_path / "case") == []


@pytest.mark.timeout(0)
@pytest.mark.skipif(MINUTES <= 0, reason="make fuzz takes minutes")
def test_many_cases(cases: Cases) -> None:
    kept = Path(tempfile.mkdtemp(prefix="hcat-fuzz-faults-"))
    print(f"\nseed {SEED}, {MINUTES:g} minutes; what fails is kept in {kept}", flush=True)
    with word_models():
        tally = fuzz(cases, minutes=MINUTES, kept=kept)
    print(f"{tally} (seed {SEED})", flush=True)
    assert not tally.faulty
