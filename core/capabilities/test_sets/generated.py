"""The result of a generation: requested, made and dropped cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.capabilities.test_sets.allocation import Levels
from hcat.core.capabilities.test_sets.selection import Dropped
from hcat.core.records.codec import JSON
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class TypeCount:
    """Numbers of requested and made cases of a query type, of `candidates`, and of `dropped` ones."""

    type: str
    asked: int
    made: int
    candidates: int
    dropped: int


@dataclass(frozen=True, slots=True)
class StratumCount:
    """Numbers of cases of a stratum that the design requested and that were made; more were made if it replaced others.
    `passages` is the number tried; `why` is the reason for a shortfall, if any."""

    levels: Levels
    asked: int
    made: int
    passages: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated test set: its cases in random order, and the record of its generation.

    `asked` is the number requested. `candidates` were examined; each became a case, was `dropped`, or was `spare`:
    valid but not needed. `unwritten` counts, by reason, failures of the source. `untestable` gives the reason by
    passage: `left_out` of them are not in the design; from the others no candidate was accepted."""

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
        """Requested, made and dropped cases, with reasons, as JSON."""
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
        """Reason → number of candidates dropped for it and of requests without result, the most frequent first."""
        return dict((Counter(dropped.reason for dropped in self.dropped) + Counter(self.unwritten)).most_common())
