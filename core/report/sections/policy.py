"""Policies: what they promise and on what it rests, what they did to the answers, and whether they keep the promise."""

from __future__ import annotations

import math

from core.estimates.policy.check import PolicyCheck
from core.estimates.policy.drift import Drift
from core.estimates.policy.policy import ACTIONS, Policy
from core.report.evidence.policy_records import PolicyEvidence
from core.report.evidence.records import Evidence
from core.report.tree import Block, Bullets, Column, Heading, KeyValues, Paragraph, Quantity, Section, Table, Value
from core.wording.policy.drift import check_sentences
from core.wording.policy.policies import (
    ACTION_TITLES,
    cost_text,
    error_text,
    load_text,
    policy_sentence,
    rule_sentence,
)

INTRODUCTION = (
    "A policy accepts an answer, regenerates or rejects it, or sends it to a person, by its prediction set (FUNNEL). "
    "What it promises is about accepted answers like those that were labelled; right refusals are no failures."
)
NO_WINDOW = (
    "No run was imported since it was switched on: whether it still keeps its promise is not known. Import the next "
    "answers, score them, and label accepted ones that are drawn at random."
)
OF_A_FILE = "Whether it keeps its promise in use is not reported: `hcat policy check` on later answers says so."


def policy_section(evidence: Evidence) -> Section | None:
    """None where no policy is in use, and no file of one is given."""
    if not evidence.policies:
        return None
    blocks: list[Block] = [Paragraph((INTRODUCTION,))]
    for item in evidence.policies:
        blocks += _of_policy(item)
    return Section("policy", "Policy", tuple(blocks))


def _of_policy(item: PolicyEvidence) -> list[Block]:
    policy = item.policy
    version = "" if item.version is None else f", version {item.version}"
    shared = policy.promise.shared_by(len(policy.rules))
    blocks: list[Block] = [
        Heading(f"Policy on {' and '.join(policy.criteria)}{version}"),
        Paragraph((policy_sentence(policy),)),
        _facts(policy),
        _rules(policy),
        Bullets(tuple((rule_sentence(rule, shared),) for rule in policy.rules)),
        _forecast(policy),
    ]
    if policy.forecast.slices:
        blocks.append(_slices(policy))
    if item.decided:
        blocks.append(_decided(item))
    if item.check is not None:
        return [*blocks, *_drift(item.check)]
    return [*blocks, Paragraph((OF_A_FILE if item.version is None else NO_WINDOW,))]


def _facts(policy: Policy) -> KeyValues:
    on = policy.switched_on
    facts = [
        ("Error let through, at most (ε)", Quantity(policy.promise.error, "percent")),
        ("Confidence (1 − δ)", Quantity(policy.promise.confidence, "percent")),
        ("Thresholds", Quantity("one for all answers" if policy.by is None else f"by {policy.by}", "text")),
        ("Metrics", Quantity(", ".join(policy.metrics), "text")),
        ("Answers that fail", Quantity(_failing(policy), "text")),
    ]
    if on is not None:
        day = "" if on.at is None else f" on {on.at:%-d %B %Y, %H:%M} UTC"
        because = f", because: “{on.reason}”" if on.reason else ""
        facts.append(("Switched on", Quantity(f"by {on.author}{day}{because}", "text")))
    facts.append(("Hash", Quantity(policy.hash[:16], "code")))
    return KeyValues(tuple(facts))


def _failing(policy: Policy) -> str:
    failing = policy.failing
    first = ACTION_TITLES[failing.action].lower()
    if failing.action != "regenerate":
        return first
    return f"{first}, at most {failing.attempts} times, then {ACTION_TITLES[failing.after].lower()}"


def _rules(policy: Policy) -> Table:
    columns = (
        *(Column("Answers"), Column("Accept from", "number"), Column("Fail below", "number")),
        *(Column("Labels not in the map", "count"), Column("Accepted of these", "count")),
        *(Column("Failures", "percent"), Column("p", "p-value"), Column("Promise", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(rule.level or "all", rule.accept_from, rule.fail_below, rule.certificate.n, rule.certificate.accepted),
            *(_stated(rule.certificate.failure_rate), rule.certificate.p_value, "shown" if rule.shown else "not shown"),
        )
        for rule in policy.rules
    )
    return Table("Thresholds on the probability of a pass", columns, rows)


def _forecast(policy: Policy) -> KeyValues:
    forecast = policy.forecast
    facts = [
        ("Accepted", Quantity(forecast.shares["accept"], "share")),
        ("Regenerated at first", Quantity(forecast.shares["regenerate"], "share")),
        ("Load on people", Quantity(load_text(forecast, policy.costs), "text")),
        ("Error let through", Quantity(error_text(policy), "text")),
    ]
    if cost := cost_text(forecast, policy):
        facts.append(("Cost", Quantity(cost, "text")))
    if forecast.right_refusals:
        refused = f"{forecast.right_refusals:,}, accepted by their test cases; no promise is made of them"
        facts.append(("Right refusals", Quantity(refused, "text")))
    return KeyValues(tuple(facts))


def _slices(policy: Policy) -> Table:
    columns = (
        *(Column("Slice"), Column("Answers", "count"), Column("Accepted", "share"), Column("To people", "share")),
        *(Column("Failures among accepted labels", "share"), Column("Labels", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(f"{part.dimension} = {part.level}", part.n, Quantity(part.accepted, "share")),
            Quantity(part.to_people, "share"),
            Quantity(part.failure_rate, "share") if part.failure_rate.n else None,
            part.failure_rate.n,
        )
        for part in policy.forecast.slices
    )
    note = "The promise is about all accepted answers together, unless thresholds are by the dimension."
    return Table("Expected by slice", columns, rows, (note,))


def _decided(item: PolicyEvidence) -> Table:
    columns = (Column("Run"), Column("Answers", "count"), *(Column(ACTION_TITLES[name], "count") for name in ACTIONS))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (run, sum(counts.values()), *(counts[name] for name in ACTIONS)) for run, counts in item.decided.items()
    )
    return Table("Decisions", columns, rows)


def _drift(check: PolicyCheck) -> list[Block]:
    tables: list[Block] = [_windows(drift) for drift in check.drifts]
    return [*tables, Bullets(tuple((sentence,) for sentence in check_sentences(check)))]


def _windows(drift: Drift) -> Table:
    columns = (
        *(Column("Window"), Column("This window", "share"), Column("n", "count")),
        *(Column("All so far, from", "percent"), Column("to", "percent"), Column("Evidence", "number")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            window.name,
            Quantity(window.share, "share") if window.share.n else None,
            *(window.share.n, window.low, window.high, _stated(window.evidence)),
        )
        for window in drift.windows
    )
    note = f"The alarm is raised once the evidence reaches {1 / drift.alpha:.0f}; it holds however often one looks."
    return Table(f"Since it was switched on: {drift.quantity}", columns, rows, (note,))


def _stated(value: float) -> float | None:
    return value if math.isfinite(value) else None
