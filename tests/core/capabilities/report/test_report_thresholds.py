"""What the report says of thresholds by class and by a dimension is what the sets are made by."""

from __future__ import annotations

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.calibration.chapter import calibration_section
from hcat.core.capabilities.report.evidence.gather import calibration_evidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.figures.curve import CalibrationCurve
from hcat.core.refusals.state import REFUSALS
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Label, Sample
from hcat.core.view.tree import Figure, KeyValues, Table
from tests.core.capabilities.report.conftest import CRITERION


def test_regions_of_class_thresholds_agree_with_the_decisions(
    evidence: Evidence, labels: tuple[Label, ...], scores: ScoreTable
) -> None:
    made = calibrate(
        *(labels, scores),
        criterion=CRITERION,
        metrics=["groundedness"],
        conditional="class",
        replicates=0,
        divided=True,
    )
    of_fail, of_pass = made.q_hats()
    assert of_fail != of_pass
    section = calibration_section(_only(evidence, made, labels, scores))
    decided = next(block for block in section.blocks if isinstance(block, Table) and "decides" in block.title)
    edges = sorted((of_fail, 1 - of_pass))
    assert all(f"{edge:.2f}" in str(decided.note) for edge in edges)
    [curve] = [b.data for b in section.blocks if isinstance(b, Figure) and isinstance(b.data, CalibrationCurve)]
    probabilities = made.predict(scores).groupby("decision")["probability"].agg(["min", "max"])
    inside = {region.set_name: (region.low, region.high) for region in curve.regions}
    for decision, set_name in (("fail", "fail"), ("pass", "pass")):
        low, high = (float(made.map.probability([[edge]])[0]) for edge in inside[set_name])
        assert low - 1e-9 <= probabilities.loc[decision, "min"] <= probabilities.loc[decision, "max"] <= high + 1e-9
    facts = dict(next(block for block in section.blocks if isinstance(block, KeyValues)).items)
    assert {"q̂, conformal threshold where class is fail", "q̂, conformal threshold where class is pass"} <= set(facts)


def test_regions_of_sets_of_all_labels_agree_with_the_decisions(
    evidence: Evidence, labels: tuple[Label, ...], scores: ScoreTable
) -> None:
    made = calibrate(labels, scores, criterion=CRITERION, metrics=["groundedness"], replicates=0)
    assert made.sets_by_score is not None
    section = calibration_section(_only(evidence, made, labels, scores))
    [curve] = [b.data for b in section.blocks if isinstance(b, Figure) and isinstance(b.data, CalibrationCurve)]
    assert len(curve.labels) == made.split_sizes["fit"]
    names = {"pass": "pass", "fail": "fail", "both": "undecided (both)", "empty": "undecided (empty)"}
    decided = dict(zip(scores.sample_ids, made.predict(scores)["decision"], strict=True))
    for name, score in zip(scores.sample_ids, scores.values("groundedness").tolist(), strict=True):
        inside = [region.set_name for region in curve.regions if region.low < score < region.high]
        assert all(decided[name] in (names[found], *REFUSALS) for found in inside)
    table = next(block for block in section.blocks if isinstance(block, Table) and "decides" in block.title)
    assert "By score: " in str(table.note)
    facts = dict(next(block for block in section.blocks if isinstance(block, KeyValues)).items)
    assert "Labels that make curve and sets" in facts and not any(name.startswith("q̂") for name in facts)


def test_thresholds_by_a_dimension_draw_no_regions(
    evidence: Evidence, labels: tuple[Label, ...], scores: ScoreTable, samples: tuple[Sample, ...]
) -> None:
    groups = {"topic": {sample.id: str(sample.dimensions["topic"]) for sample in samples}}
    made = calibrate(
        labels,
        scores,
        criterion=CRITERION,
        metrics=["groundedness"],
        conditional="topic",
        groups=groups,
        replicates=0,
    )
    section = calibration_section(_only(evidence, made, labels, scores, groups["topic"]))
    [curve] = [b.data for b in section.blocks if isinstance(b, Figure) and isinstance(b.data, CalibrationCurve)]
    assert curve.regions == ()
    decided = next(block for block in section.blocks if isinstance(block, Table) and "decides" in block.title)
    assert "By probability" not in str(decided.note)


def _only(evidence: Evidence, made, labels, scores, groups=None) -> Evidence:  # type: ignore[no-untyped-def]
    from dataclasses import replace

    item = calibration_evidence(made, scores, labels, criterion=CRITERION, run="baseline", groups=groups)
    return replace(evidence, calibrations=(item,))
