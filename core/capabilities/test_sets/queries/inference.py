"""Inference queries, whose answer is computed: a limit applied to a case, a price for several, a change over a year."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal

from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.changed_numbers import changed
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.factual import is_limit_phrase, statement_of
from hcat.core.capabilities.test_sets.queries.rows import amount_of, difference, is_consistent, item_of, period_of
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import Voice, as_sentence

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_UP_TO = re.compile(r"^up to ", re.IGNORECASE)
_LEAST_CHANGE = Decimal("0.01")
_SEVERAL = {"month": (6, 12), "year": (2, 3), "day": (5, 10), "week": (4, 8)}
_PLURALS = {"claim": (2, 3), "bag": (4, 10), "withdrawal": (4, 5), "roll": (10, 20)}


def limit_drafts(fact: KeyFact, voice: Voice, rng: random.Random) -> Iterator[Draft]:
    """ "Can the account be overdrawn by EUR 900?", once above and once below a limit that the passage states."""
    source, part = fact.source, fact.part
    if source is None or part is None or part.kind not in ("amount", "count", "period") or source.clause.negation:
        return
    modal = source.clause.auxiliary
    if modal is None or modal.text.lower() not in ("may", "can") or (source.subject.lower() == "we" and voice.name):
        return
    answer = source.clause.text(part.start, part.end)
    if not _UP_TO.match(answer) or is_limit_phrase(source.clause, part):
        return
    bare = _UP_TO.sub("", answer)
    statement = statement_of(source)
    direct, indirect = voice.asked(statement.inverted()), voice.asked(statement.plain())
    if direct.count(answer) != 1 or indirect.count(answer) != 1:
        return
    for larger in (True, False):
        other = changed(bare, rng, without=fact.passage.text, larger=larger)
        if other is None:
            continue
        verdict = "No" if larger else "Yes"
        reference = f"{verdict}, {voice.told(source.inside)}."
        yield Draft(
            "inference",
            "limit applied",
            dict(
                wordings(
                    direct.replace(answer, other),
                    f"whether {indirect.replace(answer, other)}",
                    None,
                    lead=voice.asked(source.topic_lead or source.lead),
                )
            ),
            reference,
            verdict,
            (fact,),
            hops=2,
            metadata={"verdict": verdict.lower(), "computed": f"{other} against {bare}"},
        )


def multiple_drafts(fact: KeyFact, voice: Voice, rng: random.Random) -> Iterator[Draft]:
    """Drafts for the price of several months or pieces, if the price for one is stated."""
    source, part = fact.source, fact.part
    if source is None or part is None or part.kind != "amount" or part.preposition is not None:
        return
    clause = source.clause
    answer = clause.text(part.start, part.end)
    period = clause.text(part.end, part.end + 2).split()
    if clause.verb.lemma not in ("cost", "be") or len(period) != 2 or period[0] not in ("a", "per", "each"):
        return
    unit = period[1].lower()
    if not re.fullmatch(r"(?:EUR |USD |GBP |CHF |[$€£])[\d.,]+", answer) or unit not in _SEVERAL | _PLURALS:
        return
    if (
        clause.negation is not None
        or clause.subject_head.lemma in ("ceiling", "limit", "maximum")
        or any(word.text.lower() in ("first", "minimum") for word in clause.sentence.words)
    ):
        return
    times = rng.choice((_SEVERAL | _PLURALS)[unit])
    total = _times(answer, times)
    statement = statement_of(source, hidden=(part.start, part.end + 2), part=part)
    span = f"{'over' if unit in _SEVERAL else 'for'} {times} {unit}s"
    direct, indirect = (
        f"{voice.asked(text)} {span}" for text in (statement.inverted("how much"), statement.plain("how much"))
    )
    reference = f"{total}. {voice.told(source.statement)}"
    yield Draft(
        "inference",
        "price of several",
        dict(wordings(direct, indirect, None, lead=voice.asked(source.topic_lead or source.lead))),
        reference,
        total,
        (fact,),
        hops=2,
        metadata={"computed": f"{times} × {answer} = {total}"},
    )


def row_inference_drafts(fact: KeyFact, index: CorpusIndex) -> Iterator[Draft]:
    """Drafts for the change of an organisation's item from one year to the next, and the year with the higher value."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None:
        return
    later, earlier = sorted(row.cells, key=lambda cell: cell.period, reverse=True)[:2]
    if not all(is_consistent(index, organisation, row, cell) for cell in (later, earlier)):
        return
    if earlier.value == 0 or abs(later.value / earlier.value - 1) < _LEAST_CHANGE:
        return
    noun, plural = item_of(row, organisation)
    verb, rose = ("were" if plural else "was"), later.value > earlier.value
    fiscal = "fiscal " if "fiscal" in period_of(fact, row, later) else ""
    span = f"from {fiscal}{earlier.period} to {fiscal}{later.period}"
    change = difference(row, later, earlier)
    first, last = amount_of(row, earlier), amount_of(row, later)
    course = f"from {first} in {fiscal}{earlier.period} to {last} in {fiscal}{later.period}"
    states = (
        f"{noun} {verb} {amount_of(row, earlier)} {period_of(fact, row, earlier)} and {amount_of(row, later)} "
        f"{period_of(fact, row, later)}"
    )
    yield Draft(
        "inference",
        "difference of two years",
        dict(wordings(f"by how much did {noun} change {span}", f"by how much {noun} changed {span}", None)),
        as_sentence(f"{noun} changed by {change}, {course}"),
        change,
        (fact,),
        hops=2,
        metadata={"computed": f"{later.text} - {earlier.text}", "organisation": organisation},
    )
    verdict = "Yes" if rose else "No"
    when = period_of(fact, row, later), period_of(fact, row, earlier)
    yield Draft(
        "inference",
        "comparison of two years",
        dict(
            wordings(
                f"{verb} {noun} higher {when[0]} than {when[1]}",
                f"whether {noun} {verb} higher {when[0]} than {when[1]}",
                None,
            )
        ),
        f"{verdict}, {states}.",
        verdict,
        (fact,),
        hops=2,
        metadata={"verdict": verdict.lower(), "organisation": organisation},
    )


def _times(answer: str, times: int) -> str:
    """A price times a number, in the format of the price."""
    match = _NUMBER.search(answer)
    if match is None:
        return answer
    decimals = len(match.group().partition(".")[2])
    total = Decimal(match.group().replace(",", "")) * times
    return f"{answer[: match.start()]}{total:,.{decimals}f}"
