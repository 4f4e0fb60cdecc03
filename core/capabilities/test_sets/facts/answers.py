"""Quantities of a clause that can be asked for: amounts, percentages, counts, periods and times.

An answer is a run of words attached to the clause's verb directly or by one preposition, so that the rest of the clause
remains a sentence without it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from hcat.core.capabilities.test_sets.facts.clauses import Clause
from hcat.core.capabilities.test_sets.facts.lexicon import word_set
from hcat.core.capabilities.test_sets.facts.parsing import CURRENCIES, Word

AnswerKind = Literal[
    "amount", "percentage", "count", "period", "time", "date", "reason", "place", "means", "thing", "hours", "age"
]
PERIODS = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year"})
_HEDGES = frozenset({"up", "to", "at", "least", "most", "about", "around", "nearly", "over", "than", "only", "some"})
_HEDGES_ALONE = frozenset({"about", "around", "nearly", "over", "only", "some", "approximately", "roughly", "almost"})
_WRITTEN = word_set("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
_PREPOSITIONS = frozenset({"within", "for", "after", "by", "until", "at", "on", "before", "from", "with", "in", "to"})
_AHEAD = frozenset({"ahead", "later", "before", "earlier", "after"})
_JOINING_AFTER = frozenset({"or", "plus", "and", "to", "-", "–", "minus", "that", "which"})
_JOINING_BEFORE = frozenset({"or", "plus", "and", "between", "from", "not", "than"})
_JOINING = frozenset({"or", "and", "to", "plus", ","})
_PARTING = frozenset({"for", "on", "with", "in", "at"})
"""Prepositions that show to which item each of two quantities belongs."""
_LOOSE = frozenset({"within", "until"})
"""Prepositions that belong to the verb, even if the parser attaches them to the noun before them."""
_DIRECT = frozenset({"dobj", "attr", "npadvmod", "oprd", "acomp"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The part of a clause that can be asked for: words `start` to `end`; `unit` is the counted noun or the period's
    name.

    `preposition` is the word before them that moves to the front of the question with them. `stop` is the position at
    which a question must end, because another item of the same kind follows."""

    kind: AnswerKind
    start: int
    end: int
    unit: str = ""
    preposition: Word | None = None
    ahead: bool = False
    stop: int | None = None

    @property
    def outer_start(self) -> int:
        """The first word that the question leaves out."""
        return self.start if self.preposition is None else self.preposition.position


def quantities(clause: Clause) -> Iterator[Answer]:
    """Each quantity of the clause after its verb that can be asked for."""
    position = clause.verb.position + 1
    while position < clause.end:
        quantity = _quantity(clause, position)
        if quantity is not None:
            alone = _alone(clause, quantity)
            if alone is not None:
                yield alone
            position = quantity.end
        else:
            position += 1


def _quantity(clause: Clause, position: int) -> Answer | None:
    """The quantity that begins at a position, with hedges before it and its unit after it."""
    words = clause.sentence.words
    start = position
    while position < clause.end and _is_hedge(clause, start, position):
        position += 1
    if position >= clause.end:
        return None
    word = words[position]
    if word.text in CURRENCIES or word.text == "$":
        number = words[position + 1] if position + 1 < clause.end else None
        if number is None or not number.text[:1].isdigit():
            return None
        return _placed(clause, "amount", start, _hedged(clause, _scaled(clause, position + 2)))
    if _CLOCK.fullmatch(word.text):
        return _placed(clause, "time", start, position + 1)
    if not (word.text[:1].isdigit() or word.text.lower() in _WRITTEN):
        return None
    following = words[position + 1] if position + 1 < clause.end else None
    if following is None:
        return None
    if following.text in ("%", "percent"):
        return _placed(clause, "percentage", start, _hedged(clause, position + 2))
    if re.fullmatch(_MONTHS, following.text):
        end = position + 2
        if end < clause.end and re.fullmatch(r"(?:19|20)\d\d", words[end].text):
            end += 1
        return _placed(clause, "date", start, end)
    noun = position + 1
    while noun < clause.end and words[noun].tag in ("JJ", "NN", "JJR") and words[noun].lemma not in PERIODS:
        noun += 1
    if noun >= clause.end or words[noun].tag not in ("NNS", "NN") or words[noun].head == position:
        return None
    unit = clause.text(position + 1, noun + 1)
    if words[noun].tag == "NN":
        unit = f"{unit}s"
    kind: AnswerKind = "period" if words[noun].lemma in PERIODS else "count"
    if kind == "count" and (words[noun].tag != "NNS" or word.text in ("1", "one")):
        return None
    if following.tag == "NN" and noun == position + 1 and kind == "count":
        return None
    return _placed(clause, kind, start, _hedged(clause, noun + 1), unit=unit)


