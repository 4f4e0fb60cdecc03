"""Changes from one version of a test set to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from hcat.core.records.test_case import TestCase


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case with the same id in both versions but different contents. `fields` are the names of the fields that
    differ."""

    before: TestCase
    after: TestCase
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestSetChanges:
    """Cases that were added, removed or changed in the later version, and the number of unchanged ones."""

    __test__ = False

    added: tuple[TestCase, ...]
    gone: tuple[TestCase, ...]
    changed: tuple[ChangedCase, ...]
    unchanged: int

    @property
    def any(self) -> bool:
        """Whether the versions differ."""
        return bool(self.added or self.gone or self.changed)


def compare_cases(before: Sequence[TestCase], after: Sequence[TestCase]) -> TestSetChanges:
    """The changes from one list of cases to another, by id."""
    earlier, later = {case.id: case for case in before}, {case.id: case for case in after}
    both = [(earlier[case.id], case) for case in after if case.id in earlier]
    changed = tuple(ChangedCase(old, new, _differing(old, new)) for old, new in both if old != new)
    return TestSetChanges(
        added=tuple(case for case in after if case.id not in earlier),
        gone=tuple(case for case in before if case.id not in later),
        changed=changed,
        unchanged=len(both) - len(changed),
    )


def _differing(old: TestCase, new: TestCase) -> tuple[str, ...]:
    return tuple(field.name for field in fields(TestCase) if getattr(old, field.name) != getattr(new, field.name))
