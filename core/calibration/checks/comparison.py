"""Which method, and how many metrics, does it take? Cross-validated, with the simplest that is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Floats, Ints
from core.calibration.dataset import LabelledScores, join_scores
from core.calibration.maps.methods import METHODS, FitData, Method, find_method
from core.calibration.training_rows import stage_1_data
from core.errors import HcatError, NotEnoughLabelsError
from core.labelling.consensus import Labels
from core.records.codec import Codec
from core.records.layout import Also, JsonObject
from core.statistics.discrimination import auc
from core.statistics.partition import SPLITS, Split, grouped_folds
from core.types import Criterion, Direction, Estimate

if TYPE_CHECKING:
    from core.scoring.score_table import ScoreTable


FOLDS = 5
REPEATS = 3
ONE_METRIC = ("logistic", "isotonic")
RANGES = ((0.0, math.inf), (0.0, 1.0), (0.0, 1.0))
"""Between which ends log-loss, Brier score and AUC lie, and so their means."""
DIFFERENCES = ((-math.inf, math.inf), (-1.0, 1.0), (-1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A method on one metric or several, and how well it told labels that it had not seen.

    The differences are from the best candidate, in the same folds: above 0 a log-loss or Brier score is worse, below
    0 an AUC is. `standard_error` is that of the difference in log-loss. `scored` labels had the scores that it takes.
    """

    method: str
    metrics: tuple[str, ...]
    log_loss: Estimate
    brier: Estimate
    auc: Estimate
    log_loss_difference: Estimate
    brier_difference: Estimate
    auc_difference: Estimate
    standard_error: float
    scored: int

    @property
    def title(self) -> str:
        on = self.metrics[0] if len(self.metrics) == 1 else f"{len(self.metrics)} metrics"
        return f"{self.method} on {on}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidates, the smallest log-loss first; `enough` is the simplest within one standard error of it.

    `n` labels, `passes` of them passes, each predicted once in each of `repeats` rounds of `folds` folds. `skipped`
    says why a candidate could not be fitted; `left_out` counts labelled samples by the reason why.
    """

    criterion: str
    candidates: tuple[Candidate, ...]
    enough: Candidate
    n: int
    passes: int
    folds: int
    repeats: int
    skipped: Mapping[str, str]
    left_out: Mapping[str, int]

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    def document(self) -> JsonObject:
        """The comparison as JSON, every number with its interval."""
        return _DOCUMENT.write_object(self)


_DOCUMENT = Codec(
    {
        Comparison: (
            *(Also("best", "best.title"), Also("enough", "enough.title")),
            *("n", "passes", "folds", "repeats", "candidates", "skipped", "left_out"),
        ),
        Candidate: (
            *("method", "metrics", "scored", "log_loss", "brier", "auc"),
            *("log_loss_difference", "brier_difference", "auc_difference"),
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
    """Cross-validate each metric alone and all together, by each method (those that give each level its probability
    only where there are more than two).

    Labels as in `calibrate`. Choosing a method is a part of fitting, so only labels of the fit split take part unless
    `splits` says otherwise: then no label may check the calibration afterwards. All candidates answer for the same
    samples, those with at least one score; where a candidate lacks a score that it needs, its answer is the pass rate
    of the labels that it was fitted on, and `scored` counts the others. Neither splits nor folds divide a cluster.
    Log-loss, Brier score and AUC are means over folds; their intervals, and those of paired differences, widen the
    variance between folds for the training labels that folds share.
    NotEnoughLabelsError where a fold would have no pass or no fail.
    Source: Nadeau & Bengio 2003, equation 9 (corrected t); Hastie, Tibshirani & Friedman 2009, section 7.10
    (the simplest within one standard error).
    """
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
            measured.append(_Measured(method, chosen, by_fold, scored))
        except HcatError as error:
            skipped[f"{method.name} on {', '.join(chosen)}"] = str(error)
    if not measured:
        raise HcatError(f"nothing could be compared: {'; '.join(skipped.values())}")
    measured.sort(key=lambda one: float(one.by_fold[0].mean()))
    candidates = tuple(_candidate(one, measured[0], len(used), folds, level) for one in measured)
    enough = _simplest(candidates)
    return Comparison(
        criterion=criterion.name,
        candidates=candidates,
        enough=enough,
        n=len(used),
        passes=int(used.passed.sum()),
        folds=folds,
        repeats=repeats,
        skipped=skipped,
        left_out=data.left_out,
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    """Log-loss, Brier score and AUC of each fold, (3, folds · repeats), and how many labels had the scores needed."""

    method: Method
    metrics: tuple[str, ...]
    by_fold: Floats
    scored: int


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
    """Every metric alone by the simple methods, all together by the others; a single metric by all of them."""
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
            y, w = used.passed[out], used.weights[out]
            log_loss = -np.average(np.log(np.where(y, p, 1 - p)), weights=w)
            rows.append((log_loss, np.average((p - y) ** 2, weights=w), auc(p, y, weights=w)))
    return np.array(rows).T, scored // len(rounds)


def _candidate(one: _Measured, best: _Measured, n: int, folds: int, level: float) -> Candidate:
    difference = one.by_fold - best.by_fold
    log_loss, brier, area = (_corrected(one.by_fold[k], n, folds, level, RANGES[k]) for k in range(3))
    more_loss, more_brier, more_area = (_corrected(difference[k], n, folds, level, DIFFERENCES[k]) for k in range(3))
    return Candidate(
        method=one.method.name,
        metrics=one.metrics,
        log_loss=log_loss,
        brier=brier,
        auc=area,
        log_loss_difference=more_loss,
        brier_difference=more_brier,
        auc_difference=more_area,
        standard_error=_standard_error(difference[0], folds),
        scored=one.scored,
    )


def _corrected(by_fold: Floats, n: int, folds: int, level: float, within: tuple[float, float]) -> Estimate:
    """The mean over folds and its corrected t interval, cut at `within`; folds without both classes have no AUC."""
    from scipy.special import stdtrit

    values = by_fold[~np.isnan(by_fold)]
    method = f"corrected t over {len(by_fold)} folds"
    if len(values) < 2:
        return Estimate(math.nan, math.nan, math.nan, n, level, method)
    half = float(stdtrit(len(values) - 1, 0.5 + level / 2)) * _standard_error(values, folds)
    mean = float(values.mean())
    return Estimate(mean, max(mean - half, within[0]), min(mean + half, within[1]), n, level, method)


def _standard_error(values: Floats, folds: int) -> float:
    # 1 / (folds − 1) is how many labels check a fit against how many it was fitted on.
    return math.sqrt((1 / len(values) + 1 / (folds - 1)) * float(values.var(ddof=1)))


def _simplest(candidates: Sequence[Candidate]) -> Candidate:
    order = [method.name for method in METHODS]
    near = [one for one in candidates if one.log_loss_difference.value <= one.standard_error]
    return min(near, key=lambda one: (len(one.metrics) > 1, order.index(one.method), one.log_loss.value))
