"""Coverage of a corpus by a test set. These are counts, not estimates: none has an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from hcat.core.capabilities.coverage.coverage import DOCUMENT, Coverage, CoverageStatus, LevelCoverage
from hcat.core.capabilities.coverage.wording import FACTS, coverage_sentences, least_tested_first
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_count
from hcat.core.view.telling import column
from hcat.core.view.tree import Bullets, Column, KeyValues, Paragraph, Quantity, Table, Value
from hcat.core.view.view import View

LEFT_OUT = "The first {most_rows} of {n:,} rows; the page Coverage has all of them."
WITHOUT_A_CASE: tuple[CoverageStatus, ...] = ("not tested", "untestable")


def coverage_view(found: Coverage, *, most_rows: int | None = None) -> View:
    """Coverage as counts and in words, and tables of passages by status, topics, documents, and declared and realised
    cases. `most_rows` of each table, all by default."""
    levels = [_levels(title, of, most_rows) for title, of in (("Topic", found.topics), ("Document", found.documents))
              if of]  # fmt: skip
    said = Bullets(tuple((sentence,) for sentence in coverage_sentences(found)))
    tables = (_statuses(found, most_rows), *levels, _distributions(found, most_rows))
    return View((_counts(found), said, Paragraph((say(FACTS),)), *tables))


def passages_view(found: Coverage, statuses: Collection[CoverageStatus], *, most_rows: int | None = None) -> View:
    """The passages that have one of these statuses, with the reason where one can't be tested."""
    columns = (
        *(column("Passage"), column("Document"), column("Topic"), column("Status"), column("Cases", "count")),
        column("Reason"),
    )
    rows = [
        (each.id, each.document, each.topic or None, say(each.status), each.cases, say(each.reason) or None)
        for each in found.passages
        if each.status in statuses
    ]
    title = say("Passages with a test case") if "tested" in statuses else say("Passages without a test case")
    return View((_table(title, columns, rows, most_rows),))


def _counts(found: Coverage) -> KeyValues:
    tested, testable = found.count("tested"), len(found.passages) - found.count("untestable")
    items = [
        (say("Passages tested"), _of(tested, len(found.passages))),
        (say("Share of the testable"), Quantity(tested / testable if testable else None, "percent")),
    ]
    for title, levels in ((say("Topics tested"), found.topics), (say("Documents tested"), found.documents)):
        if levels:
            items.append((title, _of(sum(level.status == "tested" for level in levels), len(levels))))
    return KeyValues(tuple(items))


def _of(tested: int, n: int) -> Quantity:
    return Quantity(say("{tested} of {n}", tested=format_count(tested), n=format_count(n)), "text")


def _statuses(found: Coverage, most_rows: int | None) -> Table:
    """The number of passages by status, of those that can't be tested by reason."""
    columns = (column("Passages"), column("Number", "count"), column("Share", "percent"), column("Reason"))
    counts = Counter((passage.status, passage.reason) for passage in found.passages)
    order = {"tested": 0, "not tested": 1, "untestable": 2}
    rows = [
        (say(status), n, n / len(found.passages), say(reason) or None)
        for (status, reason), n in sorted(counts.items(), key=lambda row: (order[row[0][0]], -row[1], row[0][1]))
    ]
    return _table(say("Passages by status"), columns, rows, most_rows)


def _levels(title: str, levels: Sequence[LevelCoverage], most_rows: int | None) -> Table:
    columns = (
        *(column(title), column("Passages", "count"), column("Tested", "count"), column("Share tested", "percent")),
        *(column("Untestable", "count"), column("Cases", "count"), column("Status")),
    )
    rows = [
        (row.level, row.passages, row.tested, row.tested / row.passages, row.untestable, row.cases, say(row.status))
        for row in least_tested_first(levels)
    ]
    return _table(say(f"{title}s, the least tested first"), columns, rows, most_rows)


def _distributions(found: Coverage, most_rows: int | None) -> Table:
    """Declared and realised cases by level. Documents only where they were declared: the table of documents has the
    number of cases of each."""
    columns = (
        *(column("Dimension"), column("Level"), column("Declared", "number"), column("Realised", "count")),
        column("Difference", "difference"),
    )
    rows = [
        (
            *(row.dimension, row.level, row.declared, row.realised),
            None if row.declared is None else row.realised - row.declared,
        )
        for row in found.distributions
        if row.declared is not None or row.dimension != DOCUMENT
    ]
    note = say("Cases by dimension: what the design and the shares of types declared, and how many there are.")
    return _table(say("Declared and realised cases"), columns, rows, most_rows, note)


def _table(
    title: str, columns: Sequence[Column], rows: Sequence[tuple[Value, ...]], most_rows: int | None, note: str = ""
) -> Table:
    shown, notes = rows[:most_rows], [note] if note else []
    if len(shown) < len(rows):
        notes.append(say(LEFT_OUT, most_rows=most_rows, n=len(rows)))
    return Table(title, tuple(columns), tuple(shown), (" ".join(notes),) if notes else ())
