"""Labels and scores in, a calibration out: fitted on one third, set on the second, checked on the last."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core import __version__
from core.calibration import document as doc
from core.calibration.conformal import Threshold, conformal_quantile, nonconformity, prediction_sets
from core.calibration.diagnostics import DECISION_THRESHOLD, Diagnostics, diagnose
from core.calibration.discrimination import auc, auc_estimate
from core.calibration.fitness import BASELINES, Verdict, fitness
from core.calibration.labelled import LabelledScores, join_scores, labels_hash
from core.calibration.methods import ProbabilityMap, find_method
from core.calibration.splits import SHARES
from core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from core.types import Criterion, Estimate, JsonValue, Label

if TYPE_CHECKING:
    import pandas as pd

    from core.scores import ScoreTable

LEAST_TO_FIT = 10
LEAST_OF_EACH_CLASS = 2

DECISIONS = {(False, True): "pass", (True, False): "fail", (True, True): "undecided (both)"}
EMPTY, UNSCORED = "undecided (empty)", "unscored"


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted map from scores to the probability of a pass on one criterion, its conformal threshold, and its check.

    `split_sizes` counts the labels that served each purpose; `left_out` the labelled samples that served none, by
    reason. `diagnostics` is None where no label was left to check with. `inputs` are content hashes.
    """

    criterion: str
    metrics: tuple[str, ...]
    method: str
    map: ProbabilityMap
    alpha: float
    threshold: Threshold
    split_sizes: Mapping[str, int]
    left_out: Mapping[str, int]
    diagnostics: Diagnostics | None
    fit_for_use: Verdict
    inputs: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    version: str = __version__

    def probability(self, scores: ScoreTable) -> NDArray[np.float64]:
        """Probability of a pass of each sample, shape (n,), in (0, 1); NaN where a metric left it unscored."""
        X = np.column_stack([scores.values(metric) for metric in self.metrics])
        return self.map.probability(np.where(np.isfinite(X), X, np.nan))

    def predict(self, scores: ScoreTable) -> pd.DataFrame:
        """One row a sample: sample_id, probability, in_0, in_1, decision.

        The decision is "pass" or "fail" where the prediction set names one class, else "undecided (both)",
        "undecided (empty)" or "unscored"; an unscored sample has neither probability nor set.
        """
        import pandas as pd

        probability = self.probability(scores)
        scored = ~np.isnan(probability)
        sets = np.zeros((len(probability), 2), dtype=bool)
        sets[scored] = prediction_sets(probability[scored], self.threshold.q_hat)
        decision = np.full(len(probability), EMPTY, dtype=object)
        for (in_0, in_1), word in DECISIONS.items():
            decision[(sets[:, 0] == in_0) & (sets[:, 1] == in_1)] = word
        decision[~scored] = UNSCORED
        return pd.DataFrame(
            {
                "sample_id": pd.Series(scores.sample_ids, dtype="str"),
                "probability": probability,
                "in_0": pd.Series(sets[:, 0], dtype="boolean").mask(~scored),
                "in_1": pd.Series(sets[:, 1], dtype="boolean").mask(~scored),
                "decision": pd.Series(decision, dtype="str"),
            }
        )

    def to_json(self) -> str:
        """The document of `hcat calibrate -o` (interface.md)."""
        document: dict[str, JsonValue] = {
            "hcat": self.version,
            "inputs": dict(self.inputs),
            "settings": dict(self.settings),
            "criterion": self.criterion,
            "method": self.method,
            "metrics": list(self.metrics),
            "parameters": self.map.parameters(),
            "split_sizes": dict(self.split_sizes),
            "left_out": dict(self.left_out),
            "alpha": self.alpha,
            "q_hat": self.threshold.q_hat,
            "threshold": doc.threshold_document(self.threshold),
            "diagnostics": None if self.diagnostics is None else doc.diagnostics_document(self.diagnostics),
            "fit_for_use": doc.verdict_document(self.fit_for_use),
        }
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """The inverse of `to_json`. FileFormatError on anything else."""
        try:
            return _read(doc.mapping(json.loads(text)))
        except (KeyError, TypeError, ValueError, HcatError) as error:
            raise FileFormatError(
                f"this is no calibration of hcat ({error}): make one with `hcat calibrate … -o cal.json`"
            ) from error


