"""A planted fault: questions, and the changes of some of the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hcat.core.capabilities.demo.reference_rag import HandbookPassage, RagAnswer
from hcat.core.types import Sample


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A fault built into the demo's system.

    `cases` are the questions that probe it, as samples without answers; `probe_cases` makes them. `passages` are added
    to the corpus that the system answers from. `spoil` returns the changed answer to a case, or None if the fault does
    not apply. `found_by` names the metric or the command that finds it."""

    name: str
    found_by: str
    cases: tuple[Sample, ...]
    spoil: Callable[[Sample, RagAnswer], RagAnswer | None]
    passages: tuple[HandbookPassage, ...] = ()


def probe_cases(fault: str, *queries: str) -> tuple[Sample, ...]:
    """The questions as samples without answers, in the dimension `probe` under the fault's name."""
    name = fault.replace(" ", "-")
    return tuple(
        Sample(f"probe-{name}-{number:02}", query, None, dimensions={"probe": fault})
        for number, query in enumerate(queries, start=1)
    )
