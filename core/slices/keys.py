"""Keys of the rates of passing by which slices are compared in addition to the metrics of a score table."""

from __future__ import annotations

CORRECTED = "pass_probability"
"""The corrected pass rate: the probability of a pass by the calibration in force. Slices with enough labels of their
own have the rate by these, corrected by the metric (PPI++)."""

_BY_LABELS = "pass_rate:"


def pass_rate_key(criterion: str) -> str:
    """Names the pass rate on a criterion by labels alone."""
    return f"{_BY_LABELS}{criterion}"


def criterion_of(key: str) -> str | None:
    """The criterion of such a key; None for that of anything else."""
    return key.removeprefix(_BY_LABELS) if key.startswith(_BY_LABELS) else None
