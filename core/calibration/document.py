"""Parts of a calibration as JSON and back. NaN is written as null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, cast

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.checks.fitness import Verdict
from core.calibration.checks.proportional_odds import ProportionalOdds
from core.calibration.checks.reliability import ReliabilityBin
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate, JsonValue

Json = dict[str, JsonValue]


def diagnostics_document(diagnostics: Diagnostics) -> Json:
    """The figures as plain numbers, each with its interval beside it."""
    d = diagnostics
    return {
        "n": d.n,
        "passes": d.passes,
        "auc": _or_null(d.auc.value),
        "auc_interval": estimate_document(d.auc),
        "ece": _or_null(d.ece),
        "brier": _or_null(d.brier.value),
        "brier_interval": estimate_document(d.brier),
        "coverage": estimate_document(d.coverage),
        "decision_threshold": d.decision_threshold,
        "type_1": _or_null(d.type_1.value),
        "type_1_interval": estimate_document(d.type_1),
        "type_2": _or_null(d.type_2.value),
        "type_2_interval": estimate_document(d.type_2),
        "set_sizes": {str(size): count for size, count in d.set_sizes.items()},
        "undecided": estimate_document(d.undecided),
        "reliability": [_bin_document(part) for part in d.reliability],
        "baselines": {name: estimate_document(auc) for name, auc in d.baselines.items()},
    }


def read_diagnostics(document: JsonValue) -> Diagnostics:
    """The inverse of `diagnostics_document`. KeyError, TypeError or ValueError where it is something else."""
    d = mapping(document)
    return Diagnostics(
        n=integer(d["n"]),
        passes=integer(d["passes"]),
        auc=read_estimate(d["auc_interval"]),
        ece=_float(d["ece"]),
        brier=read_estimate(d["brier_interval"]),
        reliability=tuple(_bin(part) for part in sequence(d["reliability"])),
        decision_threshold=_float(d["decision_threshold"]),
        type_1=read_estimate(d["type_1_interval"]),
        type_2=read_estimate(d["type_2_interval"]),
        coverage=read_estimate(d["coverage"]),
        set_sizes={int(size): integer(count) for size, count in mapping(d["set_sizes"]).items()},
        undecided=read_estimate(d["undecided"]),
        baselines={name: read_estimate(auc) for name, auc in mapping(d["baselines"]).items()},
    )


def estimate_document(estimate: Estimate) -> Json:
    """{value, low, high, n} with the level and the method."""
    return {
        "value": _or_null(estimate.value),
        "low": _or_null(estimate.low),
        "high": _or_null(estimate.high),
        "n": estimate.n,
        "level": estimate.level,
        "method": estimate.method,
    }


def threshold_document(threshold: Threshold) -> Json:
    """What stands beside q̂ and α: on how many labels it rests, of how many test cases where that is fewer, whether
    they suffice, how many would."""
    return {
        "n": threshold.n,
        "enough": threshold.enough,
        "needed": threshold.needed,
        "test_cases": threshold.test_cases,
        "alike": threshold.alike,
    }


def read_threshold(document: Mapping[str, JsonValue]) -> Threshold:
    """The threshold from the whole document: q_hat and alpha stand at its top."""
    rest = mapping(document["threshold"])
    cases = rest.get("test_cases")
    return Threshold(
        q_hat=_number(document["q_hat"]),
        n=integer(rest["n"]),
        alpha=_number(document["alpha"]),
        enough=_boolean(rest["enough"]),
        needed=integer(rest["needed"]),
        test_cases=None if cases is None else integer(cases),
        alike=_boolean(rest.get("alike", True)),
    )


def verdict_document(verdict: Verdict) -> Json:
    return {"value": verdict.value, "reason": verdict.reason}


def read_verdict(document: JsonValue) -> Verdict:
    """The inverse of `verdict_document`."""
    fields = mapping(document)
    value = text(fields["value"])
    if value not in ("yes", "not shown", "no"):
        raise ValueError(f"no verdict is called {value!r}")
    return Verdict(cast(Literal["yes", "not shown", "no"], value), text(fields["reason"]))


def proportional_odds_document(odds: ProportionalOdds) -> Json:
    """The test of what the ordinal method assumes, with the slopes of each cut."""
    return {
        "statistic": _or_null(odds.statistic),
        "degrees": odds.degrees,
        "p": _or_null(odds.p),
        "slopes": [list(row) for row in odds.slopes],
        "n": odds.n,
        "reason": odds.reason,
        "test_cases": odds.test_cases,
        "says": odds.sentence,
    }


def read_proportional_odds(document: JsonValue) -> ProportionalOdds:
    """The inverse of `proportional_odds_document`."""
    fields = mapping(document)
    cases = fields.get("test_cases")
    return ProportionalOdds(
        statistic=_float(fields["statistic"]),
        degrees=integer(fields["degrees"]),
        p=_float(fields["p"]),
        slopes=tuple(tuple(_number(slope) for slope in sequence(row)) for row in sequence(fields["slopes"])),
        n=integer(fields["n"]),
        reason=text(fields["reason"]),
        test_cases=None if cases is None else integer(cases),
    )


def mapping(value: JsonValue) -> Json:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def sequence(value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise TypeError("expected text")
    return value


def integer(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("expected a whole number")
    return value


def _bin_document(part: ReliabilityBin) -> Json:
    return {
        "low": part.low,
        "high": part.high,
        "probability": part.probability,
        "observed": estimate_document(part.observed),
        "n": part.n,
    }


def _bin(document: JsonValue) -> ReliabilityBin:
    part = mapping(document)
    return ReliabilityBin(
        low=_number(part["low"]),
        high=_number(part["high"]),
        probability=_number(part["probability"]),
        observed=read_estimate(part["observed"]),
        n=integer(part["n"]),
    )


def read_estimate(document: JsonValue) -> Estimate:
    """The inverse of `estimate_document`."""
    e = mapping(document)
    return Estimate(
        value=_float(e["value"]),
        low=_float(e["low"]),
        high=_float(e["high"]),
        n=integer(e["n"]),
        level=_number(e["level"]),
        method=text(e["method"]),
    )


def _or_null(value: float) -> float | None:
    return None if math.isnan(value) else value


def _float(value: JsonValue) -> float:
    return math.nan if value is None else _number(value)


def _number(value: JsonValue) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("expected a number")
    return float(value)


def _boolean(value: JsonValue) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value
