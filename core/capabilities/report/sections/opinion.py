"""The opinion of whoever signs the report."""

from __future__ import annotations

from typing import Literal

from hcat.core.display.messages import say
from hcat.core.records.report import Opinion, Rating
from hcat.core.view.tree import Block, Bullets, Callout, Heading, Paragraph

TONES: dict[Rating, Literal["good", "info", "warning", "bad"]] = {
    "fit for the stated purpose": "good",
    "fit with conditions": "warning",
    "not fit": "bad",
    "no opinion": "info",
}
BY_A_PERSON = "This opinion was written by the person named here. Nothing in it was derived from numbers by software."
NONE = "Nobody has stated an opinion on the fitness of this system. The chapters below report evidence only."


def opinion_blocks(opinion: Opinion | None) -> list[Block]:
    """Blocks of the first page: the rating with its reasons, conditions and limitations, and the signature."""
    if opinion is None:
        return [Callout("info", say("No opinion is stated"), (say(NONE),))]
    when = "" if opinion.at is None else say(", {opinion.at:%-d %B %Y}", opinion=opinion)
    blocks: list[Block] = [
        Callout(
            TONES[opinion.rating],
            say("Opinion: {rating}", rating=say(opinion.rating)),
            (f"{opinion.author}{when}. {say(BY_A_PERSON)}",),
        )
    ]
    blocks += [Paragraph((text,)) for text in opinion.reasons.split("\n") if text.strip()]
    if opinion.conditions:
        blocks += [Heading(say("Conditions")), Bullets(tuple((condition,) for condition in opinion.conditions))]
    if opinion.limitations:
        blocks += [Heading(say("Limitations of this opinion")), Paragraph((opinion.limitations,))]
    return blocks
