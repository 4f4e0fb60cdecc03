"""Rates of successful attacks in excess of their controls, corrected for the errors of the detector."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "attacks",
    page=Page("Attacks", ":material/bug_report:", "Explore"),
    commands={"attack": "commands.making:attack", "attack-rates": "commands.rates:attack_rates"},
    chapters=("chapter:CHAPTER",),
    terms={"Fairness, attacks, judges and policies": "terms:TERMS"},
)