def _is_hedge(clause: Clause, start: int, position: int) -> bool:
    pair = clause.sentence.span(start, position + 2).lower()
    word = clause.sentence.words[position].text.lower()
    if word in _HEDGES_ALONE:
        return True
    if word in ("up", "at", "more", "less", "no", "as"):
        return pair.startswith(("up to", "at least", "at most", "more than", "less than", "no more", "as long"))
    return position > start and word in _HEDGES


def _scaled(clause: Clause, end: int) -> int:
    words = clause.sentence.words
    return end + 1 if end < clause.end and words[end].text in ("million", "billion", "thousand", "trillion") else end


def _hedged(clause: Clause, end: int) -> int:
    """Take in "at most", "or more" and the like after a quantity."""
    after = clause.sentence.span(end, min(end + 2, clause.end)).lower().strip(",.")
    return end + 2 if after in ("at most", "at least", "or more", "or less") else end


def _placed(clause: Clause, kind: AnswerKind, start: int, end: int, unit: str = "") -> Answer | None:
    """The answer with its preposition; None if it is part of another phrase."""
    sentence = clause.sentence
    heads = [word for word in sentence.words[start:end] if not start <= word.head < end]
    outer = [word for word in heads if word.dep != "punct"]
    if not outer:
        return None
    governor = sentence.words[outer[-1].head]
    if any(child.position < start and child.dep != "punct" for child in sentence.children(outer[-1].position)):
        return None
    before = sentence.words[start - 1]
    particle = before.dep == "prt" or before.tag not in ("IN", "TO")
    if governor.position == clause.verb.position and particle:
        limit = outer[-1].dep == "prep" and outer[-1].text.lower() == "up"
        return Answer(kind, start, end, unit) if outer[-1].dep in _DIRECT or limit else None
    if before.tag in ("IN", "TO", "RP") and before.text.lower() in _PREPOSITIONS:
        above = sentence.words[before.head]
        loose = before.text.lower() in _LOOSE and above.tag.startswith("NN") and above.position > clause.verb.position
        if above.position == clause.verb.position or before.dep == "agent" or loose:
            return Answer(kind, start, end, unit, preposition=before)
        return None
    if end >= clause.end or kind != "period" or sentence.words[end].text.lower() not in _AHEAD:
        return None
    after = sentence.words[end]
    ahead = governor.position == after.position or after.head == clause.verb.position
    return Answer(kind, start, end, unit, ahead=True) if ahead else None


def _alone(clause: Clause, answer: Answer) -> Answer | None:
    """The answer, ended before another quantity that is joined to it; None if the two can't be separated."""
    words = clause.sentence.words
    after = words[answer.end].text.lower() if answer.end < clause.end else ""
    before = words[answer.outer_start - 1].text.lower() if answer.outer_start else ""
    if after in _JOINING_AFTER or before in _JOINING_BEFORE:
        return None
    rest = [word.text.lower() for word in words[answer.end : clause.end]]
    for index, word in enumerate(rest):
        following = rest[index + 1 :]
        if word in _JOINING and following and _is_number(following):
            parted = word in ("and", ",") and bool(_PARTING & set(rest[:index])) and answer.preposition is None
            return replace(answer, stop=answer.end + index) if parted else None
        if word == "and" and any(_is_number(following[at:]) for at in range(min(5, len(following)))):
            return replace(answer, stop=answer.end + index)
    return answer


def _is_number(words: list[str]) -> bool:
    first = words[0]
    return (
        first in ("€", "$", "£", "eur", "usd", "gbp", "chf") or first[:1].isdigit() or first in ("up", "at", "another")
    )
