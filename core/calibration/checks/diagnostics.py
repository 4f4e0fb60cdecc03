"""Diagnostics of a calibration on held-out labels: calibration, coverage and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.calibration.checks.brier import BrierParts, brier_parts
from hcat.core.calibration.checks.reliability import (
    REPLICATES,
    ReliabilityBin,
    bin_sums,
    calibration_error,
    corrected_calibration_error,
    equal_mass_bins,
    reliability,
)
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.threshold import prediction_sets
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.discrimination import auc_estimate
from hcat.core.statistics.intervals import ProportionMethod, mean_interval
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate, Verdict

DECISION_THRESHOLD = 0.5
SEED = 7

CoverageShown = Literal["reached", "missed", "open"]

COVERAGE = Verdict(
    name="coverage of the sets handed out",
    words=("reached", "missed"),
    claim="The prediction sets of this calibration cover at least the promised share of samples; or fewer.",
    error=0.05,
    family="one calibration, looked at once, without its classes and groups",
    decides="hcat.core.calibration.checks.diagnostics:coverage_shown",
    carried_by="hcat.core.calibration.calibration:Calibration.coverage_shown",
)


@dataclass(frozen=True, slots=True)
class CellCoverage:
    """The performance of the sets within one class or group: `coverage` of its labels, `undecided` share of its
    sets."""

    coverage: Estimate
    undecided: Estimate


@dataclass(frozen=True, slots=True)
class Decided:
    """The error rates of sets that decide, which contain only fails or only passes.

    `error`: the share of deciding sets on the wrong side. `type_1`: of the samples among them that people fail, the
    share that the set passes; `type_2`: of those that people pass, the share that it fails."""

    error: Estimate
    type_1: Estimate
    type_2: Estimate


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Measures on held-out labels alone: n labels, of which people passed `passes`.

    With `folds` of 1 these are the check split. With more, the roles fit, threshold and check rotated over that many
    folds and each label was checked once, by a map and a threshold from other labels: then the numbers are of the
    procedure, at the sizes of a fold's roles, and not of the very threshold that is handed out. With `auc_of_score` the
    AUC is that of the score of the one metric on all labels: a map that preserves the metric's direction ranks samples
    as the metric does, so that no label serves twice. `type_1` and `type_2` are the machine's errors against people at
    `decision_threshold` (see `error_rates`). `coverage` is the share of samples whose prediction set contains the
    label; `set_sizes` counts sets by size, from 0 on; `undecided` is the share of sets that contain neither only fails
    nor only passes, which people must decide. `baselines` are the AUCs of trivial scores on the same samples. `ece` is
    a plain number that is biased upwards, and `ece_corrected` the same without the share of chance. `cells` has the
    coverage within classes and groups, by dimension."""

    n: int
    passes: int
    auc: Estimate
    ece: float
    brier: Estimate
    reliability: tuple[ReliabilityBin, ...]
    decision_threshold: float
    type_1: Estimate
    type_2: Estimate
    coverage: Estimate
    set_sizes: Mapping[int, int]
    undecided: Estimate
    baselines: Mapping[str, Estimate] = field(default_factory=dict)
    ece_corrected: Estimate | None = None
    brier_parts: BrierParts | None = None
    decided: Decided | None = None
    cells: Mapping[str, Mapping[str, CellCoverage]] = field(default_factory=dict)
    folds: int = 1
    auc_of_score: bool = False


