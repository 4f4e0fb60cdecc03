"""Questions from clauses: inverted, embedded in a polite phrase, or in the order of the statement.

Constructions follow English grammar: the auxiliary or a form of "be" moves before the subject, otherwise "do" is added;
the requested words move to the front with their preposition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hcat.core.capabilities.test_sets.facts.clauses import Clause

_DO = {"VBZ": "does", "VBP": "do", "VBD": "did"}
_SPEAKER = (
    (re.compile(r"\b([Ww])e\b"), "you"),
    (re.compile(r"\b[Oo]urs\b"), "yours"),
    (re.compile(r"\b[Oo]ur\b"), "your"),
    (re.compile(r"\b[Uu]s\b"), "you"),
    (re.compile(r"\b[Oo]urselves\b"), "yourselves"),
)
_ORGANISATION = (
    (re.compile(r"\b[Ww]e\b"), "{name}"),
    (re.compile(r"\b[Oo]ur\b"), "{name}'s"),
    (re.compile(r"\b(?:[Uu]s|[Oo]urselves)\b"), "{name}"),
    (re.compile(r"\b[Tt]he Company\b"), "{name}"),
)


@dataclass(frozen=True, slots=True)
class Voice:
    """The speaker of the passages as "we": an organisation by its name, or the person addressed ("you")."""

    name: str | None = None

    def asked(self, text: str) -> str:
        """The words of a passage as somebody else asks them."""
        if self.name is None:
            for pattern, replacement in _SPEAKER:
                text = pattern.sub(replacement, text)
            return text
        return self.told(text)

    def told(self, text: str) -> str:
        """The words of a passage as its answer states them: "we" is unchanged, unless the organisation has a name."""
        if self.name is not None:
            for pattern, replacement in _ORGANISATION:
                text = pattern.sub(replacement.format(name=self.name), text)
        return text


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause, possibly with a reworded subject, from which questions are formed.

    `hidden` is the range of words that a question leaves out, because it asks for them. `end` is the end of the
    question, `remains` are the words left in place of the hidden ones ("at most")."""

    clause: Clause
    subject: str
    lead: str = ""
    hidden: tuple[int, int] | None = None
    end: int | None = None
    remains: str = ""

    @property
    def predicate(self) -> str:
        """The words after the verb, without the requested ones."""
        return self._text(self.clause.verb.position + 1, self.end or self.clause.end)

    def inverted(self, wh: str = "") -> str:
        """The words of a direct question, without a question mark: "how much does the account cost a month"."""
        clause = self.clause
        auxiliary = clause.auxiliary
        if auxiliary is None:
            moved, verb = _DO[clause.verb.tag], clause.verb.lemma
            between = self._text(clause.subject[1], clause.verb.position)
        elif auxiliary.position == clause.verb.position:
            moved, verb = auxiliary.text, ""
            between = self._text(clause.subject[1], clause.verb.position)
        else:
            moved, verb = auxiliary.text, clause.verb.text
            between = " ".join(
                part
                for part in (
                    self._text(clause.subject[1], auxiliary.position),
                    self._text(auxiliary.position + 1, clause.verb.position),
                )
                if part
            )
        return _joined(wh, moved, self.subject, between, verb, self.predicate)

    def plain(self, wh: str = "") -> str:
        """The words in the order of the statement, after a question word: "how much the account costs a month"."""
        clause = self.clause
        verbs = self._text(clause.subject[1], clause.verb.position + 1)
        return _joined(wh, self.subject, verbs, self.predicate)

    def in_place(self, wh: str) -> str:
        """The statement with the question word in place of the answer: "the account costs how much a month"."""
        if self.hidden is None:
            return self.plain(wh)
        clause = self.clause
        before = clause.text(clause.subject[1], self.hidden[0])
        return _joined(self.subject, before, wh, self.remains, clause.text(self.hidden[1], self.end or clause.end))

    def _text(self, start: int, end: int) -> str:
        if self.hidden is None or self.hidden[1] <= start or self.hidden[0] >= end:
            return self.clause.text(start, end)
        return _joined(self.clause.text(start, self.hidden[0]), self.remains, self.clause.text(self.hidden[1], end))


def as_sentence(text: str, mark: str = ".") -> str:
    """The words as a sentence: first letter a capital, one full stop or question mark at the end."""
    text = re.sub(r"\s+([,.;:?%])", r"\1", text.strip()).strip(" ,;:")
    text = re.sub(r",\s*,", ",", text).rstrip(".?!")
    return f"{text[:1].upper()}{text[1:]}{mark}"


def inside(subject: str, *, capital: bool) -> str:
    """A subject in mid-sentence form: without the capital from the beginning of a sentence."""
    return subject if capital or not subject else subject[0].lower() + subject[1:]


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
