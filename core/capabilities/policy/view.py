"""Views of a policy: its promise and forecast, its decisions, and whether it keeps its promise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.capabilities.policy.check import PolicyCheck
from hcat.core.capabilities.policy.decide import Decisions
from hcat.core.capabilities.policy.drift import Drift
from hcat.core.capabilities.policy.policy import ACTIONS, Policy, Rule
from hcat.core.capabilities.policy.wording.drift import drift_sentence, next_sentences
from hcat.core.capabilities.policy.wording.policies import (
    ACTION_TITLES,
    because_text,
    cost_text,
    error_text,
    load_text,
    policy_sentence,
    rule_sentence,
)
from hcat.core.display.messages import lower_first, say
from hcat.core.display.numbers import counted, format_count
from hcat.core.records.policy import PolicyRecord
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Callout, Quantity, Table, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

OF_SLICES = (
    "The promise is about all accepted answers together, unless thresholds are by the dimension: a slice may be worse. "
    "Intervals are of each slice alone."
)
OF_WINDOWS = (
    "The range of all windows so far holds for all of them at once. The alarm is raised once the evidence against the "
    "promise reaches {evidence:.0f}; it holds however often one looks."
)


def policy_view(policy: Policy) -> View:
    """The promise, the forecast from the run, the thresholds and the basis of each, the statements of the validator,
    and the slices."""
    blocks: list[Block] = [
        Callout("good" if policy.shown else "warning", say("Promise"), (policy_sentence(policy),)),
        _expected(policy),
        _rules(policy),
        Bullets(tuple((rule_sentence(rule, policy),) for rule in policy.rules)),
        _stated_table(policy),
    ]
    return View((*blocks, _slices(policy)) if policy.forecast.slices else tuple(blocks))


def decisions_view(decisions: Decisions, *, title: str) -> View:
    """Table of the number of answers by action, with their reasons."""
    rows = tuple(
        (say(ACTION_TITLES[action]), decisions.actions[action], decisions.actions[action] / max(decisions.n, 1))
        for action in ACTIONS
    )
    reasons = "; ".join(f"{because_text(name)}: {format_count(n)}" for name, n in decisions.because.items())
    answers = counted(decisions.n, "answer")
    note = say("{answers}. Because of: {reasons}.", answers=answers, reasons=reasons) if reasons else f"{answers}."
    return View(
        (Table(title, (column("Action"), column("Answers", "count"), column("Share", "percent")), rows, (note,)),)
    )


def drift_view(check: PolicyCheck) -> View:
    """The error let through and the load on people in each window, and the next steps."""
    blocks = [block for drift in check.drifts for block in _drift(drift)]
    if said := next_sentences(check):
        blocks.append(Callout("warning" if check.alarm else "info", say("What to do next"), (" ".join(said),)))
    return View(tuple(blocks))


def policies_view(records: Sequence[PolicyRecord]) -> View:
    """Table of the policies that were switched on, with author, time and reason."""
    columns = (
        *(column("Criterion"), column("Version", "count"), column("Switched on by"), column("At (UTC)")),
        *(column("Reason"), column("Hash", "code")),
    )
    rows = tuple(
        (
            *(", ".join(each.criteria), each.version, each.author, f"{each.at:%Y-%m-%d %H:%M}"),
            *(each.reason or None, each.hash[:12]),
        )
        for each in records
    )
    return View((Table(say("Policies"), columns, rows),))


def _expected(policy: Policy) -> Table:
    forecast = policy.forecast
    shares: tuple[tuple[str, Value], ...] = (
        (say("Accepted"), Quantity(forecast.shares["accept"], "share")),
        (say("Regenerated at first"), Quantity(forecast.shares["regenerate"], "share")),
        (say("Rejected"), Quantity(forecast.shares["reject"], "share") if forecast.shares["reject"].value else None),
        (say("Load on people"), load_text(forecast, policy.costs)),
        (say("Error let through"), error_text(policy)),
        (
            say("Good answers among those it fails"),
            Quantity(forecast.wasted, "share") if math.isfinite(forecast.wasted.value) else None,
        ),
        (say("Cost"), cost_text(forecast, policy) or None),
    )
    rows = [(name, value) for name, value in shares if value is not None]
    if forecast.right_refusals:
        refused = say(
            "{forecast.right_refusals:,}, accepted by their test cases; no promise is made of them", forecast=forecast
        )
        rows.append((say("Right refusals"), refused))
    columns = (column("Of the run's answers"), column("Expected"))
    return Table(say("What the policy lets expect"), columns, tuple(rows))


def _rules(policy: Policy) -> Table:
    columns = (
        *(column("Answers"), column("Accept from", "number"), column("Fail below", "number")),
        *(column("Labels not in the map", "count"), column("Accepted of these", "count")),
        *(column("Failures", "percent"), column("p", "p-value"), column("Promise", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(rule.level or say("all"), rule.accept_from, rule.fail_below),
            *(rule.certificate.n, rule.certificate.accepted, _finite(rule.certificate.failure_rate)),
            *(rule.certificate.p_value, _verdict(rule)),
        )
        for rule in policy.rules
    )
    return Table(say("Thresholds on the probability of a pass"), columns, rows)


def _verdict(rule: Rule) -> str:
    if rule.shown:
        return "shown"
    return "not shown" if rule.certificate.promisable else "can't be promised"


def _stated_table(policy: Policy) -> Table:
    on = policy.switched_on
    rows: list[tuple[Value, ...]] = [
        (say("Error let through, at most (ε)"), Quantity(policy.promise.error, "percent")),
        (say("Confidence (1 − δ)"), Quantity(policy.promise.confidence, "percent")),
        (say("Thresholds"), say("one for all answers") if policy.by is None else say("by {policy.by}", policy=policy)),
        (say("Metrics"), ", ".join(map(slice_metric_title, policy.metrics))),
        (say("Answers that fail"), _failing(policy)),
    ]
    if on is not None:
        day = "" if on.at is None else say(" on {on.at:%-d %B %Y, %H:%M} UTC", on=on)
        because = say(", because: “{on.reason}”", on=on) if on.reason else ""
        rows.append((say("Switched on"), say("by {on.author}{day}{because}", on=on, day=day, because=because)))
    rows.append((say("Hash"), Quantity(policy.hash[:16], "code")))
    return Table(say("What was stated"), (column("Of the policy"), column("Stated")), tuple(rows))


def _failing(policy: Policy) -> str:
    failing = policy.failing
    first = lower_first(say(ACTION_TITLES[failing.action]))
    if failing.action != "regenerate":
        return first
    return say(
        "{first}, at most {failing.attempts} times, then {after}",
        first=first,
        failing=failing,
        after=lower_first(say(ACTION_TITLES[failing.after])),
    )


def _slices(policy: Policy) -> Table:
    columns = (
        *(column("Slice"), column("Answers", "count"), column("Accepted", "share"), column("To people", "share")),
        *(column("Failures among accepted labels", "share"), column("Labels", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(f"{part.dimension} = {part.level}", part.n, part.accepted, part.to_people),
            *(part.failure_rate if part.failure_rate.n else None, part.failure_rate.n),
        )
        for part in policy.forecast.slices
    )
    return Table(say("Expected by slice"), columns, rows, (say(OF_SLICES),))


def _drift(drift: Drift) -> list[Block]:
    said = (drift_sentence(drift),)
    callout = Callout("good", say("No alarm"), said) if drift.seen else Callout("info", say("Nothing seen"), said)
    if drift.alarm is not None:
        callout = Callout("warning", say("Alarm"), said)
    columns = (
        *(column("Window"), column("This window", "share"), column("n", "count")),
        *(column("All so far, from", "percent"), column("to", "percent"), column("Evidence", "number")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(window.name, window.share if window.share.n else None, window.share.n),
            *(window.low, window.high, _finite(window.evidence)),
        )
        for window in drift.windows
    )
    title = say("Since it was switched on: {quantity}", quantity=say(drift.quantity))
    return [callout, Table(title, columns, rows, (say(OF_WINDOWS, evidence=1 / drift.alpha),))]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
