"""Yes/no queries: a statement as a question, or its twin with a changed number or without its "not"."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.clauses import Clause
from hcat.core.capabilities.test_sets.facts.key_fact import IndependentClause, KeyFact
from hcat.core.capabilities.test_sets.facts.lexicon import lowered
from hcat.core.capabilities.test_sets.queries.changed_numbers import changed, false_direction
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.factual import statement_of
from hcat.core.capabilities.test_sets.queries.rows import amount_of, is_consistent, item_of, period_of
from hcat.core.capabilities.test_sets.queries.styles import short_topic, wordings
from hcat.core.capabilities.test_sets.queries.wording import Voice, as_sentence

_MOST_QUERY_WORDS, _FEWEST_QUERY_WORDS = 26, 6
_UNASKABLE = re.compile(
    r"\b(?:usually|often|sometimes|generally|nearly|almost|mostly|possibly|perhaps|rather|quite|never|no longer|hardly|"
    r"nobody|nothing|none|neither|nor|no)\b",
    re.IGNORECASE,
)


def yes_no_drafts(fact: KeyFact, voice: Voice, rng: random.Random) -> Iterator[Draft]:
    """A query answered by yes and its twin answered by no; only the twin for a negative statement."""
    source = fact.source
    if source is None:
        return
    clause = source.clause
    if clause.existential:
        yield from _existence(fact, source, voice)
        return
    positive = _asked(source, voice)
    if positive is None or (source.subject.lower() == "we" and voice.name is not None):
        return
    told = f"{voice.told(source.inside)}."
    if clause.negation is not None:
        if fact.part is None and (bare := _without_negation(positive)) is not None:
            yield _draft(fact, bare, source, voice, "No", told, "negation")
        return
    if _UNASKABLE.search(positive[0]):
        return
    if fact.part is None:
        if len(positive[0].split()) >= _FEWEST_QUERY_WORDS + 1:
            yield _draft(fact, positive, source, voice, "Yes", told, "statement")
        return
    if (
        fact.part.kind == "percentage"
        and fact.part.end < clause.end
        and clause.sentence.words[fact.part.end].tag == "VBN"
    ):
        return  # "a rate is 3% fixed for 5 years" is no statement that English asks so
    answer = voice.asked(clause.text(fact.part.start, fact.part.end))
    if fact.part.kind not in ("amount", "percentage", "count", "period", "time") or positive[0].count(answer) != 1:
        return
    before = "" if fact.part.preposition is None else fact.part.preposition.text.lower()
    other = changed(answer, rng, without=fact.passage.text, larger=false_direction(answer, before))
    if other is None:
        return
    twin = (positive[0].replace(answer, other), positive[1].replace(answer, other))
    yield _draft(fact, twin, source, voice, "No", told, "changed number")


Asked = tuple[str, str]


def _asked(source: IndependentClause, voice: Voice) -> Asked | None:
    """The statement as a direct and as an indirect question."""
    if source.clause.shares_subject:
        return None
    statement = statement_of(source)
    last = f" {lowered(source.lead)}" if source.lead else ""
    direct, indirect = voice.asked(statement.inverted() + last), voice.asked(statement.plain() + last)
    words = len(direct.split())
    return (direct, indirect) if _FEWEST_QUERY_WORDS - 1 <= words <= _MOST_QUERY_WORDS else None


def _without_negation(asked: Asked) -> Asked | None:
    """The questions without "not"; None if more than the verb is negated."""
    pattern = re.compile(r"\s(?:not|n't|n’t)\b")
    if any(len(pattern.findall(text)) != 1 for text in asked) or "cannot" in asked[0] or _UNASKABLE.search(asked[0]):
        return None
    direct, indirect = (pattern.sub("", text) for text in asked)
    return direct, re.sub(r"\b(?:does|do|did) (?=[a-z])", "", indirect, count=1)


def _draft(
    fact: KeyFact, asked: Asked, source: IndependentClause, voice: Voice, verdict: str, told: str, rule: str
) -> Draft:
    direct, indirect = asked
    lead = voice.asked(source.topic_lead)
    reference = f"{verdict}, {told}"
    written = dict(wordings(direct, f"whether {indirect}", None, lead=lead))
    topic = short_topic(source.topic_lead)
    written["terse"] = as_sentence(f"{topic}: {direct}" if topic else f"{indirect}, right", "?")
    if rule == "negation" or (verdict == "No" and not topic):
        written.pop("terse")
    written["colloquial"] = as_sentence(
        f"Is it true that {f'{lead.lower()[:1]}{lead[1:]}, ' if lead else ''}{indirect}", "?"
    )
    if rule == "negation":
        written.pop("colloquial")
        written.pop("polite")
    return Draft(
        "yes/no", f"yes/no, {rule}", written, reference, verdict, (fact,), metadata={"verdict": verdict.lower()}
    )


def _existence(fact: KeyFact, source: IndependentClause, voice: Voice) -> Iterator[Draft]:
    """ "Is there a monthly fee?", for a statement that there is none or one."""
    clause = source.clause
    if fact.part is not None or clause.verb.lemma != "be":
        return
    rest = clause.text(clause.verb.position + 1, clause.end)
    words = rest.split()
    if words[0] not in ("no", "a", "an") or len(words) > 12 or "," in rest:
        return
    verdict = "No" if words[0] == "no" else "Yes"
    article = "an" if words[1][:1] in "aeio" else "a"
    noun = _first_noun(clause)
    asked = f"any {' '.join(words[1:])}" if noun.endswith("s") else f"{article} {' '.join(words[1:])}"
    verb = "are" if noun.endswith("s") else "is"
    direct, indirect = voice.asked(f"{verb} there {asked}"), voice.asked(f"whether there {verb} {asked}")
    lead = voice.asked(source.topic_lead or source.lead)
    reference = f"{verdict}, {voice.told(source.inside)}."
    if len(f"{lead} {direct}".split()) >= _FEWEST_QUERY_WORDS:
        written = dict(wordings(direct, indirect, None, lead=lead))
        yield Draft(
            "yes/no",
            "yes/no, existence",
            written,
            reference,
            verdict,
            (fact,),
            metadata={"verdict": verdict.lower()},
        )


def _first_noun(clause: Clause) -> str:
    attributes = clause.sentence.children(clause.verb.position, "attr")
    return attributes[0].text if attributes and attributes[0].tag == "NNS" else ""


def row_yes_no_drafts(fact: KeyFact, index: CorpusIndex, rng: random.Random) -> Iterator[Draft]:
    """Drafts on whether an organisation's item of a year exceeded a limit, for one limit below it and one above it."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None:
        return
    cell = row.cells[0]
    if not is_consistent(index, organisation, row, cell):
        return
    noun, plural = item_of(row, organisation)
    when, verb = period_of(fact, row, cell), "were" if plural else "was"
    for verdict in ("Yes", "No"):
        stated = amount_of(row, cell)
        if verdict == "No":
            other = changed(cell.text, rng, without=fact.passage.text)
            if other is None:
                continue
            stated = f"{row.currency}{other} {row.scale}"
        direct, indirect = f"{verb} {noun} {stated} {when}", f"whether {noun} {verb} {stated} {when}"
        reference = f"{verdict}, {as_sentence(f'{noun} {verb} {amount_of(row, cell)} {when}')}"
        yield Draft(
            "yes/no",
            "yes/no, table row" if verdict == "Yes" else "yes/no, changed table value",
            dict(wordings(direct, indirect, None)),
            reference,
            verdict,
            (fact,),
            metadata={"verdict": verdict.lower(), "organisation": organisation, "item": row.label},
        )
