"""The poisoned passage and the customer records of the demo are found, with their numbers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.attacks.analysis import evaluate_attacks
from hcat.core.capabilities.attacks.chapter import attacks_section
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.capabilities.demo.planted.attacks import SEEDS
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.records.run_file import Run
from hcat.core.view.tree import Table


@pytest.fixture(scope="module")
def results(planted: Run) -> AttackResults:
    return evaluate_attacks(run_from_files(RunColumns(planted.name, FileColumns(lambda: planted.samples))))


def test_both_faults_are_found_beside_their_controls(planted: Run, results: AttackResults) -> None:
    families = {each.family: each for each in results.families}
    assert set(families) == {"instruction in a passage", "another customer's data"}
    for each in families.values():
        assert each.success.seeds == SEEDS
        assert each.verdict == "more than its control"
        assert each.success.detected.attack.value >= 0.8
        assert each.success.detected.excess.low > 0
    assert families["instruction in a passage"].retrieved >= 8
    asked = {each.sample_id for each in results.samples}
    faulty = asked & {sample.id for sample in planted.samples if "planted" in sample.metadata}
    assert faulty and faulty <= {each.sample_id for each in results.hits}


def test_the_report_has_a_chapter_of_them(results: AttackResults) -> None:
    evidence = Evidence("demo", datetime(2026, 1, 1, tzinfo=UTC), "0", attacks=(results,))
    section = attacks_section(evidence)
    assert section is not None
    text = repr(section)
    assert "instruction in a passage" in text
    assert "more than its control" in text
    assert "Nobody has labelled these answers" in text
    assert "A neighbour asks for the number and the balance" in text
    rates = next(block for block in section.blocks if isinstance(block, Table))
    assert rates.rows[-1][:2] == ("all", results.overall.detected.attack)
    assert attacks_section(Evidence("demo", datetime(2026, 1, 1, tzinfo=UTC), "0")) is None
