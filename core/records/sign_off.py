"""The two steps of signing a report: its author submits it, and somebody else approves or returns it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Step = Literal["submitted", "returned", "approved"]
State = Literal["draft", "submitted", "returned", "approved", "superseded"]


Basis = Mapping[str, str]
"""The hash of each thing that a report is based on, by its name: "run v1", "labels of v1 on correctness"."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature on a report version: the hash of the report, and of all that it is based on.

    `condition` is the reviewer's statement on their own part in the evidence; "" if they had none."""

    step: Step
    author: str
    comment: str
    condition: str
    report_hash: str
    basis: Basis
    at: datetime


@dataclass(frozen=True, slots=True)
class SignOff:
    """The signatures on one version of a report, oldest first, and the changes since of what it is based on."""

    version: int
    report_hash: str
    signatures: tuple[Signature, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """ "draft" before the first signature; an approved report is "superseded" once its basis has changed."""
        if not self.signatures:
            return "draft"
        step = self.signatures[-1].step
        return "superseded" if step == "approved" and self.changed else step

    @property
    def round(self) -> tuple[Signature, ...]:
        """The last submission, and the reviewer's decision on it."""
        begins = [place for place, each in enumerate(self.signatures) if each.step == "submitted"]
        return self.signatures[begins[-1] :] if begins else ()

    @property
    def submitted(self) -> Signature | None:
        """The last submission; None before there is one."""
        return next(iter(self.round), None)


def basis_changes(signed: Basis, now: Basis) -> tuple[str, ...]:
    """The parts of the basis that changed, disappeared or are new, in the order of the basis."""
    changed = [f"{what}: changed" for what in signed if what in now and signed[what] != now[what]]
    gone = [f"{what}: gone" for what in signed if what not in now]
    return (*changed, *gone, *(f"{what}: new" for what in now if what not in signed))


def is_same_person(first: str, second: str) -> bool:
    """Whether two names are one person's, ignoring case, blanks and ways to write a letter."""
    return _folded(first) == _folded(second)


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
