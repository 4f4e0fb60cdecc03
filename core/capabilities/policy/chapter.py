"""Policies: their promises and the basis of these, their decisions on the answers, and whether they keep the
promise."""

from __future__ import annotations

from hcat.core.capabilities.policy.view import decisions_view, drift_view, policy_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.policy_records import PolicyEvidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Heading, Paragraph, Section

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
    title = say("Policy on {criteria}{version}", criteria=say(" and ").join(policy.criteria), version=version)
    blocks: list[Block] = [Heading(title), *policy_view(policy).blocks]
    for run, decisions in item.decided.items():
        blocks += decisions_view(decisions, title=say("Decisions on run {run}", run=run)).blocks
    if item.check is not None:
        return [*blocks, *drift_view(item.check).blocks]
    return [*blocks, Paragraph((say(OF_A_FILE) if item.version is None else say(NO_WINDOW),))]


CHAPTER = Chapter("policy", "Policy", policy_section, after="risks")
