"""What a report says of samples that depend on one another, or seem to, and of references that state nothing."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.calibration.calibration import CLUSTER, SAMPLE, TEST_CASE
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.sections.limitations import limitations
from hcat.core.records.samples.likely_trials import LikelyTrials
from hcat.core.scoring.bare_texts import NUMBER, BareReferences


def said(evidence: Evidence) -> str:
    return " ".join(
        "".join(part if isinstance(part, str) else f"{part.value:g}" for part in text) for text in limitations(evidence)
    )


def with_run(evidence: Evidence, *, test_cases: int, clusters: int, likely: LikelyTrials | None = None) -> Evidence:
    [run] = evidence.runs
    return replace(evidence, runs=(replace(run, test_cases=test_cases, clusters=clusters, likely_trials=likely),))


def with_split(evidence: Evidence, split_by: str) -> Evidence:
    [item] = evidence.calibrations
    made = replace(item.calibration, settings={**item.calibration.settings, "split_by": split_by})
    return replace(evidence, calibrations=(replace(item, calibration=made),))


def test_independent_samples_need_no_word(evidence: Evidence) -> None:
    assert "cluster" not in said(evidence)


def test_clusters_are_counted_and_explained(evidence: Evidence) -> None:
    n = evidence.runs[0].n
    text = said(with_split(with_run(evidence, test_cases=n, clusters=20), CLUSTER))
    assert f"{n} samples come from only 20 clusters. Samples that depend on one another are one cluster" in text
    assert "labels were divided by" not in text


def test_a_calibration_divided_by_less_is_told(evidence: Evidence) -> None:
    n = evidence.runs[0].n
    grouped = with_run(evidence, test_cases=n, clusters=20)
    assert "labels were divided by sample, so that" in said(with_split(grouped, SAMPLE))
    assert "labels were divided by test case, so that" in said(with_split(grouped, TEST_CASE))
    trials = with_run(evidence, test_cases=20, clusters=20)
    assert "labels were divided by" not in said(with_split(trials, TEST_CASE))


def test_what_looks_like_trials_is_a_limitation(evidence: Evidence) -> None:
    n = evidence.runs[0].n
    found = LikelyTrials("same query", 40, 20, ("a", "b"))
    assert "40 samples ask only 20 questions between them (“a” and “b” ask the same)" in said(
        with_run(evidence, test_cases=n, clusters=n, likely=found)
    )


def test_bare_references_are_a_limitation(evidence: Evidence) -> None:
    assert "no statement" not in said(evidence)
    [run] = evidence.runs
    bare = replace(evidence, runs=(replace(run, bare_references=BareReferences({NUMBER: 33}, 67)),))
    assert f"Run {run.name}: 33 of 67 references are not statements (a number: 33)." in said(bare)