def diagnose(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    q_hat: float = 1.0,
    sets: ArrayLike | None = None,
    levels: ArrayLike | None = None,
    names: Sequence[str] = ("fail", "pass"),
    passing: int = 1,
    groups: Mapping[str, Sequence[str | None]] | None = None,
    decision_threshold: float = DECISION_THRESHOLD,
    weights: ArrayLike | None = None,
    test_cases: ArrayLike | None = None,
    baselines: Mapping[str, Estimate] | None = None,
    auc_of_score: Estimate | None = None,
    generator: np.random.Generator | None = None,
    replicates: int = REPLICATES,
    folds: int = 1,
    level: float = 0.95,
) -> Diagnostics:
    """All diagnostics of probabilities (n,) against people's labels (n,), n ≥ 1, on samples that fitted or set nothing.

    Sets are those of `q_hat`, or else given as `sets` (n, levels) with the labels' `levels` (n,), if there are more
    levels than fail and pass, or more than one threshold; `names` of the levels in order; levels pass from `passing`
    on. `groups` are the cells (n,) of dimensions within which coverage is wanted, besides that within each level.
    `weights` are the inverse sampling probabilities; every share is then one of the population, and its interval uses
    the effective n. `test_cases` (n,) name that of each sample: if one has several samples, whose labels may agree,
    every interval is clustered and says so. Bootstrap intervals use `generator`; with no `replicates` there are none,
    and the Brier score is not decomposed. `auc_of_score` replaces the AUC of these probabilities, which is then not
    measured."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    cases = case_codes(test_cases)
    held = prediction_sets(p, q_hat) if sets is None else np.asarray(sets, dtype=bool)
    given = y.astype(np.intp) if levels is None else np.asarray(levels, dtype=np.intp)
    covered, sizes = held[np.arange(len(p)), given], held.sum(axis=1)
    decided = held[:, :passing].any(axis=1) != held[:, passing:].any(axis=1)
    said_pass = decided & held[:, passing:].any(axis=1)
    type_1, type_2 = error_rates(p, y, threshold=decision_threshold, weights=w, clusters=cases, level=level)
    drawn = _Drawn(w, cases, level)
    bins = equal_mass_bins(p)
    sums = bin_sums(p, y, weights=w, clusters=cases, bins=bins)
    rng = np.random.default_rng(SEED) if generator is None else generator
    dimensions = {BY_CLASS: (names, given)} | {
        by: _numbered(cells) for by, cells in (groups or {}).items() if by != BY_CLASS
    }
    return Diagnostics(
        n=len(p),
        passes=int(y.sum()),
        auc=auc_of_score or auc_estimate(p, y, weights=w, clusters=cases, level=level),
        ece=calibration_error(p, y, weights=w, sums=sums),
        brier=mean_interval((p - y) ** 2, weights=w, clusters=cases, level=level, within=(0.0, 1.0), rare_values=True),
        reliability=reliability(p, y, weights=w, clusters=cases, level=level, bins=bins),
        decision_threshold=decision_threshold,
        type_1=type_1,
        type_2=type_2,
        coverage=weighted_proportion(covered, weights=w, clusters=cases, level=level, method="clopper-pearson"),
        set_sizes=dict(enumerate(np.bincount(sizes, minlength=held.shape[1] + 1).tolist())),
        undecided=weighted_proportion(~decided, weights=w, clusters=cases, level=level),
        baselines=dict(baselines or {}),
        ece_corrected=corrected_calibration_error(
            p, y, weights=w, clusters=cases, generator=rng, replicates=replicates, level=level, sums=sums
        ),
        brier_parts=brier_parts(p, y, weights=w, clusters=cases, generator=rng, replicates=replicates, level=level)
        if replicates > 1
        else None,
        decided=_decided(decided, said_pass, y, drawn),
        cells={by: _cells(*cells, covered, ~decided, drawn) for by, cells in dimensions.items()},
        folds=folds,
        auc_of_score=auc_of_score is not None,
    )


def coverage_shown(coverage: Estimate, alpha: float) -> CoverageShown:
    """Whether the sets are shown to cover 1 − α of samples, "reached", or fewer, "missed", by the interval."""
    if coverage.low >= 1 - alpha:
        return "reached"
    return "missed" if coverage.high < 1 - alpha else "open"


def error_rates(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    threshold: float,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[Estimate, Estimate]:
    """Type I and type II error of the machine against people, when it passes probabilities ≥ `threshold`.

    Type I: of the samples that people fail, the share that the machine passes (a bad answer gets through). Type II: of
    the samples that people pass, the share that the machine fails (a good answer is held back). NaN if people failed,
    or passed, no sample. `clusters` as in `share`. HCAT 5."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    machine, drawn = p >= threshold, _Drawn(w, case_codes(clusters), level)
    return drawn.weighted_proportion(machine, ~y), drawn.weighted_proportion(~machine, y)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The sampling design: weights and clusters (n,), None if equal or independent; and the level of intervals."""

    weights: Floats | None
    cases: Codes | None
    level: float

    def weighted_proportion(self, hits: Bools, among: Bools, *, method: ProportionMethod = "wilson") -> Estimate:
        w = None if self.weights is None else self.weights[among]
        cases = None if self.cases is None else self.cases[among]
        return weighted_proportion(hits[among], weights=w, clusters=cases, level=self.level, method=method)


def _decided(decided: Bools, said_pass: Bools, y: Bools, drawn: _Drawn) -> Decided:
    return Decided(
        error=drawn.weighted_proportion(said_pass != y, decided),
        type_1=drawn.weighted_proportion(said_pass, decided & ~y),
        type_2=drawn.weighted_proportion(~said_pass, decided & y),
    )


def _numbered(cells: Sequence[str | None]) -> tuple[tuple[str, ...], Codes]:
    """The names of cells, and the index of each sample's cell (n,); −1 for a sample without one."""
    names = tuple(sorted({cell for cell in cells if cell is not None}))
    places: dict[str | None, int] = {name: place for place, name in enumerate(names)}
    return names, np.array([places.get(cell, -1) for cell in cells], dtype=np.intp)


def _cells(
    names: Sequence[str], cell_of: Codes, covered: Bools, undecided: Bools, drawn: _Drawn
) -> dict[str, CellCoverage]:
    found = {}
    for place, name in enumerate(names):
        rows = cell_of == place
        if rows.any():
            coverage = drawn.weighted_proportion(covered, rows, method="clopper-pearson")
            found[name] = CellCoverage(coverage, drawn.weighted_proportion(undecided, rows))
    return dict(sorted(found.items()))
