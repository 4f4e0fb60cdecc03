"""From prediction sets to decisions: accepted answers, answers for people, and a bound on the error that gets
through."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "policy",
    page=Page("Policy", ":material/rule:", "Act"),
    commands={"policy": "commands.app:app"},
    chapters=("chapter:CHAPTER",),
    terms={"Fairness, attacks, judges and policies": "terms:TERMS"},
    actions={"policy.look": "anybody", "policy.switch_on": "prepare"},
)
