"""A chapter of the report, declared by the capability that it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.view.tree import Section

if TYPE_CHECKING:
    from hcat.core.capabilities.report.evidence.records import Evidence


def _nothing(_: Evidence) -> Section | None:
    return None


def _always(_: Evidence) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter by its name in templates. It comes `after` another one in a report without a template.

    `section` gives None where there is nothing to say. `evidenced` distinguishes a chapter with results from one that
    reports their absence.
    """

    name: str
    title: str
    section: Callable[[Evidence], Section | None] = _nothing
    evidenced: Callable[[Evidence], object] = _always
    after: str = ""
