"""Result of one check of the installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["fine", "look", "broken"]
"""In order; to be looked at by somebody; hcat can't work as it should."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, what was found, and what to do where it is not in order."""

    name: str
    state: State
    found: str
    to_do: str = ""

    @classmethod
    def broken_by(cls, name: str, error: Exception, to_do: str = "") -> Check:
        """A check that ended in an error; those of hcat say themselves what to do."""
        return cls(name, "broken", str(error), to_do)
