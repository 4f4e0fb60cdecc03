"""How the commands print a policy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from hcat.core.display.numbers import format_estimate
from hcat.dashboard.commands.output import print_table

if TYPE_CHECKING:
    from hcat.core.estimates.policy.policy import Policy
    from hcat.core.estimates.policy.thresholds import CurvePoint
    from hcat.core.importers.reading.spreadsheet import Cell
    from hcat.core.types import JsonValue

CURVE = ("level", "threshold", "share_accepted", "labels_accepted", "failure_rate", "bound", "shown")


def print_policy(policy: Policy, *, title: str) -> None:
    """The tables of `hcat policy fit` and `show`."""
    from hcat.core.wording.policy.policies import (
        ACTION_TITLES,
        cost_text,
        error_text,
        load_text,
        policy_sentence,
        rule_sentence,
    )

    forecast = policy.forecast
    rows = [
        (ACTION_TITLES[action], format_estimate(share, percent=True))
        for action, share in forecast.shares.items()
        if share.value > 0 or action in ("accept", "person")
    ]
    rows.append(("load on people", load_text(forecast, policy.costs)))
    rows.append(("error let through", error_text(policy)))
    rows.append(("good answers among those it fails", format_estimate(forecast.wasted, percent=True)))
    if cost := cost_text(forecast, policy):
        rows.append(("cost", cost))
    if forecast.right_refusals:
        rows.append(("right refusals accepted by their test cases", str(forecast.right_refusals)))
    print_table(title, ("of the run's answers", "value"), rows)
    for rule in policy.rules:
        typer.echo(rule_sentence(rule, policy))
    typer.echo(policy_sentence(policy))
    if forecast.slices:
        print_table(
            "What changes by slice",
            ("slice", "answers", "accepted", "to people", "failures among accepted, by labels"),
            [
                (
                    f"{part.dimension} = {part.level}",
                    str(part.n),
                    format_estimate(part.accepted, percent=True),
                    format_estimate(part.to_people, percent=True),
                    format_estimate(part.failure_rate, percent=True),
                )
                for part in forecast.slices
            ],
        )


def policy_parts(policy: Policy) -> dict[str, JsonValue]:
    """The document of a policy without its map, with its sentences."""
    from hcat.core.estimates.policy.looks import UNDECLARED
    from hcat.core.wording.policy.policies import policy_sentence, rule_sentence

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
