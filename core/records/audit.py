"""A row of the audit log, and the chain of hashes of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from urllib.parse import quote, unquote

from hcat.core.records.hashing import sha256_of_json

FIRST = "0" * 64
"""The previous hash in the first row."""
GONE = "-"
"""The digest of a row that a write deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One write: who, in which role, did what, when, to which rows.

    `subject` names the changed rows by table and key ("claim 3, label 7-9"). `before` and `after` are digests of these
    rows, empty if there were none; `digests` has one of each row after the write, in the order of `subject`, and "-"
    for a deleted row; it is empty in rows from before it was recorded. Texts are never stored. `project` is the
    project's name at that time."""

    sequence: int
    at: datetime
    actor: str
    role: str = ""
    action: str
    project: str = ""
    subject: str = ""
    before: str = ""
    after: str = ""
    digests: str = ""
    previous: str = FIRST
    hash: str = ""

    def own_hash(self) -> str:
        """SHA-256 of all parts but `hash`, as JSON in ASCII with sorted keys, the time in UTC; no empty `digests`."""
        parts = asdict(self) | {"at": self.at.astimezone(UTC).isoformat()}
        del parts["hash"]
        if not self.digests:
            del parts["digests"]
        return sha256_of_json(parts)


@dataclass(frozen=True, slots=True)
class ChainFault:
    """The first row at which the log is not what was written, and why."""

    sequence: int
    reason: str


def first_fault(entries: Iterable[AuditEntry]) -> ChainFault | None:
    """The first row that was changed, dropped, moved or inserted; None if the chain is intact.

    `entries` are all rows, lowest sequence first. If the end was cut off, the chain is still intact: only a checkpoint
    that was stored elsewhere shows it."""
    expected, previous = 1, FIRST
    for entry in entries:
        if entry.sequence != expected:
            return ChainFault(expected, _misplaced(entry.sequence, expected))
        if entry.own_hash() != entry.hash:
            return ChainFault(entry.sequence, f"row {entry.sequence} was changed: its content does not give its hash")
        if entry.previous != previous:
            return ChainFault(
                entry.sequence,
                f"row {entry.sequence} does not follow row {entry.sequence - 1}: one of them was replaced or moved",
            )
        expected, previous = expected + 1, entry.hash
    return None


def _misplaced(sequence: int, expected: int) -> str:
    if sequence < expected:
        return f"row {expected} is missing: row {sequence} stands there again, or is out of order"
    gone = f"row {expected} is" if sequence == expected + 1 else f"rows {expected} to {sequence - 1} are"
    return f"{gone} missing"


def named_rows(keys: Sequence[tuple[str, object]]) -> str:
    """Rows by table and key, whole numbers in ranges: "claim 3, label 7-9"."""
    by_table: dict[str, list[object]] = {}
    for table, key in keys:
        by_table.setdefault(table, []).append(key)
    return ", ".join(f"{table} {part}" for table in sorted(by_table) for part in _ranges(by_table[table]))


def rows_of(subject: str) -> Iterable[tuple[str, str]]:
    """The table and key, as text, of each row in a result of `named_rows`."""
    for part in subject.split(", ") if subject else ():
        table, _, keys = part.partition(" ")
        first, dash, last = keys.partition("-")
        if dash and first.isdigit() and last.isdigit():
            yield from ((table, str(key)) for key in range(int(first), int(last) + 1))
        else:
            yield table, unquote(keys)


def digests_of(subject: str, of_row: Mapping[tuple[str, str], str]) -> str:
    """The digests of the rows in the subject, in their order; "-" if there is none."""
    return " ".join(of_row.get(place, GONE) for place in rows_of(subject))


def _ranges(keys: Sequence[object]) -> Iterable[str]:
    yield from (quote(str(key), safe="@ /:").replace("-", "%2D") for key in keys if not isinstance(key, int))
    numbers = sorted({key for key in keys if isinstance(key, int)})
    start = 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            first, last = numbers[start], numbers[index - 1]
            yield str(first) if first == last else f"{first}-{last}"
            start = index
