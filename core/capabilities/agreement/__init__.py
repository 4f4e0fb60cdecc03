"""Agreement of annotators beyond chance."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "agreement",
    page=Page("Agreement", ":material/group:", "Judge"),
    commands={"agreement": "command:agreement"},
    chapters=("chapter:CHAPTER",),
    actions={
        "gold.add": "prepare",
        "annotator.unblind": "decide",
        "disagreement.adjudicate": "decide",
        "disagreement.reveal": "decide",
    },
)
