"""Queries of table cells: the value of a column for a row."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import as_sentence

_AMOUNT = re.compile(r"(?:EUR|USD|GBP|CHF|[$€£])\s?\d")
_COUNT = re.compile(r"\d{1,3}(?:,\d{3})*\Z")
_OPTIONS = 4


def cell_drafts(fact: KeyFact) -> Iterator[Draft]:
    """The simple factual query of a cell."""
    cell = fact.cell
    if cell is None:
        return
    column = cell.column if cell.column.isupper() else cell.column[0].lower() + cell.column[1:]
    plural = column.endswith("s") and not column.endswith("ss")
    verb = "are" if plural else "is"
    if _COUNT.match(cell.value) and plural:
        direct, indirect = (
            f"how many {column} are there for {cell.name}",
            f"how many {column} there are for {cell.name}",
        )
        statement = f"for {cell.name}, there are {cell.value} {column}"
    else:
        wh = "how much" if _AMOUNT.match(cell.value) else "what"
        direct, indirect = f"{wh} {verb} the {column} for {cell.name}", f"{wh} the {column} {verb} for {cell.name}"
        statement = f"the {column} for {cell.name} {verb} {cell.value}"
    yield Draft(
        "simple factual",
        "table cell",
        dict(wordings(direct, indirect, f"{column} for {cell.name}")),
        as_sentence(statement),
        cell.value,
        (fact,),
    )


def cell_choice_drafts(fact: KeyFact, rng: random.Random) -> Iterator[Draft]:
    """The query of a cell with the values of other rows as options, if there are enough other values."""
    cell = fact.cell
    if cell is None or len(cell.others) < _OPTIONS - 1:
        return
    options = tuple(rng.sample([cell.value, *rng.sample(cell.others, _OPTIONS - 1)], _OPTIONS))
    listed = f"{', '.join(options[:-1])} or {options[-1]}"
    for draft in cell_drafts(fact):
        written = {style: f"{text[:-1]}: {listed}?" for style, text in draft.wordings.items() if style != "terse"}
        rule = "multiple choice, table cell"
        yield Draft("multiple choice", rule, written, draft.reference, cell.value, (fact,), options=options)
