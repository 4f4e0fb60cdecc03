"""The facts on the cover of a report, by the names that people read."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.messages import say
from hcat.core.view.signed import SIGN_OFF

OWN = (
    *("Project", "Runs", "Questions", "Samples", "Prepared", "Software", "Version", "Author"),
    *("Chapters left out", SIGN_OFF),
)
"""The names of hcat's own facts; all others are those of a template."""


def own_facts(facts: Mapping[str, str]) -> dict[str, str]:
    """The facts with hcat's own names in the edition's language, and those of a template as they are."""
    return {say(name) if name in OWN else name: text for name, text in facts.items()}
