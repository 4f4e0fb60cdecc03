"""What was asked of a generation, what it made, and what was dropped on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.records.codec import JSON
from hcat.core.testgen.allocation import Levels
from hcat.core.testgen.selection import Dropped
from hcat.core.testgen.test_case import TestCase
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class TypeCount:
    """How many cases of a query type were asked for and made; `candidates` were written, `dropped` not accepted."""

    type: str
    asked: int
    made: int
    candidates: int
    dropped: int


@dataclass(frozen=True, slots=True)
class StratumCount:
    """How many cases of a stratum the design asked for, and how many were made: more where it took the place of others.
    `passages` were tried; `why` says what it lacks, if any."""

    levels: Levels
    asked: int
    made: int
    passages: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated test set: its cases in random order, and the account of how they came to be.

    `asked` is how many were wanted. `candidates` were examined; each became a case, was `dropped`, or was `spare`: as
    good, and not needed. `unwritten` counts, by reason, what the source failed to write. `untestable` says by passage
    why it can't be tested: `left_out` of them are not in the design, of the others no candidate was accepted.
    """

    cases: tuple[TestCase, ...]
    asked: int
    candidates: int
    spare: int
    dropped: tuple[Dropped, ...]
    unwritten: Mapping[str, int]
    types: tuple[TypeCount, ...]
    strata: tuple[StratumCount, ...]
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    untestable: Mapping[str, str] = field(default_factory=dict)
    left_out: int = 0

    def document(self) -> dict[str, JsonValue]:
        """What was asked, made and dropped, and why, as JSON."""
        return {
            "asked": self.asked,
            "made": len(self.cases),
            "candidates": self.candidates,
            "spare": self.spare,
            "dropped": {**self.reasons},
            "types": [JSON.write_object(count) for count in self.types],
            "strata": [JSON.write_object(count) for count in self.strata],
            "untestable": {**self.untestable},
            "left_out": self.left_out,
        }

    @property
    def reasons(self) -> dict[str, int]:
        """Reason → candidates dropped for it, and asks that gave none, the most frequent first."""
        return dict((Counter(dropped.reason for dropped in self.dropped) + Counter(self.unwritten)).most_common())
