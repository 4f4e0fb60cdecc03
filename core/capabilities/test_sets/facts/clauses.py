"""The main clauses of a sentence: subject, verb and the rest, in an order from which questions can be formed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hcat.core.capabilities.test_sets.facts.parsing import ParsedSentence, Word

FINITE = frozenset({"VBZ", "VBP", "VBD"})
_LEADS = frozenset({"prep", "advcl", "advmod"})
_FORMS = {"do": ("VB",), "be": ("VBN", "VBG", "JJ"), "have": ("VBN",)}


@dataclass(frozen=True, slots=True)
class Clause:
    """A finite clause as ranges of word positions: `lead` before the subject, the subject, the verb, and the rest up to
    `end`. `auxiliary` is the word that moves before the subject in a question; None if "do" is needed."""

    sentence: ParsedSentence
    lead: tuple[int, int]
    subject: tuple[int, int]
    subject_head: Word
    auxiliary: Word | None
    verb: Word
    end: int

    @property
    def negation(self) -> Word | None:
        """The word "not" of the verb."""
        return next(iter(self.sentence.children(self.verb.position, "neg")), None)

    @property
    def existential(self) -> bool:
        """Whether it begins with "there is"."""
        return self.subject_head.dep == "expl"

    @property
    def shares_subject(self) -> bool:
        """Whether another finite verb has its subject, which "do" can't ask for: "gives reasons and names a date"."""
        joined = self.sentence.children(self.verb.position, "conj")
        return self.auxiliary is None and any(word.tag in FINITE and word.position < self.end for word in joined)

    def text(self, start: int, end: int) -> str:
        """The words of a range, without punctuation at its ends."""
        return self.sentence.span(start, end).strip(" ,.;:")


def clauses(sentence: ParsedSentence) -> tuple[Clause, ...]:
    """The main clause, and coordinate clauses with a subject of their own."""
    return tuple(_clauses(sentence))


def _clauses(sentence: ParsedSentence) -> Iterator[Clause]:
    root = sentence.root
    if root is None:
        return
    start, bounded = 0, True
    verb: Word | None = root
    while verb is not None:
        following, end = _next(sentence, verb)
        clause = _clause(sentence, verb, start, end)
        if clause is not None and bounded:
            yield clause
        if following is not None:
            bounded = bounded and not _has_condition(sentence, verb)
            start = end
            while start < following.position and sentence.words[start].dep in ("cc", "punct"):
                start += 1
        verb = following


def _next(sentence: ParsedSentence, verb: Word) -> tuple[Word | None, int]:
    """The clause joined to this one, and the end of the first: before the conjunction or comma."""
    last = len(sentence.words)
    while last and sentence.words[last - 1].dep == "punct":
        last -= 1
    for child in sentence.children(verb.position, "conj", "parataxis"):
        if child.position < verb.position or child.tag[0] not in "VM":
            continue
        first = min(sentence.subtree(child.position))
        end = first
        while end > verb.position + 1 and sentence.words[end - 1].dep in ("cc", "punct", "preconj"):
            end -= 1
        return child, end
    return None, last


def _has_condition(sentence: ParsedSentence, verb: Word) -> bool:
    return any(child.position < verb.position for child in sentence.children(verb.position, "advcl", "prep"))


def _clause(sentence: ParsedSentence, verb: Word, start: int, end: int) -> Clause | None:
    subjects = sentence.children(verb.position, "nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
    if len(subjects) != 1 or (subjects[0].dep.startswith("csubj") and subjects[0].tag != "VBG"):
        return None
    subject = subjects[0]
    span = sentence.subtree(subject.position)
    whole = span[-1] - span[0] == len(span) - 1
    while span and sentence.words[span[-1]].dep == "punct":
        span.pop()
    if not whole or not span or span[0] < start or span[-1] > verb.position:
        return None
    disagreeing = {"NN": "VBP", "NNS": "VBZ"}.get(subject.tag)
    if verb.tag == disagreeing and not sentence.children(subject.position, "conj", "cc"):
        return None
    auxiliary = _auxiliary(sentence, verb, span[-1])
    if auxiliary is None and (verb.tag not in FINITE or verb.lemma == "be"):
        return None
    if not _agrees(auxiliary, verb) or _is_doubtful(sentence, verb, auxiliary, start):
        return None
    between = sentence.words[span[-1] + 1 : verb.position]
    lead = sentence.words[start : span[0]]
    if any(word.dep == "punct" for word in between) or not _is_lead(sentence, verb, lead):
        return None
    return Clause(sentence, (start, span[0]), (span[0], span[-1] + 1), subject, auxiliary, verb, end)


def _auxiliary(sentence: ParsedSentence, verb: Word, after: int) -> Word | None:
    for child in sentence.children(verb.position, "aux", "auxpass"):
        if after < child.position < verb.position and child.tag in FINITE | {"MD"}:
            return child
    return verb if verb.lemma == "be" and verb.tag in FINITE else None


def _agrees(auxiliary: Word | None, verb: Word) -> bool:
    """Whether the verb has the form that its auxiliary requires; otherwise the parse is wrong."""
    if auxiliary is None or auxiliary.position == verb.position:
        return True
    return verb.tag in (("VB", "VBN") if auxiliary.tag == "MD" else _FORMS.get(auxiliary.lemma, ("VB", "VBN", "VBG")))


def _is_doubtful(sentence: ParsedSentence, verb: Word, auxiliary: Word | None, start: int) -> bool:
    """Whether a participle may have been parsed as the verb: in a later part of a sentence, or if another verb
    follows."""
    if auxiliary is not None or verb.tag != "VBD":
        return False
    subordinate = {
        place
        for word in sentence.words[verb.position + 1 :]
        if word.dep in ("relcl", "advcl", "ccomp", "acl")
        for place in sentence.subtree(word.position)
    }
    later = any(
        word.tag in ("VBZ", "VBP", "MD") or word.text in ("costs", "cost")
        for word in sentence.words[verb.position + 1 :]
        if word.position not in subordinate
    )
    return later or (start > 0 and not sentence.children(verb.position, "dobj", "attr"))


def _is_lead(sentence: ParsedSentence, verb: Word, lead: tuple[Word, ...]) -> bool:
    """Whether the words before the subject are an adverbial of the verb."""
    direct = [word for word in lead if word.head == verb.position and word.dep != "punct"]
    if any(word.dep not in _LEADS for word in direct):
        return False
    covered = {position for word in direct for position in sentence.subtree(word.position)}
    inner = [word for word in lead if word.dep != "punct"]
    joined = all(after - before <= 2 for before, after in pairwise(sorted(covered)))
    return joined and all(word.position in covered for word in inner)