def calibrate(
    labels: Iterable[Label],
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    alpha: float = 0.1,
    decision_threshold: float = DECISION_THRESHOLD,
    level: float = 0.95,
) -> Calibration:
    """Calibrate one metric, or several together, against what people say on a criterion. HCAT 5.

    Labels are of one run (the caller filters) and of any criterion; see `consensus` for several a sample. An ordinal
    criterion is cut at `criterion.passing`: its levels are not yet modelled one by one. Fits, threshold and checks
    weight each label by the inverse of the probability with which its sample was drawn.
    The fit takes 10 labels with 2 of each class and the threshold 1, else NotEnoughLabelsError says how many more
    labels will provide that on average, given how samples fall into the splits. Fewer labels than α needs give q̂ = 1;
    no labels to check with give no diagnostics.
    """
    names = _distinct(metrics)
    on_criterion = [label for label in labels if label.criterion == criterion.name]
    fitting = find_method(method)
    data = join_scores(on_criterion, scores, criterion=criterion, metrics=names)
    _require_enough(data, f"calibrating {', '.join(names)} on {criterion.name}")
    fit, conformal, check = data.part("fit"), data.part("conformal"), data.part("check")
    fitted = fitting.fit(fit.X, fit.passed, metrics=names, weights=fit.unequal_weights)
    threshold = conformal_quantile(
        nonconformity(fitted.probability(conformal.X), conformal.passed),
        alpha=alpha,
        weights=None if data.unequal_weights is None else conformal.weights,
        new_weight=float(data.weights.max()),
    )
    diagnostics = None
    if check.sample_ids:
        diagnostics = diagnose(
            fitted.probability(check.X),
            check.passed,
            q_hat=threshold.q_hat,
            decision_threshold=decision_threshold,
            weights=check.unequal_weights,
            baselines=_baselines(scores, fit, check, besides=names, level=level),
            level=level,
        )
    return Calibration(
        criterion=criterion.name,
        metrics=names,
        method=method,
        map=fitted,
        alpha=alpha,
        threshold=threshold,
        split_sizes=data.split_sizes,
        left_out=data.left_out,
        diagnostics=diagnostics,
        fit_for_use=fitness(diagnostics, threshold),
        inputs={"run": scores.provenance.run_hash, "labels": labels_hash(on_criterion)},
        settings={"passing": criterion.passing, "decision_threshold": decision_threshold, "level": level},
    )


def _distinct(metrics: Sequence[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(metrics))
    if not names:
        raise HcatError("a calibration takes at least one metric")
    return names


def _require_enough(data: LabelledScores, what: str) -> None:
    """NotEnoughLabelsError with the number of further labels that makes up every shortage on average."""
    fit = data.part("fit")
    passes = int(fit.passed.sum())
    counts = {"pass": passes, "fail": len(fit.passed) - passes}
    all_passes = int(data.passed.sum())
    seen = {"pass": all_passes, "fail": len(data.passed) - all_passes}
    more, missing = 0.0, []
    if len(fit.passed) < LEAST_TO_FIT:
        more = (LEAST_TO_FIT - len(fit.passed)) / SHARES["fit"]
        missing.append(f"{len(fit.passed)} of {LEAST_TO_FIT} labels to fit with")
    for side, count in counts.items():
        if count < LEAST_OF_EACH_CLASS:
            # Laplace's rule keeps the expected share above 0 where a class was never seen.
            expected_share = (seen[side] + 1) / (len(data.passed) + 2)
            more = max(more, (LEAST_OF_EACH_CLASS - count) / (SHARES["fit"] * expected_share))
            missing.append(f"{count} of {LEAST_OF_EACH_CLASS} labels “{side}” among them")
    if data.split_sizes["conformal"] == 0:
        more = max(more, 1 / SHARES["conformal"])
        missing.append("0 of 1 label for the threshold")
    if missing:
        needed = math.ceil(more - 1e-9)
        raise NotEnoughLabelsError(
            f"{what} needs {needed} more labels on average: there are {'; '.join(missing)}", needed=needed
        )


def _baselines(
    scores: ScoreTable, fit: LabelledScores, check: LabelledScores, *, besides: Sequence[str], level: float
) -> dict[str, Estimate]:
    """AUC of each trivial score on the check split, the way round that the fit split shows it.

    Baselines that are calibrated here themselves, or that leave more than half of the samples unscored, are left out.
    """
    found = {}
    position = {sample_id: row for row, sample_id in enumerate(scores.sample_ids)}
    fit_rows, check_rows = ([position[i] for i in part.sample_ids] for part in (fit, check))
    for name in BASELINES:
        if name not in scores.metrics or name in besides:
            continue
        values = scores.values(name)
        known, shown = np.isfinite(values[fit_rows]), np.isfinite(values[check_rows])
        if known.sum() * 2 < len(fit_rows) or shown.sum() * 2 < len(check_rows):
            continue
        rising = auc(values[fit_rows][known], fit.passed[known], weights=fit.weights[known]) >= 0.5
        weights = None if check.unequal_weights is None else check.weights[shown]
        baseline = values[check_rows][shown] * (1 if rising else -1)
        found[name] = auc_estimate(baseline, check.passed[shown], weights=weights, level=level)
    return found


def _read(document: Mapping[str, JsonValue]) -> Calibration:
    metrics = tuple(doc.text(name) for name in doc.sequence(document["metrics"]))
    method = doc.text(document["method"])
    threshold = doc.read_threshold(document)
    diagnostics = document["diagnostics"]
    return Calibration(
        criterion=doc.text(document["criterion"]),
        metrics=metrics,
        method=method,
        map=find_method(method).load(metrics, doc.mapping(document["parameters"])),
        alpha=threshold.alpha,
        threshold=threshold,
        split_sizes={name: doc.integer(n) for name, n in doc.mapping(document["split_sizes"]).items()},
        left_out={name: doc.integer(n) for name, n in doc.mapping(document["left_out"]).items()},
        diagnostics=None if diagnostics is None else doc.read_diagnostics(diagnostics),
        fit_for_use=doc.read_verdict(document["fit_for_use"]),
        inputs={name: doc.text(value) for name, value in doc.mapping(document["inputs"]).items()},
        settings=doc.mapping(document["settings"]),
        version=doc.text(document["hcat"]),
    )
