"""Policies: what they promise and on what it rests, what they did to the answers, and whether they keep the promise."""

from __future__ import annotations

import math

from hcat.core.display.messages import lower_first, say
from hcat.core.estimates.policy.check import PolicyCheck
from hcat.core.estimates.policy.drift import Drift
from hcat.core.estimates.policy.policy import ACTIONS, Policy, Rule
from hcat.core.report.evidence.policy_records import PolicyEvidence
from hcat.core.report.evidence.records import Evidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Heading, KeyValues, Paragraph, Quantity, Section, Table, Value
from hcat.core.wording.policy.drift import check_sentences
from hcat.core.wording.policy.policies import (
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
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.policies:
        blocks += _of_policy(item)
    return Section("policy", say("Policy"), tuple(blocks))


def _of_policy(item: PolicyEvidence) -> list[Block]:
    policy = item.policy
    version = "" if item.version is None else say(", version {item.version}", item=item)
    blocks: list[Block] = [
        Heading(say("Policy on {criteria}{version}", criteria=say(" and ").join(policy.criteria), version=version)),
        Paragraph((policy_sentence(policy),)),
        _facts(policy),
        _rules(policy),
        Bullets(tuple((rule_sentence(rule, policy),) for rule in policy.rules)),
        _forecast(policy),
    ]
    if policy.forecast.slices:
        blocks.append(_slices(policy))
    if item.decided:
        blocks.append(_decided(item))
    if item.check is not None:
        return [*blocks, *_drift(item.check)]
    return [*blocks, Paragraph((say(OF_A_FILE) if item.version is None else say(NO_WINDOW),))]


def _facts(policy: Policy) -> KeyValues:
    on = policy.switched_on
    facts = [
        (say("Error let through, at most (ε)"), Quantity(policy.promise.error, "percent")),
        (say("Confidence (1 − δ)"), Quantity(policy.promise.confidence, "percent")),
        (
            say("Thresholds"),
            Quantity(say("one for all answers") if policy.by is None else say("by {policy.by}", policy=policy), "text"),
        ),
        (say("Metrics"), Quantity(", ".join(policy.metrics), "text")),
        (say("Answers that fail"), Quantity(_failing(policy), "text")),
    ]
    if on is not None:
        day = "" if on.at is None else say(" on {on.at:%-d %B %Y, %H:%M} UTC", on=on)
        because = say(", because: “{on.reason}”", on=on) if on.reason else ""
        facts.append(
            (say("Switched on"), Quantity(say("by {on.author}{day}{because}", on=on, day=day, because=because), "text"))
        )
    facts.append((say("Hash"), Quantity(policy.hash[:16], "code")))
    return KeyValues(tuple(facts))


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


def _rules(policy: Policy) -> Table:
    columns = (
        *(column("Answers"), column("Accept from", "number"), column("Fail below", "number")),
        *(column("Labels not in the map", "count"), column("Accepted of these", "count")),
        *(column("Failures", "percent"), column("p", "p-value"), column("Promise", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(
                rule.level or say("all"),
                rule.accept_from,
                rule.fail_below,
                rule.certificate.n,
                rule.certificate.accepted,
            ),
            *(
                _stated(rule.certificate.failure_rate),
                rule.certificate.p_value,
                _verdict(rule),
            ),
        )
        for rule in policy.rules
    )
    return Table(say("Thresholds on the probability of a pass"), columns, rows)


def _verdict(rule: Rule) -> str:
    if rule.shown:
        return "shown"
    return "not shown" if rule.certificate.promisable else "can't be promised"


def _forecast(policy: Policy) -> KeyValues:
    forecast = policy.forecast
    facts = [
        (say("Accepted"), Quantity(forecast.shares["accept"], "share")),
        (say("Regenerated at first"), Quantity(forecast.shares["regenerate"], "share")),
        (say("Load on people"), Quantity(load_text(forecast, policy.costs), "text")),
        (say("Error let through"), Quantity(error_text(policy), "text")),
    ]
    if cost := cost_text(forecast, policy):
        facts.append((say("Cost"), Quantity(cost, "text")))
    if forecast.right_refusals:
        refused = say(
            "{forecast.right_refusals:,}, accepted by their test cases; no promise is made of them", forecast=forecast
        )
        facts.append((say("Right refusals"), Quantity(refused, "text")))
    return KeyValues(tuple(facts))


def _slices(policy: Policy) -> Table:
    columns = (
        *(column("Slice"), column("Answers", "count"), column("Accepted", "share"), column("To people", "share")),
        *(column("Failures among accepted labels", "share"), column("Labels", "count")),
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
    note = say("The promise is about all accepted answers together, unless thresholds are by the dimension.")
    return Table(say("Expected by slice"), columns, rows, (note,))


def _decided(item: PolicyEvidence) -> Table:
    columns = (column("Run"), column("Answers", "count"), *(column(ACTION_TITLES[name], "count") for name in ACTIONS))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (run, sum(counts.values()), *(counts[name] for name in ACTIONS)) for run, counts in item.decided.items()
    )
    return Table(say("Decisions"), columns, rows)


def _drift(check: PolicyCheck) -> list[Block]:
    tables: list[Block] = [_windows(drift) for drift in check.drifts]
    return [*tables, Bullets(tuple((sentence,) for sentence in check_sentences(check)))]


def _windows(drift: Drift) -> Table:
    columns = (
        *(column("Window"), column("This window", "share"), column("n", "count")),
        *(column("All so far, from", "percent"), column("to", "percent"), column("Evidence", "number")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            window.name,
            Quantity(window.share, "share") if window.share.n else None,
            *(window.share.n, window.low, window.high, _stated(window.evidence)),
        )
        for window in drift.windows
    )
    note = say(
        "The alarm is raised once the evidence reaches {evidence:.0f}; it holds however often one looks.",
        evidence=1 / drift.alpha,
    )
    return Table(say("Since it was switched on: {quantity}", quantity=say(drift.quantity)), columns, rows, (note,))


def _stated(value: float) -> float | None:
    return value if math.isfinite(value) else None
