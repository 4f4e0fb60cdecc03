"""Slices by labels and by design weights beside a plain walk over rows: the same numbers, whatever is missing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.arrays import Bools
from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.slice_metrics import dimension_levels
from hcat.core.capabilities.weaknesses.weaknesses import find_calibrated_weaknesses, find_weaknesses
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.estimates.prediction_powered import estimate_labels_only, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import Provenance, ScoreTable, score_table
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Criterion, Label, Sample, Score

CRITERION = Criterion("c")
METRIC = "answer_f1"
SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Made:
    """A run of n samples in two dimensions: some without a score, some in one test case, some labelled by several
    people with unequal probabilities, some twice by one, and one level without any label."""

    samples: tuple[Sample, ...]
    scores: tuple[float | None, ...]
    labels: tuple[Label, ...]

    @property
    def run(self) -> Opened:
        return run_from_files(RunColumns("r", FileColumns(lambda: self.samples, self._table)), self.labels)

    def _table(self) -> ScoreTable:
        given = [Score(None, "not scored") if value is None else Score(value) for value in self.scores]
        ids = [sample.id for sample in self.samples]
        drawn = {sample.id: float(str(sample.metadata["probability"])) for sample in self.samples if sample.metadata}
        provenance = Provenance("0", content_hash(self.samples), (METRIC,))
        return score_table(ids, {METRIC: given}, provenance, probabilities=drawn or None)

    def slices(self, table: WeaknessTable) -> Iterator[tuple[dict[str, object], Bools]]:
        """Each row of a table, and which samples are in its slice, by their texts."""
        for row in table.frame.to_dict("records"):
            inside = [sample.dimensions[row["dimension_1"]] == row["level_1"] for sample in self.samples]
            if isinstance(row["dimension_2"], str):
                second = [sample.dimensions[row["dimension_2"]] == row["level_2"] for sample in self.samples]
                inside = [one and two for one, two in zip(inside, second, strict=True)]
            yield {str(name): value for name, value in row.items()}, np.array(inside, dtype=bool)

    @property
    def cases(self) -> list[str]:
        return [sample.test_case or sample.id for sample in self.samples]


def made(seed: int, *, n: int = 90, tied: bool, unequal: bool, designed: bool = False, several: bool = True) -> Made:
    rng = np.random.default_rng(seed)
    samples = tuple(
        Sample(
            f"s{k}",
            "q",
            "a",
            dimensions={"one": str(rng.choice(["x", "y", "z", "none labelled"])), "two": str(rng.choice(["u", "v"]))},
            test_case=f"t{rng.integers(n // 2)}" if tied else None,
            metadata={"probability": float(rng.choice([0.1, 0.3, 0.9]))} if designed else {},
        )
        for k in range(n)
    )
    scores = tuple(None if rng.random() < 0.1 else round(float(rng.random()), 2) for _ in range(n))
    drawn = {k: float(rng.choice([0.2, 0.5, 1.0])) if unequal else 1.0 for k in range(n)}
    labels = [
        Label(f"s{k}", "c", int(rng.random() < 0.3 + 0.5 * (scores[k] or 0)), annotator, probability=drawn[k])
        for k in rng.permutation(n).tolist()
        if samples[k].dimensions["one"] != "none labelled" and rng.random() < 0.8
        for annotator in (["ann", "bo", "cy", "ann"][: rng.integers(1, 5)] if several else ["ann"])
    ]
    return Made(samples, scores, tuple(labels))


def equal(found: object, wanted: float) -> bool:
    return found == wanted or (math.isnan(wanted) and math.isnan(float(str(found))))


@settings(max_examples=25)
@given(SEEDS, st.booleans(), st.booleans())
def test_rates_by_people_are_those_of_each_slice_alone(seed: int, tied: bool, unequal: bool) -> None:
    case = made(seed, tied=tied, unequal=unequal)
    judged = resolve_labels(case.labels, CRITERION)
    level = dict(zip(judged.sample_ids, judged.levels.tolist(), strict=True))
    weight = dict(zip(judged.sample_ids, judged.weights.tolist(), strict=True))
    passed = np.array([float(level.get(sample.id, math.nan)) for sample in case.samples])
    weights = np.array([weight.get(sample.id, 1.0) for sample in case.samples])
    clusters = case.cases if len(set(case.cases)) < len(case.cases) else None
    whole = labelled_run(passed, passed * np.nan, weights=weights, clusters=clusters).numbered()
    table = find_pass_rate_weaknesses(case.run, CRITERION, pairs=True, minimum_n=3)
    assert len(table.frame) > 10
    for row, inside in case.slices(table):
        alone = estimate_pass_rate(whole.part(inside))
        rate = alone.labels_only
        by_labels = estimate_labels_only(whole.part(inside))
        assert by_labels.rate == rate or math.isnan(rate.value)
        assert equal(by_labels.standard_error, alone.labels_only_standard_error)
        assert row["labels"] == np.isfinite(passed[inside]).sum()
        for name, wanted in (("mean", rate.value), ("low", rate.low), ("high", rate.high)):
            # Counts and sums of cells are rounded elsewhere than sums over rows.
            np.testing.assert_allclose(float(str(row[name])), wanted, rtol=1e-12, atol=1e-12)
        here = inside & np.isfinite(passed)
        if here.any():
            np.testing.assert_allclose(rate.value, (weights * passed)[here].sum() / weights[here].sum(), rtol=1e-12)


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.booleans())
def test_corrected_rates_are_those_of_slice_and_rest(seed: int, tied: bool) -> None:
    case = made(seed, n=160, tied=tied, unequal=False, several=False)
    run = case.run
    calibration = calibrate(case.labels, run.columns.scores, criterion=CRITERION, metrics=[METRIC], alpha=0.4)
    table = find_calibrated_weaknesses(run, calibration, CRITERION, pairs=True)
    whole = prepare_run(
        case.labels,
        run.columns.scores,
        criterion=CRITERION,
        metrics=(METRIC,),
        clusters=dict(zip((sample.id for sample in case.samples), case.cases, strict=True)) if tied else None,
    ).run
    whole = labelled_run(
        whole.passed, whole.prediction, weights=whole.weights, clusters=_in_order_of_first(case.cases)
    ).numbered()
    for row, inside in case.slices(table):
        labelled = np.isfinite(whole.passed)
        counts = [len({case.cases[k] for k in np.flatnonzero(labelled & side)}) for side in (inside, ~inside)]
        assert row["labels"] == (labelled & inside).sum()
        if min(counts) < 10:
            assert row["basis"] == "metric"
            continue
        compared = estimate_difference(whole.part(~inside), whole.part(inside))
        if not math.isnan(compared.p):
            assert row["basis"] == "labels"
            found = [float(str(row[name])) for name in ("mean", "difference", "p")]
            wanted = [compared.second.ppi.value, compared.ppi.value, compared.p]
            np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-9)


def _in_order_of_first(names: list[str]) -> list[str]:
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return [f"{place[name]:06d}" for name in names]


@settings(max_examples=25)
@given(SEEDS, st.booleans())
def test_levels_that_can_be_tested_have_clusters_on_both_sides(seed: int, tied: bool) -> None:
    case = made(seed, n=60, tied=tied, unequal=False)
    found = dimension_levels(case.run, METRIC)
    scored = [value is not None for value in case.scores]
    for name in ("one", "two"):
        sides: dict[str, tuple[set[str], set[str]]] = {}
        for level in {sample.dimensions[name] for sample in case.samples}:
            sides[level] = (set(), set())
            for sample, has_score, cluster in zip(case.samples, scored, case.cases, strict=True):
                if has_score:
                    sides[level][sample.dimensions[name] != level].add(cluster)
        assert found[name] == sum(min(len(inside), len(rest)) >= 10 for inside, rest in sides.values())


@settings(max_examples=15)
@given(SEEDS, st.booleans())
def test_design_weights_weight_each_slice_as_by_hand(seed: int, tied: bool) -> None:
    case = made(seed, tied=tied, unequal=False, designed=True)
    y = np.array([math.nan if value is None else value for value in case.scores])
    w = np.array([1 / float(str(sample.metadata["probability"])) for sample in case.samples])
    for row, inside in case.slices(find_weaknesses(case.run, METRIC, pairs=True, minimum_n=3)):
        here, rest = inside & np.isfinite(y), ~inside & np.isfinite(y)
        if here.any():
            np.testing.assert_allclose(float(str(row["mean"])), np.average(y[here], weights=w[here]), rtol=1e-12)
        if math.isnan(float(str(row["p"]))):
            continue
        gap = np.average(y[here], weights=w[here]) - np.average(y[rest], weights=w[rest])
        np.testing.assert_allclose(float(str(row["difference"])), gap, rtol=1e-9, atol=1e-12)
        assert not float(str(row["difference_high"])) < gap - 1e-9, "its ends come from permutations"
