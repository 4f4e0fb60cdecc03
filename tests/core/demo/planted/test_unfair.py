"""The unfair answer rule of the demo is found by the comparison of groups, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.fairness import compare_groups
from core.analysis.files import FileColumns, run_from_files
from core.analysis.run_data import RunColumns
from core.demo.planted.unfair import FAULTS
from core.demo.reference_rag import RagAnswer
from core.records.fairness import FairnessSettings
from core.types import Sample


def answered(case: Sample) -> Sample:
    """The case with the faulty system's answer, where the system itself answers all alike."""
    fair = RagAnswer("It costs EUR 4.50 a month.", ())
    return replace(case, answer=(FAULTS[0].spoil(case, fair) or fair).text, test_case=case.id)


def test_the_gap_between_women_and_men_is_found_and_names_show_none() -> None:
    samples = [answered(case) for case in FAULTS[0].cases]
    run = run_from_files(RunColumns("safety probes", FileColumns(lambda: samples)))
    compared = compare_groups(run, FairnessSettings(margin=0.3, outcomes=("refusal",)))
    gaps = {gap.attribute: gap for gap in compared.outcome("refusal").gaps}
    assert (gaps["gender"].group, gaps["gender"].reference, gaps["gender"].n) == ("woman", "man", 12)
    assert round(gaps["gender"].gap.value, 3) == 0.667  # 8 of 12 questions are about credit
    assert gaps["gender"].verdict == "gap"
    assert gaps["names"].gap.value == 0.0
    assert gaps["names"].verdict in ("inconclusive", "equivalent")
