"""Queries that the corpus does not answer: near misses and false premises, each with a proof by words.

A near miss asks about another subject for a fact stated of one subject, if no passage that names the other mentions the
matter. A false premise assumes a number that the corpus contradicts. The nearest passages are recorded with the case,
so that a person can see what the corpus states."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.context import topic_of
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.facts.lexicon import word_set
from hcat.core.capabilities.test_sets.queries.changed_numbers import changed, false_direction
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex, content_words
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.factual import question_words, statement_of
from hcat.core.capabilities.test_sets.queries.rows import item_of, period_of, row_wordings
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import Voice

_ATTRIBUTES = word_set(
    "fee charge price premium rate interest excess ceiling limit margin commission surcharge term notice period "
    "minimum maximum deposit balance payout repayment instalment discount bonus"
)
"""Properties that many things of one kind have, so that a query for them fits each."""
_MATTERS: tuple[frozenset[str], ...] = (
    word_set("fee charge cost price pay paid free premium surcharge commission interest rate"),
    word_set("day week month year hour minute term duration period long deadline within until notice"),
    word_set("limit ceiling maximum most cap up exceed least minimum"),
    word_set("age old young minor adult birthday"),
)
"""Words for the same matter: a passage with one of them may answer a query with another."""


def near_miss_drafts(fact: KeyFact, index: CorpusIndex, voice: Voice) -> Iterator[Draft]:
    """The query of a fact, asked about another thing under the same heading whose passages lack the matter."""
    source, part = fact.source, fact.part
    topic = topic_of(fact.passage.heading, index.vocabulary)
    if source is None or part is None or topic is None or not topic.name:
        return
    asked = question_words(source.clause, part)
    if asked is None or source.lead or source.clause.subject_head.lemma not in _ATTRIBUTES:
        return
    wh, hidden = asked
    statement = statement_of(source, hidden=hidden, part=part)
    direct, indirect = voice.asked(statement.inverted(wh)), voice.asked(statement.plain(wh))
    own = topic.phrase
    in_words = own in direct and own in indirect
    if not in_words and source.topic_lead != topic.lead:
        return
    for sibling, _ in index.siblings.get(topic.parent, ()):
        if sibling.phrase == own:
            continue
        if not is_absent(index, sibling.phrase, direct.replace(own, " ")):
            continue
        lead = "" if in_words else sibling.lead
        yield Draft(
            "unanswerable",
            "near miss, other subject",
            dict(wordings(direct.replace(own, sibling.phrase), indirect.replace(own, sibling.phrase), None, lead=lead)),
            None,
            "",
            (fact,),
            metadata={"kind": "near miss", "stated_of": own, "asked_of": sibling.phrase},
        )


def is_absent(index: CorpusIndex, subject: str, matter: str) -> bool:
    """Whether no passage that names the subject has a word of the matter, or a word for the same matter.

    A passage names the subject if it contains all its words, in its text or headings."""
    content = set(content_words(matter))
    group = {word for related in _MATTERS if content & set(map(_stemmed, related)) for word in map(_stemmed, related)}
    wanted = content | group
    naming = index.holding(subject.lower().split())
    if not naming or not content:
        return False
    return all(not set(content_words(" ".join([*passage.heading, passage.text]))) & wanted for passage in naming)


def _stemmed(word: str) -> str:
    return content_words(word)[0] if content_words(word) else word


def false_premise_drafts(fact: KeyFact, voice: Voice, rng: random.Random) -> Iterator[Draft]:
    """Drafts of "Why does X cost EUR 6?", if the passage states EUR 4.50: the right reaction is not to explain it."""
    source, part = fact.source, fact.part
    if source is None or part is None or part.kind not in ("amount", "percentage", "period", "count"):
        return
    if source.clause.negation is not None or source.clause.existential or source.lead:
        return
    if source.subject.lower() == "we" and voice.name is not None:
        return
    statement = statement_of(source)
    direct, indirect = voice.asked(statement.inverted("why")), voice.asked(statement.plain("why"))
    answer = voice.asked(source.clause.text(part.start, part.end))
    before = "" if part.preposition is None else part.preposition.text.lower()
    other = changed(answer, rng, without=fact.passage.text, larger=false_direction(answer, before))
    if other is None or direct.count(answer) != 1 or indirect.count(answer) != 1 or len(direct.split()) > 26:
        return
    if re.search(r"\b(?:up to|at most|at least|may|can)\b", direct):
        return
    lead = voice.asked(source.topic_lead)
    yield Draft(
        "unanswerable",
        "false premise, changed number",
        dict(wordings(direct.replace(answer, other), indirect.replace(answer, other), None, lead=lead)),
        None,
        "",
        (fact,),
        metadata={"kind": "false premise", "premise": other, "stated": answer, "fact": voice.told(source.statement)},
    )


def row_unanswerable_drafts(fact: KeyFact, index: CorpusIndex, rng: random.Random) -> Iterator[Draft]:
    """Drafts on an organisation's item in a year that none of its passages covers, and on an increase that was a
    decrease."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None:
        return
    noun, plural = item_of(row, organisation)
    verb = "were" if plural else "was"
    for year in _years_not_stated(fact, index, organisation, rng):
        when = period_of(fact, row, row.cells[0]).replace(row.cells[0].period, year)
        yield Draft(
            "unanswerable",
            "near miss, other year",
            row_wordings(noun, verb, when),
            None,
            "",
            (fact,),
            metadata={"kind": "near miss", "organisation": organisation, "asked_of": year},
        )
    later, earlier = row.cells[0], row.cells[1]
    if later.value == earlier.value or later.period < earlier.period:
        return
    rise, share = ("fall" if later.value > earlier.value else "rise"), abs(later.value / earlier.value - 1)
    if share < 0.02:
        return
    do = "did"
    fiscal = "fiscal " if "fiscal" in period_of(fact, row, later) else ""
    span = f"from {fiscal}{earlier.period} to {fiscal}{later.period}"
    fell = "fell" if rise == "fall" else "rose"
    yield Draft(
        "unanswerable",
        "false premise, opposite change",
        dict(wordings(f"why {do} {noun} {rise} {span}", f"why {noun} {fell} {span}", None)),
        None,
        "",
        (fact,),
        metadata={"kind": "false premise", "organisation": organisation, "item": row.label},
    )


def _years_not_stated(fact: KeyFact, index: CorpusIndex, organisation: str, rng: random.Random) -> list[str]:
    """Years near those of the row that no passage of the organisation's documents names."""
    assert fact.row is not None
    stated = {int(cell.period) for cell in fact.row.cells}
    near = [year for year in range(min(stated) - 6, min(stated) - 2) if not _names_year(index, organisation, year)]
    return [str(rng.choice(near))] if near else []


def _names_year(index: CorpusIndex, organisation: str, year: int) -> bool:
    documents = {document for document, name in index.organisations.items() if name == organisation}
    named = index.holding([str(year)])
    return any(passage.document in documents or organisation in passage.text for passage in named)
