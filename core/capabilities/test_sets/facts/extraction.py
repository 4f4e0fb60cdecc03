"""Key facts of a passage (HCAT 2.5, step 1): its self-contained clauses, the parts to ask for, and its table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hcat.core.capabilities.test_sets.facts.answers import Answer
from hcat.core.capabilities.test_sets.facts.clauses import Clause, clauses
from hcat.core.capabilities.test_sets.facts.context import (
    Topic,
    points_elsewhere,
    resolved_subject,
    topic_of,
    unnamed_things,
)
from hcat.core.capabilities.test_sets.facts.grids import grid_facts
from hcat.core.capabilities.test_sets.facts.key_fact import FactKind, IndependentClause, KeyFact
from hcat.core.capabilities.test_sets.facts.lexicon import lowered, word_set
from hcat.core.capabilities.test_sets.facts.parsing import ParsedSentence
from hcat.core.capabilities.test_sets.facts.phrases import answers
from hcat.core.capabilities.test_sets.facts.tables import table_facts
from hcat.core.claims.words import STOP_WORDS, stem, stems
from hcat.core.records.passages import CorpusPassage

_MOST_SUBJECT_WORDS, _FEWEST_WORDS, _MOST_WORDS = 14, 4, 34
_NO_SUBJECT = word_set(
    "you i he she it they this that these those what whoever whatever nothing nobody none everything everyone all any "
    "something someone which who more most many few some others here there each either neither both"
)
_VAGUE = word_set("right figure amount number sum thing case matter point way reason box list region item entry spot")
"""Nouns that have no meaning without a complement."""
_LEANING = word_set("cut rise increase decrease drop change reduction exception step difference")
"""Nouns of a change to something: "the change" has no meaning without "of the address" or its heading."""
_BARE = 2
_KINDS: dict[str, FactKind] = {
    **{"time": "time", "date": "time", "reason": "reason"},
    **{"place": "place", "means": "means", "thing": "statement"},
}
_ARTICLES = frozenset({"the", "a", "an", "of", "for", "to", "and", "in", "on", "with", "our", "from", "at", "by", "or"})


def key_facts(
    passage: CorpusPassage, sentences: Sequence[ParsedSentence], *, vocabulary: frozenset[str] = frozenset()
) -> tuple[KeyFact, ...]:
    """The facts that the passage states: one per part of a clause that can be asked for, per clause, and per table row.

    `vocabulary` contains the words that the corpus writes in lower case, by which the first word of a sentence is
    distinguished from a name."""
    return (*_of_sentences(passage, sentences, vocabulary), *_of_tables(passage))


def _of_sentences(
    passage: CorpusPassage, sentences: Sequence[ParsedSentence], vocabulary: frozenset[str]
) -> Iterator[KeyFact]:
    topic = topic_of(passage.heading, vocabulary)
    for sentence in sentences:
        for clause in clauses(sentence):
            source = independent_clause(clause, topic, vocabulary)
            if source is None:
                continue
            for part in answers(clause):
                answer = clause.text(part.start, part.end)
                yield _fact(passage, sentence, source, _KINDS.get(part.kind, "quantity"), answer, part)
            yield _fact(passage, sentence, source, _kind_of(clause), clause.text(clause.verb.position + 1, clause.end))


def _fact(
    passage: CorpusPassage,
    sentence: ParsedSentence,
    source: IndependentClause,
    kind: FactKind,
    answer: str,
    part: Answer | None = None,
) -> KeyFact:
    end = min(len(passage.text), sentence.start + len(sentence.text))
    return KeyFact(passage, kind, source.statement, answer, sentence.start, end, sentence.place, source, part)


def _kind_of(clause: Clause) -> FactKind:
    sentence = clause.sentence
    if clause.lead[0] < clause.lead[1] and sentence.words[clause.lead[0]].text.lower() in ("if", "when", "where"):
        return "condition"
    if clause.verb.lemma == "be" and sentence.children(clause.verb.position, "attr") and not clause.existential:
        return "definition"
    objects = sentence.children(clause.verb.position, "dobj", "attr")
    return "list" if any(sentence.children(word.position, "conj") for word in objects) else "statement"


def independent_clause(clause: Clause, topic: Topic | None, vocabulary: frozenset[str]) -> IndependentClause | None:
    """The clause with the context from its heading; None if it can be understood only with its passage."""
    sentence = clause.sentence
    words = sentence.words[clause.subject[0] : clause.subject[1]]
    if not _FEWEST_WORDS <= clause.end - clause.subject[0] <= _MOST_WORDS or len(words) > _MOST_SUBJECT_WORDS:
        return None
    if words[-1].tag in ("IN", "TO", "DT") or any(word.dep == "appos" for word in words):
        return None
    if not clause.existential and (
        words[0].text.lower() in _NO_SUBJECT or (clause.subject_head.tag == "CD" and not _begins_with_amount(clause))
    ):
        return None
    if (clause.subject_head.lemma in _VAGUE and len(words) <= _BARE) or clause.end == clause.verb.position + 1:
        return None
    if _begins_badly(clause) or _leans(clause, topic):
        return None
    resolved = resolved_subject(sentence, clause.subject, topic)
    first = clause.subject[1] if resolved is not None else clause.lead[0]
    positions = [*range(*clause.lead), *range(max(first, clause.subject[0]), clause.end)]
    if points_elsewhere(sentence, positions, subject=clause.subject):
        return None
    subject = resolved or _inside(clause, vocabulary)
    lead = clause.text(*clause.lead)
    topic_lead = ""
    if topic is None:
        if unnamed_things(sentence, positions):
            return None
    elif resolved is None and _needs_topic(
        clause, topic, _is_bare(clause) or bool(unnamed_things(sentence, positions))
    ):
        if lead and len(lead.split()) > 8:
            return None
        topic_lead = topic.lead
    return IndependentClause(clause, subject, lead, topic_lead)


def _leans(clause: Clause, topic: Topic | None) -> bool:
    """Whether the subject, or an object "none", depends on the previous sentence for its meaning."""
    sentence, head = clause.sentence, clause.subject_head
    if any(word.text.lower() == "none" for word in sentence.children(clause.verb.position, "dobj", "attr")):
        return True
    if head.lemma not in _LEANING or sentence.children(head.position, "prep", "relcl", "acl", "compound"):
        return False
    return topic is None or not (topic.clause or stem(head.lemma) in stems(topic.phrase))


def _is_bare(clause: Clause) -> bool:
    """Whether the subject is one thing without a word of which: "a payment", but not "customers"."""
    words = clause.sentence.words[slice(*clause.subject)]
    content = [word for word in words if word.text.lower() not in _ARTICLES]
    return len(content) == 1 and content[0].tag == "NN"


def _begins_with_amount(clause: Clause) -> bool:
    return (
        re.match(r"(?:up to )?(?:EUR|USD|GBP|CHF|[$€£])\s?\d", clause.text(*clause.subject), re.IGNORECASE) is not None
    )


_GLUED = re.compile(r"\b([A-Z]\S*(?: \S+){0,3}) \1(?!\S)")
"""A title run together with the sentence that begins with it: "Rob Schneider Schneider was hired"."""


def _begins_badly(clause: Clause) -> bool:
    if _GLUED.search(clause.text(*clause.subject)):
        return True
    lead = clause.sentence.words[slice(*clause.lead)]
    if len(lead) == 1 and lead[0].tag != "RB":
        return True
    if lead and lead[0].text.lower() in ("so", "but", "and", "yet", "or", "where", "then", "first", "while", "as"):
        return True
    return bool(lead) and lead[0].dep == "mark" and not any(word.tag.startswith(("V", "MD")) for word in lead)


def _needs_topic(clause: Clause, topic: Topic, unnamed: bool) -> bool:
    """Whether the clause itself lacks the thing that its heading names."""
    text = clause.text(clause.lead[0], clause.end).lower()
    if topic.name:
        return topic.phrase.lower() not in text
    content = [word for word in re.findall(r"[a-z-]+", topic.phrase.lower()) if word not in _ARTICLES | STOP_WORDS]
    hits = sum(re.search(rf"\b{re.escape(stem(word.rstrip('s')))}", text) is not None for word in content)
    return hits < len(content) if unnamed or topic.clause else 2 * hits < len(content)


def _inside(clause: Clause, vocabulary: frozenset[str]) -> str:
    """The subject in mid-sentence form: a common noun loses its capital, a name keeps it. So does a noun before another
    capitalised word ("Vulnerability Advisor"), even if the corpus also writes it in lower case."""
    text = clause.text(*clause.subject)
    first, *rest = clause.sentence.words[slice(*clause.subject)]
    begins = clause.subject[0] == 0
    plain = first.text.lower()
    named_on = first.tag.startswith("NN") and bool(rest) and rest[0].text.istitle()
    name = named_on or (first.tag.startswith("NNP") and plain not in vocabulary)
    if not begins or name or first.text == "I" or first.text[1:2].isupper():
        return text
    return lowered(text)


def _of_tables(passage: CorpusPassage) -> Iterator[KeyFact]:
    for grid in grid_facts(passage):
        statement = f"{grid.name}, {grid.column}: {grid.value}"
        yield KeyFact(passage, "table row", statement, grid.value, grid.start, grid.end, cell=grid)
    for row in table_facts(passage.text):
        cell = row.cells[0]
        answer = f"{row.currency}{cell.text} {row.scale}".strip()
        statement = f"{row.label}, {cell.period}: {answer}"
        yield KeyFact(passage, "table row", statement, answer, row.start, row.end, row=row)
