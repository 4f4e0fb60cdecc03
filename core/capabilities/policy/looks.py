"""The multiplicity that a promise is adjusted for: looks at labels, and maps and promises tried on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from hcat.core.capabilities.policy.promise import Promise
from hcat.core.errors import HcatError
from hcat.core.types import Verdict

Basis = Literal["assumed", "declared", "planned", "counted"]
FIRST = 0.8
"""The share of δ of a plan's one look at one map, or without a plan of the first try. All others share the rest."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The `share` of δ at which a policy was tested, and the reason.

    "planned": the one look at one map that a plan registered before the labels. "counted": the try of number `tries` in
    its project, with `beside_plan` in addition to a plan, at any number of labels. "declared" and "assumed": so many
    `looks` (None: any number) at so many `tries`, as stated, or one of what was not stated (`unstated`)."""

    share: float = 1.0
    basis: Basis = "assumed"
    looks: int | None = 1
    tries: int = 1
    beside_plan: bool = False
    unstated: tuple[str, ...] = ("looks", "tries")

    @property
    def watched(self) -> bool:
        """Whether labels may be tested at any time, so that the test has to be valid at all times at once."""
        return self.looks is None

    def tested(self, promise: Promise, rules: int) -> Promise:
        """The promise with the δ at which each of so many rules is tested."""
        return promise.at_share(self.share / max(rules, 1))

    @classmethod
    def declared(cls, looks: int | None, tries: int | None) -> Self:
        """The looks and tries declared beforehand (0 looks: any number); None if they are not declared.

        Each of them has the same share of δ (Bonferroni); for any number of looks, a betting test is used."""
        if (looks is not None and looks < 0) or (tries is not None and tries < 1):
            raise HcatError("declare a number of looks, or 0 for any number, and at least one try")
        unstated = tuple(name for name, value in (("looks", looks), ("tries", tries)) if value is None)
        often, many = 1 if looks is None else looks, tries or 1
        share = 1 / (many * max(often, 1))
        return cls(share, "assumed" if unstated else "declared", often or None, many, unstated=unstated)

    @classmethod
    def planned(cls) -> Self:
        """The look at the labels of a plan, at its map."""
        return cls(FIRST, "planned", unstated=())

    @classmethod
    def counted(cls, number: int, *, beside_plan: bool) -> Self:
        """The try of this number, from 1.

        Tries after the first, or in addition to the plan, have the shares 1 / (k (k + 1)) of the remaining δ. These sum
        to at most 1 for any number of tries."""
        later = number if beside_plan else number - 1
        share = (1 - FIRST) / (later * (later + 1)) if later else FIRST
        return cls(share, "counted", None, number, beside_plan, unstated=())


UNDECLARED = Looks()
"""One look at one try, both undeclared."""

POLICY_EVER_SHOWN = Verdict(
    name="policy promise, ever shown",
    words=("shown",),
    claim="Of accepted answers like those that were labelled, no more than the share ε fail.",
    error=0.1,
    family="all looks at the labels of a run and all maps and promises tried on them, as a project counts them",
    decides="hcat.core.capabilities.policy.looks:Looks.counted",
    carried_by="hcat.core.capabilities.policy.policy:Policy.shown",
)
