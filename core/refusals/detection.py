"""Whether a text answers or declines: sentence by sentence, by rule, in five languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from hcat.core.refusals import other_languages, phrases
from hcat.core.refusals.declining import ALONE, DECLINES, UNABLE
from hcat.core.text import Sentence, sentences, tokens
from hcat.core.types import Sample

Kind = Literal["answered", "refused", "empty", "error"]
Role = Literal["declines", "answers", "refers", "states"]
"""The role of a sentence.

It declines; it answers nevertheless; it refers elsewhere (how or where an answer could be found, a question back, an
explanation of a term, or the subject of the source); or it states something else."""


@dataclass(frozen=True, slots=True)
class SentenceRole:
    """A sentence of an answer and its role. `phrase` is the evidence that it declines, unchanged."""

    sentence: Sentence
    role: Role
    phrase: str | None = None


@dataclass(frozen=True, slots=True)
class Answering:
    """Whether a text answers, and why in a line. `roles` are those of its sentences."""

    kind: Kind
    because: str
    roles: tuple[SentenceRole, ...] = ()

    @property
    def wholly_refused(self) -> bool:
        """Whether it declines and states nothing else, so that nothing could be made up."""
        return self.kind == "refused" and not any(_states(role) for role in self.roles)

    @property
    def declining(self) -> tuple[SentenceRole, ...]:
        return tuple(role for role in self.roles if role.role == "declines")


@lru_cache(maxsize=4096)
def answering(text: str | None) -> Answering:
    """Whether a text answers, declines ("refused"), is blank ("empty") or absent ("error").

    A text that declines somewhere is still an answer if it begins with one ("Yes", "Based on the context, …"), goes on
    to give one ("the context does not state X, but …"), or gives one and only adds what the source leaves open. By
    rule, for English, German, French, Spanish and Chinese; precision and recall are measured in
    tests/core/refusals/test_detection.py and test_other_languages.py."""
    if text is None:
        return Answering("error", "there is no answer")
    if not text.strip():
        return Answering("empty", "the answer is blank")
    roles = _without_examples(_only_referrals([_role(sentence) for sentence in sentences(text)]))
    kind, because = _decide(roles)
    return Answering(kind, because, roles)


def answerable(sample: Sample) -> bool | None:
    """Whether the corpus contains the answer; None if the test case does not show it.

    It does not if the reference declines, a variant says that it must be refused, or the test case was made as an
    unanswerable one; it does if passages are given as relevant, or a reference answers."""
    made_so = sample.dimensions.get("query_type") == "unanswerable"
    if made_so or answering(sample.reference).kind == "refused" or sample.metadata.get("expectation") == "refuse":
        return False
    relevant = any(grade >= 1 for grade in sample.relevant_ids.values()) or bool(sample.reference_contexts)
    return True if relevant or answering(sample.reference).kind == "answered" else None


def _decide(roles: Sequence[SentenceRole]) -> tuple[Kind, str]:
    answered = _why_answered(roles)
    return ("refused", "declines") if answered is None else ("answered", answered)


def _why_answered(roles: Sequence[SentenceRole]) -> str | None:
    declining = [position for position, role in enumerate(roles) if role.role == "declines"]
    if not declining:
        return "no sentence declines"
    first, last = declining[0], declining[-1]
    answers = [position for position, role in enumerate(roles) if role.role == "answers"]
    if first > 0 and _opens_with_answer(roles[0], withdrawn=_withdrawn(roles)):
        return "begins with an answer"
    if any(position > last or phrases.CONCLUDES.match(_plain(roles[position].sentence.text)) for position in answers):
        return "answers after declining"
    if answers and not any(_takes_back(role) for role in roles[answers[-1] + 1 :]):
        return "answers, and says what the source leaves open"
    if any(_takes_back(role) for role in roles):
        return None
    if roles[0].role == "states":
        return "states something, and says what the source leaves open"
    turned = any(role.role == "states" and phrases.CONTRAST.match(_plain(role.sentence.text)) for role in roles[last:])
    return "answers after declining" if turned else None


def _opens_with_answer(role: SentenceRole, *, withdrawn: bool) -> bool:
    plain = _plain(role.sentence.text)
    if phrases.YES_NO.match(plain):
        return True
    return not withdrawn and phrases.VERDICT.match(plain) is not None and phrases.PLANS.search(plain) is None


def _withdrawn(roles: Sequence[SentenceRole]) -> bool:
    """Whether the text ends with what the speaker cannot say: nothing is stated after it."""
    stated = max((position for position, role in enumerate(roles) if role.role in ("states", "answers")), default=-1)
    return any(_takes_back(role) for role in roles[stated + 1 :])


def _takes_back(role: SentenceRole) -> bool:
    """Whether it withdraws what was said before; not if it withholds only further details."""
    plain = _plain(role.sentence.text)
    in_english = UNABLE.search(plain) is not None and phrases.ONLY_DETAILS.search(plain) is None
    return role.role == "declines" and (in_english or other_languages.SPEAKER.search(plain) is not None)


def _role(sentence: Sentence) -> SentenceRole:
    plain = _plain(sentence.text)
    declines = _declines(plain)
    if declines is not None:
        if phrases.YES_NO.match(plain) or _answers_in_spite(plain, declines) or _answers_first(plain, declines):
            return SentenceRole(sentence, "answers")
        return SentenceRole(sentence, "declines", sentence.text[declines.start() : declines.end()])
    if any(
        rule.search(plain) for rule in (phrases.REFERS, phrases.EXPLAINS, phrases.ASKS_BACK, other_languages.REFERS)
    ):
        return SentenceRole(sentence, "refers")
    if (
        (phrases.ANSWER_IS.search(plain) and not phrases.SUPPOSING.match(plain))
        or phrases.QUANTITY.search(plain)
        or (phrases.CONTRAST.match(plain) and phrases.FINDS.search(plain))
    ):
        return SentenceRole(sentence, "answers")
    return SentenceRole(sentence, "states")


def _declines(plain: str) -> re.Match[str] | None:
    """The part that shows that the sentence declines; not in a condition ("if the data is not provided, …")."""
    for declines, alone, condition in (
        (DECLINES, ALONE, phrases.CONDITION),
        (other_languages.DECLINES, other_languages.ALONE, other_languages.CONDITION),
    ):
        matches = (match for match in declines.finditer(plain) if not condition.search(plain, 0, match.start()))
        match = next(matches, None) or alone.fullmatch(plain)
        if match is not None:
            return match
    return None


def _only_referrals(roles: Sequence[SentenceRole]) -> Sequence[SentenceRole]:
    """The roles, with referrals declining if every sentence refers elsewhere or asks back.

    Those are the sentences that send the reader to somebody else, or ask what is meant."""
    if any(role.role != "refers" for role in roles):
        return roles
    return [_referral(role) for role in roles]


def _referral(role: SentenceRole) -> SentenceRole:
    text = role.sentence.text
    plain = _plain(text)
    asking = phrases.ASKS_BACK.search(plain)
    if asking is None and not phrases.FOR_ACTION.search(plain):
        asking = phrases.ASKS_ELSEWHERE.search(plain)
    if asking is None:
        return role
    return SentenceRole(role.sentence, "declines", text[asking.start() : asking.end()])


def _states(role: SentenceRole) -> bool:
    quantified = phrases.QUANTITY.search(role.sentence.text) is not None
    return role.role in ("states", "answers") or (role.role == "refers" and quantified)


def _without_examples(roles: Sequence[SentenceRole]) -> tuple[SentenceRole, ...]:
    """The roles without examples: after a declining sentence, what follows "for example" or "suppose" is made up."""
    declined = made_up = False
    cleaned: list[SentenceRole] = []
    for role in roles:
        declined = declined or role.role == "declines"
        made_up = made_up or (declined and phrases.SUPPOSES.search(_plain(role.sentence.text)) is not None)
        cleaned.append(replace(role, role="refers") if made_up and role.role == "answers" else role)
    return tuple(cleaned)


def _answers_in_spite(plain: str, declines: re.Match[str]) -> bool:
    """Whether the sentence goes on to answer: "the text does not say X, but …", "although it does not say X, …"."""
    turn = phrases.TURN.search(plain, declines.end())
    turned = other_languages.TURN.search(plain, declines.end())
    if turn is None and turned is not None:
        return _is_answer(plain[turned.end() :])
    if turn is None and phrases.CONCEDES.match(plain):
        turn = phrases.COMMA.search(plain, declines.end())
    rest = plain[turn.end() :] if turn is not None else ""
    return len(rest.split()) >= 3 and not DECLINES.search(rest) and not phrases.REFERS.search(rest)


def _is_answer(rest: str) -> bool:
    """Whether the part after the turn of a sentence in another language states something."""
    declines = other_languages.DECLINES.search(rest) or other_languages.REFERS.search(rest)
    return len(tokens(rest)) >= 3 and not declines


def _answers_first(plain: str, declines: re.Match[str]) -> bool:
    """Whether the sentence gives a quantity before it says what is missing: "it is 15 euros, although …"."""
    limit = next(phrases.LIMITS.finditer(plain, 0, declines.start()), None)
    return limit is not None and phrases.QUANTITY.search(plain, 0, limit.start()) is not None


def _plain(text: str) -> str:
    """Lower case and straight quotes, character by character, so that offsets are preserved."""
    straight = text.replace("’", "'")
    if straight.isascii():
        return straight.lower()
    return "".join(low if len(low := character.lower()) == 1 else character for character in straight)
