"""What the comparison of groups comes to: gaps by outcome, and the pairs that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hcat.core.errors import HcatError
from hcat.core.estimates.fairness.gap import Gap
from hcat.core.records.fairness import ALL_OUTCOMES, FairnessSettings
from hcat.core.testgen.variants.counterfactual.pairing import GroupPair
from hcat.core.types import Direction


@dataclass(frozen=True, slots=True)
class OutcomeGaps:
    """The gaps on one outcome, by attribute and group; `margin` is None where none was set for it."""

    outcome: str
    direction: Direction
    margin: float | None
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Comparable:
    """What the groups of a run can be compared on: the groups of each attribute, the usual reference first, and the
    outcomes that it has values of. `own` are dimensions that could hold groups, `questions` those that groups can be
    matched on, of which `usual` are matched on where nobody chose others."""

    groups: Mapping[str, tuple[str, ...]]
    outcomes: tuple[str, ...]
    own: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()

    def limit(self, settings: FairnessSettings) -> FairnessSettings:
        """Settings that were made for all runs of a project, without the groups and outcomes that this one lacks."""
        references = {name: group for name, group in settings.references.items() if group in self.groups.get(name, ())}
        outcomes = tuple(name for name in settings.outcomes if name == ALL_OUTCOMES or name in self.outcomes)
        by = tuple(name for name in settings.by if name in self.own)
        match = None if settings.match is None else tuple(name for name in settings.match if name in self.questions)
        return replace(settings, references=references, outcomes=outcomes, by=by, match=match)


@dataclass(frozen=True, slots=True)
class ComparedGroups:
    """A pair with its values by outcome: of the group, and of its reference."""

    pair: GroupPair
    values: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Fairness:
    """The groups of a run compared. `matched_on` names the dimensions within which groups that were asked different
    questions were compared; it is None where each question was asked for both. `tested` counts the comparisons that the
    p-values were adjusted over."""

    run: str
    settings: FairnessSettings
    outcomes: tuple[OutcomeGaps, ...]
    pairs: tuple[ComparedGroups, ...]
    tested: int
    minimum_n: int
    matched_on: tuple[str, ...] | None = None

    def outcome(self, name: str) -> OutcomeGaps:
        """The gaps on one outcome, or HcatError naming those that there are."""
        for each in self.outcomes:
            if each.outcome == name:
                return each
        raise HcatError(f"no outcome {name!r} to compare groups by; there are: {', '.join(self.names) or 'none'}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.outcome for each in self.outcomes)
