"""Results of the comparison of groups: gaps by outcome, and their pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hcat.core.capabilities.fairness.counterfactual.pairing import GroupPair
from hcat.core.capabilities.fairness.gap import Gap
from hcat.core.errors import HcatError
from hcat.core.records.fairness import ALL_OUTCOMES, FairnessSettings
from hcat.core.types import Direction


@dataclass(frozen=True, slots=True)
class OutcomeGaps:
    """The gaps on one outcome, by attribute and group; `margin` is None if none was set for it."""

    outcome: str
    direction: Direction
    margin: float | None
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Comparable:
    """The groups, outcomes and dimensions by which groups of a run can be compared. The usual reference is the first
    group of an attribute.

    `own` are dimensions that could contain groups, `questions` those on which groups can be matched; `usual` of them
    are the default."""

    groups: Mapping[str, tuple[str, ...]]
    outcomes: tuple[str, ...]
    own: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()

    def limit(self, settings: FairnessSettings) -> FairnessSettings:
        """The settings of a project without the groups and outcomes that this run lacks."""
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
    """The compared groups of a run. `matched_on` names the dimensions within which groups with different questions were
    compared; None if each question was asked for both. `tested` is the number of comparisons over which p-values were
    adjusted."""

    run: str
    settings: FairnessSettings
    outcomes: tuple[OutcomeGaps, ...]
    pairs: tuple[ComparedGroups, ...]
    tested: int
    minimum_n: int
    matched_on: tuple[str, ...] | None = None

    def outcome(self, name: str) -> OutcomeGaps:
        """The gaps on one outcome. Raises HcatError with the available ones if there is none."""
        for each in self.outcomes:
            if each.outcome == name:
                return each
        raise HcatError(f"no outcome {name!r} to compare groups by; there are: {', '.join(self.names) or 'none'}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.outcome for each in self.outcomes)
