"""Language models that judge answers by a written rubric: prompts, strict parsing of replies, and agreement with
people."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "judges",
    page=Page("Judges", ":material/gavel:", "Judge"),
    commands={"judge": "commands.group:app"},
    chapters=("chapter:CHAPTER",),
    terms={"Fairness, attacks, judges and policies": "terms:TERMS"},
    actions={"rubric.save": "prepare", "judge.run": "prepare", "judge.distil": "prepare", "judge.pairs": "prepare"},
)
