"""Simple factual queries: one fact of one sentence, with the question word that fits the kind of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.answers import Answer
from hcat.core.capabilities.test_sets.facts.clauses import Clause
from hcat.core.capabilities.test_sets.facts.key_fact import IndependentClause, KeyFact
from hcat.core.capabilities.test_sets.facts.lexicon import lowered, word_set
from hcat.core.capabilities.test_sets.queries.corpus_index import content_words
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.styles import short_topic, terse, wordings
from hcat.core.capabilities.test_sets.queries.wording import Statement, Voice, as_sentence

_LASTING = frozenset({"take", "last", "need", "require"})
_RATES = word_set("rate margin interest yield discount surcharge commission premium return inflation")
_PLAIN = {
    "reason": "why",
    "place": "where",
    "means": "how",
    "thing": "what",
    "hours": "at what hours",
    "age": "at what age",
}
"""Question words of answers that are phrases."""
_NEEDS_MORE = frozenset({"add", "come", "amount", "go"})
"""Verbs whose question is too vague: "how much does a detached house add?"."""
_CAPPING = frozenset({"cap", "limit", "set", "fix", "reduce", "raise", "increase"})
_UP_TO = ("up to", "at most", "no more than")
_TAILS = frozenset({"of", "after", "before", "from"})
_MOST_QUERY_WORDS, _LEAST_SAID = 28, 4
_CLOCK = re.compile(r"\d:\d\d")
_PEOPLE = word_set(
    "customer holder adviser agent surveyor inspector manager officer parent partner person people guardian heir owner "
    "employee staff borrower applicant trader founder student child doctor notary citizen attorney board committee "
    "director executive president member user saver passenger traveller patient supplier client resident minor "
    "shareholder investor auditor lawyer team desk authority ombudsman court company bank operator business"
)
_BARE_SUBJECTS = frozenset({"customer", "holder", "staff", "people", "person", "bank", "company", "we"})


def factual_drafts(fact: KeyFact, voice: Voice) -> Iterator[Draft]:
    """The simple factual queries of a fact."""
    source, part = fact.source, fact.part
    if source is None:
        return
    if part is None:
        yield from _subject_drafts(fact, source, voice)
        yield from _counted_subject_drafts(fact, source, voice)
        yield from _amount_subject_drafts(fact, source, voice)
        yield from _consequence_drafts(fact, source, voice)
        return
    asked = question_words(source.clause, part)
    if (
        asked is None
        or source.clause.verb.lemma in _NEEDS_MORE
        or source.clause.negation is not None
        or source.clause.shares_subject
        or _is_interrupted(source.clause, part)
        or (part.kind == "date" and _CLOCK.search(source.clause.text(source.clause.verb.position, source.clause.end)))
    ):
        return
    wh, hidden = asked
    statement = statement_of(source, hidden=hidden, part=part)
    if wh == "when" and source.lead.lower().startswith(("when", "if", "once")):
        return
    if part.kind in _LEAST_WORDS and len(set(content_words(statement.inverted()))) < _LEAST_WORDS[part.kind]:
        return
    wanted = question(statement, source, wh, voice)
    if wanted is not None:
        reference = as_sentence(voice.told(source.statement))
        yield Draft("simple factual", part.kind, wanted, reference, voice.told(fact.answer), (fact,))


def statement_of(
    source: IndependentClause, *, hidden: tuple[int, int] | None = None, part: Answer | None = None
) -> Statement:
    """The clause from which questions are formed, ended at the first comma after the requested part."""
    remains = "" if part is None else _limit_word(source.clause.text(part.start, part.end).lower())
    if part is not None and (part.kind in _PLAIN or is_limit_phrase(source.clause, part)):
        remains = ""
    end = _end(source.clause, hidden)
    if part is not None and part.stop is not None:
        end = min(end, part.stop)
    return Statement(source.clause, source.subject, hidden=hidden, end=end, remains=remains)


def is_limit_phrase(clause: Clause, part: Answer) -> bool:
    """Whether "up to" itself joins the quantity to the verb, as in "insured up to EUR 800"."""
    first = clause.sentence.words[part.start]
    return first.text.lower() == "up" and first.dep == "prep"


def _limit_word(answer: str) -> str:
    """The words with which a question asks for a limit, so that "up to EUR 750" is a right answer."""
    if answer.startswith(_UP_TO) or answer.endswith("at most"):
        return "at most"
    return "at least" if "at least" in answer else ""


def question(statement: Statement, source: IndependentClause, wh: str, voice: Voice) -> dict[str, str] | None:
    """The question in each style; None if it is too short to be understood or too long to be read."""
    if source.subject.lower() == "we" and voice.name is not None and not _fits_name(source.clause):
        return None
    lead = voice.asked(source.topic_lead or source.lead)
    last = f" {lowered(source.lead)}" if source.topic_lead and source.lead else ""
    direct, indirect = voice.asked(statement.inverted(wh) + last), voice.asked(statement.plain(wh) + last)
    topic = short_topic(source.topic_lead)
    short = terse(voice.asked(statement.in_place(wh)) + last, topic=topic) if not source.lead else None
    words = len(f"{lead} {direct}".split())
    if not 5 <= words <= _MOST_QUERY_WORDS or "  " in direct:
        return None
    return dict(wordings(direct, indirect, short, lead=lead))


def _fits_name(clause: Clause) -> bool:
    """Whether the verb after "we" is the same after a name: "we paid", "we will pay"."""
    return clause.verb.tag == "VBD" if clause.auxiliary is None else clause.auxiliary.tag == "MD"


def question_words(clause: Clause, part: Answer) -> tuple[str, tuple[int, int]] | None:
    """The question words for an answer, and the range of words that they replace; None if none fits."""
    span = (part.outer_start, part.end)
    text = clause.text(part.start, part.end).lower()
    before = "" if part.preposition is None else part.preposition.text.lower()
    if part.kind == "amount":
        return ("up to how much", span) if is_limit_phrase(clause, part) else _for_amount(clause, before, span)
    if part.kind == "percentage":
        return _for_percentage(clause, text, before, span)
    if part.kind in ("count", "period"):
        return _for_number_of(clause, part, before, span)
    if part.kind == "time":
        if not before and clause.verb.lemma == "be" and not clause.existential:
            return "what time", span
        known = {"at": "at what time", "until": "until what time", "before": "before what time", "by": "by what time"}
        return (known[before], span) if before in known else None
    if part.kind == "date":
        first = clause.sentence.words[part.start].text.lower()
        if not before and first in ("on", "at"):
            return "when", span
        known = {"by": "by what date", "on": "on what date", "until": "until what date"}
        return (known[before], span) if before in known else None
    return (_PLAIN[part.kind], span) if part.kind in _PLAIN else None


_AMOUNT_SUBJECT = re.compile(
    r"(?P<limit>up to )?(?:(?:EUR |USD |GBP |CHF |[$€£])[\d.,]+|[\d.,]+(?P<percent>%))(?P<rest>[^,]*)\Z", re.IGNORECASE
)
_LEAST_WORDS = {"date": 2, "time": 2, "place": 3, "means": 2, "thing": 2}
"""Minimum number of content words of a question for such an answer."""
Asked = tuple[str, tuple[int, int]]


def _for_amount(clause: Clause, before: str, span: tuple[int, int]) -> Asked | None:
    capped = clause.verb.lemma in _CAPPING and before in ("at", "to")
    if (before not in ("", "by", "with") and not capped) or clause.existential:
        return None
    return f"{before} how much".strip(), span


def _for_percentage(clause: Clause, text: str, before: str, span: tuple[int, int]) -> Asked | None:
    if before == "at":
        tail, end = _tail(clause, span[1], frozenset({"of"}))
        return (f"at what percentage {tail}", (span[0], end)) if tail else ("at what rate", span)
    if before == "by":
        return "by how much", span
    if before or text.startswith(_UP_TO):
        return None
    tail, end = _tail(clause, span[1], frozenset({"of"}))
    if tail:
        return f"what percentage {tail}", (span[0], end)
    if clause.verb.lemma == "be" and end < clause.end and clause.sentence.words[end].tag == "VBN":
        return None
    if clause.verb.lemma == "be":
        return ("how high", span) if clause.subject_head.lemma in _RATES else None
    return ("what percentage", span) if clause.verb.lemma not in ("cost", "charge") else ("how much", span)


def _for_number_of(clause: Clause, part: Answer, before: str, span: tuple[int, int]) -> Asked | None:
    if part.kind == "count":
        if clause.existential or before not in ("", "on", "for", "within", "in"):
            return None
        return f"{before} how many {part.unit}".strip(), span
    if part.ahead:
        tail, end = _tail(clause, part.end, frozenset({"after", "before"}), most=10)
        if tail:
            return f"how many {part.unit} {tail}", (span[0], end)
        word = clause.text(part.end, part.end + 1)
        return (f"how many {part.unit} {word}", (span[0], part.end + 1)) if word not in ("after", "before") else None
    tail, end = _tail(clause, span[1], _TAILS)
    if before in ("within", "after", "in"):
        return f"{before} how many {part.unit} {tail}".strip(), (span[0], end)
    if before == "for":
        return "for how long", span
    if before == "by":
        return f"by how many {part.unit}", span
    if not before and clause.verb.lemma in _LASTING and not tail:
        return "how long", span
    if not before and clause.verb.lemma == "be" and not tail:
        return "how long", span
    return None


def _tail(clause: Clause, start: int, prepositions: frozenset[str], *, most: int = 6) -> tuple[str, int]:
    """A phrase such as "of signing" directly after an answer, which moves to the front with the question words."""
    words = clause.sentence.words
    if start >= clause.end or words[start].text.lower() not in prepositions:
        return "", start
    span = [place for place in clause.sentence.subtree(start) if place < clause.end]
    if len(span) > most or span[-1] - span[0] != len(span) - 1 or span[0] != start or len(span) == 1:
        return "", start
    return clause.text(start, span[-1] + 1), span[-1] + 1


def _is_interrupted(clause: Clause, part: Answer) -> bool:
    """Whether a comma other than in a list separates the verb and the answer."""
    words = clause.sentence.words[clause.verb.position + 1 : part.outer_start]
    commas = [word.position for word in words if word.text in (",", ":")]
    return any(clause.sentence.words[place - 1].dep == "punct" for place in commas) or (
        bool(commas) and not any(word.dep == "conj" for word in words)
    )


def _end(clause: Clause, hidden: tuple[int, int] | None) -> int:
    """The end of a question: the first comma after the requested part, or before a remark at the end."""
    words = clause.sentence.words
    start = clause.verb.position + 1 if hidden is None else hidden[1]
    for position in range(start, clause.end):
        if words[position].text == ":":
            return position
        if words[position].text == ",":
            listed = hidden is None and any(word.dep == "conj" for word in words[position:][:6])
            if not listed:
                return position
            return clause.end
    return clause.end


def _subject_drafts(fact: KeyFact, source: IndependentClause, voice: Voice) -> Iterator[Draft]:
    """Drafts of "Who may …?", if the subject is people and the rest is specific enough."""
    clause = source.clause
    head = clause.subject_head
    rest = clause.text(clause.verb.position + 1, clause.end)
    if (
        head.lemma not in _PEOPLE
        or clause.negation is not None
        or clause.existential
        or len(set(content_words(rest))) < _LEAST_SAID
    ):
        return
    if head.lemma in _BARE_SUBJECTS and len(source.subject.split()) < 3:
        return
    if any(
        word.text.lower() in ("their", "they", "its", "it", "them")
        for word in clause.sentence.words[clause.verb.position : clause.end]
    ):
        return
    if source.subject.split()[0].lower() in ("each", "every", "the", "either", "no") or source.topic_lead:
        return
    if head.tag in ("NNS", "NNPS") and clause.auxiliary is None and clause.verb.tag != "VBD":
        return
    if clause.auxiliary is not None and clause.auxiliary.text.lower() in ("are", "were", "have"):
        return
    verbs = clause.text(clause.subject[1], clause.verb.position + 1)
    end = _end(clause, None)
    predicate = clause.text(clause.verb.position + 1, end)
    asked = voice.asked(f"who {verbs} {predicate}")
    lead = voice.asked(source.lead)
    reference = as_sentence(voice.told(source.statement))
    yield Draft(
        "simple factual",
        "person",
        dict(wordings(asked, asked, None, lead=lead)),
        reference,
        voice.told(source.subject),
        (fact,),
    )


def _amount_subject_drafts(fact: KeyFact, source: IndependentClause, voice: Voice) -> Iterator[Draft]:
    """Drafts of "How much can be taken out without notice?", if the subject is an amount."""
    clause = source.clause
    match = _AMOUNT_SUBJECT.match(source.subject)
    if match is None or clause.negation is not None or clause.auxiliary is None:
        return
    verbs = clause.text(clause.subject[1], clause.verb.position + 1)
    predicate = clause.text(clause.verb.position + 1, _end(clause, None))
    rest = match["rest"].strip()
    most = " at most" if match["limit"] else ""
    wh = f"what percentage {rest}" if match["percent"] else "how much"
    asked = voice.asked(f"{wh} {verbs} {predicate} {'' if match['percent'] else rest}".strip() + most)
    if (match["percent"] and not rest.startswith("of")) or len(set(content_words(asked))) < _LEAST_SAID - 1:
        return
    written = dict(wordings(asked, asked, None, lead=voice.asked(source.topic_lead or source.lead)))
    reference = as_sentence(voice.told(source.statement))
    answer = source.subject[: match.start("rest")].strip()
    yield Draft("simple factual", "amount as subject", written, reference, answer, (fact,))


def _counted_subject_drafts(fact: KeyFact, source: IndependentClause, voice: Voice) -> Iterator[Draft]:
    """Drafts of "How many wrong passwords lock the access?", if the subject begins with a number."""
    clause = source.clause
    first, head = clause.sentence.words[clause.subject[0]], clause.subject_head
    counted = first.dep == "nummod" and first.head == head.position and head.tag == "NNS"
    if not counted or clause.negation is not None or clause.sentence.children(head.position, "conj"):
        return
    rest = clause.text(clause.subject[0] + 1, clause.subject[1])
    verbs = clause.text(clause.subject[1], clause.verb.position + 1)
    predicate = clause.text(clause.verb.position + 1, _end(clause, None))
    asked = voice.asked(f"how many {rest} {verbs} {predicate}")
    if len(set(content_words(asked))) < _LEAST_SAID - 1:
        return
    lead = voice.asked(source.topic_lead or source.lead)
    written = dict(wordings(asked, asked, None, lead=lead))
    reference = as_sentence(voice.told(source.statement))
    yield Draft("simple factual", "counted subject", written, reference, f"{first.text} {rest}", (fact,))


def _consequence_drafts(fact: KeyFact, source: IndependentClause, voice: Voice) -> Iterator[Draft]:
    """Drafts of "What happens if …?", if a sentence begins with its condition."""
    if fact.kind != "condition" or not 4 <= len(source.lead.split()) <= 22:
        return
    condition = voice.asked(lowered(source.lead))
    topic = source.topic_lead
    asked, told = f"what happens {condition}", f"what happens {condition}"
    if condition.startswith("where "):
        return
    body = source.clause.text(source.clause.subject[0], source.clause.end)
    reference = as_sentence(voice.told(source.statement))
    short = terse(condition, topic=short_topic(topic)) + " - what then"
    yield Draft(
        "simple factual",
        "condition",
        dict(wordings(asked, told, short, lead=topic)),
        reference,
        voice.told(body),
        (fact,),
    )
