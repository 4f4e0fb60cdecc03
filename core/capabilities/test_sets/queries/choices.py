"""Multiple-choice queries: a simple factual one with four answers, the wrong ones from facts of the same kind."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal

from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.changed_numbers import changed
from hcat.core.capabilities.test_sets.queries.corpus_index import QUANTITY, CorpusIndex, unit_of
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.rows import amount_of

OPTIONS = 4
_QUANTITIES = frozenset({"amount", "percentage", "period", "time"})
_FARTHEST = 10


def choice_drafts(draft: Draft, index: CorpusIndex, rng: random.Random) -> Iterator[Draft]:
    """The draft of a simple factual query with options; none if its answer is not a quantity."""
    fact = draft.facts[0]
    if fact.row is None and (fact.part is None or fact.part.kind not in _QUANTITIES):
        return
    options = _row_options(draft, fact, rng) if fact.row is not None else _options(draft.answer, fact, index, rng)
    if options is None:
        return
    listed = f"{', '.join(options[:-1])} or {options[-1]}"
    right = _quantity(draft.answer) or draft.answer
    wordings = {
        style: f"{text[:-1]}: {listed}?"
        for style, text in draft.wordings.items()
        if style in ("neutral", "polite", "colloquial")
    }
    yield Draft(
        "multiple choice",
        f"multiple choice, {draft.rule}",
        wordings,
        draft.reference,
        right,
        draft.facts,
        options=options,
        metadata=draft.metadata,
    )


def _options(answer: str, fact: KeyFact, index: CorpusIndex, rng: random.Random) -> tuple[str, ...] | None:
    """The right quantity among three others of its unit: from the same document, then from others, then changed
    ones."""
    right = _quantity(answer)
    if right is None:
        return None
    unit = unit_of(right)
    near = index.quantities.get((fact.passage.document, unit), ())
    far = index.quantities.get(("", unit), ())
    pools = [
        [text for text in pool if text not in fact.passage.text and _is_plausible(text, right)] for pool in (near, far)
    ]
    chosen: list[str] = []
    for pool in pools:
        for text in rng.sample(pool, len(pool)):
            if len(chosen) < OPTIONS - 1 and text not in chosen and _is_distinct(text, [right, *chosen]):
                chosen.append(text)
    for _ in range(OPTIONS * 2):
        other = changed(right, rng, without=fact.passage.text)
        if other is not None and len(chosen) < OPTIONS - 1 and _is_distinct(other, [right, *chosen]):
            chosen.append(other)
    return _shuffled([right, *chosen], rng)


def _row_options(draft: Draft, fact: KeyFact, rng: random.Random) -> tuple[str, ...] | None:
    """The right value among those of the other years, completed with changed ones."""
    row = fact.row
    if row is None:
        return None
    others = [amount_of(row, cell) for cell in row.cells if amount_of(row, cell) != draft.answer]
    chosen = list(dict.fromkeys(others))[: OPTIONS - 1]
    for _ in range(OPTIONS * 3):
        other = changed(draft.answer, rng, without=fact.passage.text)
        if other is not None and len(chosen) < OPTIONS - 1 and other not in chosen:
            chosen.append(other)
    return _shuffled([draft.answer, *chosen], rng)


def _shuffled(options: list[str], rng: random.Random) -> tuple[str, ...] | None:
    return tuple(rng.sample(options, OPTIONS)) if len(options) == OPTIONS else None


def _quantity(answer: str) -> str | None:
    match = QUANTITY.search(answer)
    return None if match is None else match.group()


def _is_distinct(text: str, others: list[str]) -> bool:
    return _number(text) not in set(map(_number, others))


def _is_plausible(text: str, right: str) -> bool:
    """Whether the wrong number is of the size of the right one: between a tenth and ten times."""
    value, other = _number(right), _number(text)
    return ":" in text or (value > 0 and value / _FARTHEST <= other <= value * _FARTHEST)


def _number(text: str) -> Decimal:
    return Decimal(re.sub(r"[^\d.]", "", text).strip(".") or 0)
