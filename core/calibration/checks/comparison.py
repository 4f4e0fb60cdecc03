"""Cross-validated comparison of methods and numbers of metrics, which finds the simplest that is good enough."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.calibration.dataset import LabelledScores, join_scores
from hcat.core.calibration.maps.methods import METHODS, FitData, Method, find_method
from hcat.core.calibration.training_rows import stage_1_data
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.labelling.consensus import Labels
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, JsonObject
from hcat.core.statistics.discrimination import auc
from hcat.core.statistics.partition import SPLITS, Split, grouped_folds
from hcat.core.types import Criterion, Direction, Estimate, Verdict

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


FOLDS = 5
REPEATS = 3
BASE_RATE = "base rate"
"""The evaluator that gives every sample the pass rate of its training labels: others must beat it."""
BEATS_A_CONSTANT = Verdict(
    name="evaluator beats a constant",
    words=("shown to beat a constant",),
    claim="The evaluator predicts labels that it has not seen better than their pass rate does.",
    error=0.05,
    family="all evaluators of one comparison (Bonferroni)",
    decides="hcat.core.calibration.checks.comparison:compare_methods",
    carried_by="hcat.core.calibration.checks.comparison:Candidate.beats_base_rate",
)
ONE_METRIC = ("logistic", "isotonic")
RANGES = ((0.0, math.inf), (0.0, 1.0), (0.0, 1.0))
"""The ranges of log-loss, Brier score and AUC, and so of their means."""
DIFFERENCES = ((-math.inf, math.inf), (-1.0, 1.0), (-1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A method on one metric or several, with its cross-validated performance.

    The differences are from the best candidate, in the same folds: a log-loss or Brier score is worse above 0, an AUC
    below 0. `standard_error` is that of the difference in log-loss. `gain` is the log-loss of the base rate less its
    own. Intervals of differences and gains are simultaneous for all candidates. `scored` is the number of labels with
    the scores that it needs."""

    method: str
    metrics: tuple[str, ...]
    log_loss: Estimate
    brier: Estimate
    auc: Estimate
    log_loss_difference: Estimate
    brier_difference: Estimate
    auc_difference: Estimate
    gain: Estimate
    standard_error: float
    scored: int

    @property
    def beats_base_rate(self) -> bool:
        """Whether it is shown to be better than always predicting the pass rate."""
        return self.gain.low > 0

    @property
    def title(self) -> str:
        if not self.metrics:
            return f"the {self.method}"
        on = self.metrics[0] if len(self.metrics) == 1 else f"{len(self.metrics)} metrics"
        return f"{self.method} on {on}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidates, the smallest log-loss first, and the simplest that is good `enough`.

    That is within one standard error of the best, among those shown to beat the `base_rate`: None if there is none. `n`
    labels, `passes` of them passes, are each predicted once in each of `repeats` rounds of `folds` folds. `skipped`
    says why a candidate could not be fitted; `left_out` counts labelled samples by reason."""

    criterion: str
    candidates: tuple[Candidate, ...]
    base_rate: Candidate
    enough: Candidate | None
    n: int
    passes: int
    folds: int
    repeats: int
    skipped: Mapping[str, str]
    left_out: Mapping[str, int]

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def enough_title(self) -> str | None:
        return None if self.enough is None else self.enough.title

    def document(self) -> JsonObject:
        """The comparison as JSON, every number with its interval."""
        return _DOCUMENT.write_object(self)


_DOCUMENT = Codec(
    {
        Comparison: (
            *(Also("best", "best.title"), Also("enough", "enough_title")),
            *("n", "passes", "folds", "repeats", "base_rate", "candidates", "skipped", "left_out"),
        ),
        Candidate: (
            *("method", "metrics", "scored", "log_loss", "brier", "auc"),
            *("log_loss_difference", "brier_difference", "auc_difference", "gain"),
        ),
    }
)


def compare_methods(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    methods: Sequence[str] | None = None,
    directions: Mapping[str, Direction] | None = None,
    test_cases: Mapping[str, str] | None = None,
    splits: Sequence[Split] = ("fit",),
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = 7,
    level: float = 0.95,
) -> Comparison:
    """Cross-validate each metric alone and all together, by each method.

    Methods that give each level its probability take part only if there are more than two. Labels as in `calibrate`.
    Choosing a method is a part of fitting, so only labels of the fit split take part unless `splits` says otherwise:
    then no label may check the calibration afterwards. All candidates predict the same samples, those with at least one
    score; if a candidate lacks a score that it needs, its prediction is the pass rate of its training labels, and
    `scored` counts the others. Neither splits nor folds divide a cluster. Log-loss, Brier score and AUC are means over
    folds; their intervals, and those of paired differences, inflate the variance between folds for the training labels
    that folds share, and are simultaneous for all candidates (Bonferroni). The base rate is measured in the same folds:
    if no candidate is shown to beat it, none is good enough. NotEnoughLabelsError if a fold would have no pass or no
    fail. Source: Nadeau & Bengio 2003, equation 9 (corrected t); Hastie, Tibshirani & Friedman 2009, section 7.10 (the
    simplest within one standard error)."""
    names = tuple(dict.fromkeys(metrics))
    if not names or folds < 2 or repeats < 1:
        raise HcatError("a comparison takes at least one metric, 2 folds and 1 repeat")
    data = join_scores(labels, scores, criterion=criterion, metrics=names, partial=True, test_cases=test_cases)
    used = data.rows(np.isin(data.splits, [SPLITS.index(split) for split in splits]))
    _require(used, folds)
    rounds = [grouped_folds(used.cases, used.passed, folds=folds, salt=f"{seed}:{turn}") for turn in range(repeats)]
    known = scores.directions(names) | dict(directions or {})
    measured: list[_Measured] = []
    skipped: dict[str, str] = {}
    for method, columns in _lineup(names, criterion, methods):
        chosen = tuple(names[column] for column in columns)
        by_level = method.by_level and not criterion.is_binary
        to_fit = stage_1_data(used, criterion, by_level, names, known).columns(columns)
        try:
            by_fold, scored = _measures(method, to_fit, used, rounds, folds)
            measured.append(_Measured(method.name, chosen, by_fold, scored))
        except HcatError as error:
            skipped[f"{method.name} on {', '.join(chosen)}"] = str(error)
    if not measured:
        raise HcatError(f"nothing could be compared: {'; '.join(skipped.values())}")
    measured.sort(key=lambda one: float(one.by_fold[0].mean()))
    constant = _Measured(BASE_RATE, (), _measures_of_base_rate(used, rounds, folds), len(used))
    scale = _Scale(len(used), folds, level, len(measured))
    candidates = tuple(_candidate(one, measured[0], constant, scale) for one in measured)
    return Comparison(
        criterion=criterion.name,
        candidates=candidates,
        base_rate=_candidate(constant, measured[0], constant, scale),
        enough=_simplest(candidates),
        n=len(used),
        passes=int(used.passed.sum()),
        folds=folds,
        repeats=repeats,
        skipped=skipped,
        left_out=data.left_out,
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    """Log-loss, Brier score and AUC of each fold, (3, folds · repeats), and the number of labels with the scores
    needed."""

    method: str
    metrics: tuple[str, ...]
    by_fold: Floats
    scored: int


@dataclass(frozen=True, slots=True)
class _Scale:
    """The parameters of intervals: `n` labels in so many folds, at a simultaneous level for all `candidates`."""

    n: int
    folds: int
    level: float
    candidates: int


def _require(used: LabelledScores, folds: int) -> None:
    passes = int(used.passed.sum())
    fewest = min(passes, len(used.passed) - passes)
    if fewest < folds:
        raise NotEnoughLabelsError(
            f"comparing methods in {folds} folds takes {folds} passes and {folds} fails among the labels to fit with: "
            f"there are {passes} and {len(used.passed) - passes}",
            needed=folds - fewest,
        )


def _lineup(
    names: Sequence[str], criterion: Criterion, methods: Sequence[str] | None
) -> list[tuple[Method, tuple[int, ...]]]:
    """The candidates: every metric alone by the simple methods, all together by the others; a single metric by all
    methods."""
    known = METHODS if methods is None else tuple(find_method(name) for name in methods)
    known = tuple(method for method in known if not (method.by_level and criterion.is_binary))
    everything = tuple(range(len(names)))
    if len(names) == 1:
        return [(method, everything) for method in known]
    alone = [(method, (column,)) for column in everything for method in known if method.name in ONE_METRIC]
    return alone + [(method, everything) for method in known if not method.single]


def _measures(
    method: Method, data: FitData, used: LabelledScores, rounds: Sequence[Ints], folds: int
) -> tuple[Floats, int]:
    given = np.isfinite(data.X)
    usable = np.asarray(given.any(axis=1) if method.takes_unscored else given.all(axis=1), dtype=bool)
    rows, scored = [], 0
    for fold_of in rounds:
        for fold in range(folds):
            out = fold_of == fold
            train = usable & ~out
            p = method.fit_data(data.rows(train)).probability(data.X[out])
            p[~usable[out]] = np.nan
            scored += int(np.sum(~np.isnan(p)))
            p = np.where(np.isnan(p), np.average(used.passed[train], weights=used.weights[train]), p)
            rows.append(_errors(p, used.rows(out)))
    return np.array(rows).T, scored // len(rounds)


def _measures_of_base_rate(used: LabelledScores, rounds: Sequence[Ints], folds: int) -> Floats:
    """The same measures for a constant: the pass rate of the other folds."""
    rows = []
    for fold_of in rounds:
        for fold in range(folds):
            out = fold_of == fold
            rate = float(np.average(used.passed[~out], weights=used.weights[~out]))
            rows.append(_errors(np.full(int(out.sum()), rate), used.rows(out)))
    return np.array(rows).T


def _errors(p: Floats, part: LabelledScores) -> tuple[float, float, float]:
    """Log-loss, Brier score and AUC of probabilities (n,) for these labels."""
    y, w = part.passed, part.weights
    log_loss = -np.average(np.log(np.where(y, p, 1 - p)), weights=w)
    return float(log_loss), float(np.average((p - y) ** 2, weights=w)), auc(p, y, weights=w)


def _candidate(one: _Measured, best: _Measured, constant: _Measured, scale: _Scale) -> Candidate:
    difference = one.by_fold - best.by_fold
    log_loss, brier, area = (_corrected(one.by_fold[k], scale, RANGES[k]) for k in range(3))
    more_loss, more_brier, more_area = (
        _corrected(difference[k], scale, DIFFERENCES[k], comparisons=max(scale.candidates - 1, 1)) for k in range(3)
    )
    return Candidate(
        method=one.method,
        metrics=one.metrics,
        log_loss=log_loss,
        brier=brier,
        auc=area,
        log_loss_difference=more_loss,
        brier_difference=more_brier,
        auc_difference=more_area,
        gain=_corrected(
            constant.by_fold[0] - one.by_fold[0], scale, DIFFERENCES[0], comparisons=max(scale.candidates, 1)
        ),
        standard_error=_standard_error(difference[0], scale.folds),
        scored=one.scored,
    )


def _corrected(by_fold: Floats, scale: _Scale, within: tuple[float, float], *, comparisons: int = 1) -> Estimate:
    """The mean over folds and its corrected t interval, cut at `within`; folds with one class only have no AUC.

    The intervals of so many `comparisons` are simultaneous, by Bonferroni."""
    from scipy.special import stdtrit

    values = by_fold[~np.isnan(by_fold)]
    method = f"corrected t over {len(by_fold)} folds"
    method += f", Bonferroni over {comparisons}" if comparisons > 1 else ""
    if len(values) < 2:
        return Estimate(math.nan, math.nan, math.nan, scale.n, scale.level, method)
    tail = (1 - scale.level) / 2 / comparisons
    half = float(stdtrit(len(values) - 1, 1 - tail)) * _standard_error(values, scale.folds)
    mean = float(values.mean())
    return Estimate(mean, max(mean - half, within[0]), min(mean + half, within[1]), scale.n, scale.level, method)


def _standard_error(values: Floats, folds: int) -> float:
    # 1 / (folds − 1) is how many labels check a fit against how many it was fitted on.
    return math.sqrt((1 / len(values) + 1 / (folds - 1)) * float(values.var(ddof=1)))


def _simplest(candidates: Sequence[Candidate]) -> Candidate | None:
    order = [method.name for method in METHODS]
    useful = [one for one in candidates if one.beats_base_rate]
    near = [one for one in useful if one.log_loss_difference.value <= one.standard_error] or useful[:1]
    return min(near, key=lambda one: (len(one.metrics) > 1, order.index(one.method), one.log_loss.value), default=None)
