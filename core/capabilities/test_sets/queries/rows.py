"""Queries of table rows: an organisation's revenue, assets or cash flows in a year."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.facts.tables import Cell, TableFact
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import as_sentence

_EXPENSES = re.compile(
    r"^(?:research and development|sales and marketing|general and administrative|technology and development|"
    r"selling, general,? and administrative|operating, selling, general,? and administrative)$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:\s(?:of|for|from|to|in|on|by|attributable|before|after|due|held|used|provided|paid|payable|receivable|under"
    r"|net of)\b.*|,\s(?:net|less)\b.*)$"
)


def row_drafts(fact: KeyFact, index: CorpusIndex) -> Iterator[Draft]:
    """A query for each year of a row whose value is the same in every passage that states it."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None:
        return
    for cell in row.cells:
        if not is_consistent(index, organisation, row, cell):
            continue
        noun, plural = item_of(row, organisation)
        when = period_of(fact, row, cell)
        verb = "were" if plural else "was"
        reference = as_sentence(f"{noun} {verb} {amount_of(row, cell)} {when}")
        yield Draft(
            "simple factual",
            "table row",
            row_wordings(noun, verb, when),
            reference,
            amount_of(row, cell),
            (fact,),
            metadata={"organisation": organisation, "item": row.label, "period": cell.period},
        )


def row_wordings(noun: str, verb: str, when: str) -> dict[str, str]:
    """The query for a value in each style."""
    asked, told = f"what {verb} {noun} {when}", f"what {noun} {verb} {when}"
    return dict(wordings(asked, told, f"{noun} {when}"))


def is_consistent(index: CorpusIndex, organisation: str, row: TableFact, cell: Cell) -> bool:
    """Whether every passage that states the item for the year gives this value."""
    stated = index.rows.get((organisation, row.label.lower(), cell.period), ())
    values = {other.value for one in stated for other in one.row.cells if other.period == cell.period}
    return len(values) == 1


def item_of(row: TableFact, organisation: str) -> tuple[str, bool]:
    """The item as a phrase with its organisation, and whether it takes a plural verb."""
    label = _in_sentence(row.label)
    if _EXPENSES.match(label):
        label = f"{label} expense"
    if label.endswith(", net"):
        label = f"net {label.removesuffix(', net')}"
    head = _TAIL.sub("", label)
    joined = " and " in head and not head.endswith(("expense", "income", "compensation", "amortization"))
    plural = (head.endswith("s") and not head.endswith("ss")) or joined
    if organisation.lower() in label.lower():
        return label, plural
    return f"{organisation}{'’' if organisation.endswith('s') else '’s'} {label}".replace("’", "'"), plural


def period_of(fact: KeyFact, row: TableFact, cell: Cell) -> str:
    """ "in fiscal 2019", "in 2019" or "at the end of 2019"."""
    fiscal = "fiscal " if re.search(r"fiscal", fact.passage.text, re.IGNORECASE) else ""
    return f"at the end of {fiscal}{cell.period}" if row.period_kind == "at the end of" else f"in {fiscal}{cell.period}"


def amount_of(row: TableFact, cell: Cell) -> str:
    """The value with its currency and scale."""
    return f"{row.currency}{cell.text} {row.scale}"


def difference(row: TableFact, higher: Cell, lower: Cell) -> str:
    """The difference of two values of the same scale, as an amount of the row."""
    decimals = max(len(cell.text.partition(".")[2]) for cell in (higher, lower))
    return f"{row.currency}{abs(higher.value - lower.value):,.{decimals}f} {row.scale}"


def _in_sentence(label: str) -> str:
    """A label in mid-sentence form: without capitals, unless a later word has one."""
    words = label.split()
    if label.isupper() or all(word[0].isupper() or len(word) < 4 for word in words):
        return label.lower()
    named = words[1:2] and words[1][0].isupper() and words[0].lower() not in ("total", "net", "consolidated")
    return label if named else label[0].lower() + label[1:]
