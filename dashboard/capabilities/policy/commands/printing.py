"""Output of the commands on a policy: its document, and the curve of its trade-off."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.capabilities.policy.thresholds import CurvePoint
    from hcat.core.importers.reading.spreadsheet import Cell
    from hcat.core.types import JsonValue

CURVE = ("level", "threshold", "share_accepted", "labels_accepted", "failure_rate", "bound", "shown")


def policy_parts(policy: Policy) -> dict[str, JsonValue]:
    """The document of a policy without its map, with its sentences."""
    from hcat.core.capabilities.policy.looks import UNDECLARED
    from hcat.core.capabilities.policy.wording.policies import policy_sentence, rule_sentence

    whole = policy.document()
    calibration = whole.pop("calibration")
    whole.pop("further")
    settings: dict[str, JsonValue] = {
        "criteria": [*policy.criteria],
        "promise": whole.pop("promise"),
        "by": whole.pop("by"),
        "other": whole.pop("other"),
        "failing": whole.pop("failing"),
        "costs": whole.pop("costs"),
        "calibration": {name: calibration.get(name) for name in ("method", "metrics", "alpha")}
        if isinstance(calibration, dict)
        else None,
    }
    sentences: list[JsonValue] = [rule_sentence(rule, policy) for rule in policy.rules]
    level = (policy.looks or UNDECLARED).share * policy.promise.risk
    return {
        **whole,
        "settings": settings,
        "shown": policy.shown,
        "level": level,
        "says": [policy_sentence(policy), *sentences],
    }


def curve_rows(curves: Mapping[str, Sequence[CurvePoint]]) -> list[tuple[Cell, ...]]:
    """The trade-off of each rule, a row a threshold."""
    return [
        (
            *(level, point.threshold, point.share, point.accepted),
            *("" if math.isnan(value) else value for value in (point.failure_rate, point.bound)),
            point.shown,
        )
        for level, points in curves.items()
        for point in points
    ]
