"""Effect of a change of the question on the answer: variants compared with their origins, paired. Arrays in, values
out."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "robustness",
    page=Page("Robustness", ":material/shield:", "Explore"),
    commands={"perturb": "commands.perturbing:perturb", "robustness": "commands.robustness:robustness"},
    chapters=("chapter:CHAPTER",),
)
