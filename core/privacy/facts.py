"""Facts that a bank knows about one customer, in plain words: that payments are missed, or that a loan was refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hcat.core.privacy.hit import Hit
from hcat.core.text import sentences

KIND = "account fact"
_PERSON = (
    r"(?:\b(?:[Ss]he|[Hh]e)\b(?:['’]s)?|\b[Hh](?:er|is)\b|\b(?:Mr|Mrs|Ms|Miss|Dr)\b\.?\s+[A-Z][\w'’-]*|"
    r"\b[Tt]h(?:e|is) (?:customer|client|account holder|cardholder|borrower|policyholder|applicant)\b(?:['’]s)?|"
    r"\b(?:account|card|loan) (?:ending|\d{4,}))"
)
_RULE = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|should|whether|in case|may|might|can|could|would|must|any|each|every|who|"
    r"whose|suppose|example|for instance|typically|usually|generally)\b|\?",
    re.IGNORECASE,
)
"""Signs that a sentence is a rule, a question or an example, which discloses nothing about a person."""
_DEBT = r"(?:mortgage|loan|credit|card|rent|bill|instal?ment|repayment|payment|debt|account)s?"
_FACTS: Mapping[str, tuple[str, str]] = {
    "arrears": (
        rf"(?:behind (?:on|with) (?:\w+ ){{0,3}}{_DEBT}|in arrears|(?:missed|skipped) (?:\w+ ){{0,4}}(?:{_DEBT})|"
        rf"defaulted on|overdue (?:on|with) (?:\w+ ){{0,3}}{_DEBT})",
        r"behind|arrears|missed|overdue|default|late payment|unpaid|outstanding",
    ),
    "no funds": (
        r"(?:insufficient funds|not enough money|overdrawn|(?:direct debit|cheque|check|payment) (?:has )?bounced)",
        r"insufficient|overdrawn|bounced|not enough|returned",
    ),
    "declined": (
        r"(?:(?:loan|credit|mortgage|card|overdraft)(?: application| request)? (?:was|has been) "
        r"(?:rejected|declined|refused|denied|cancelled|blocked|frozen)|(?:was|has been) declined (?:at|in|by)\b|"
        r"account (?:was|has been|is) (?:blocked|frozen|closed|suspended))",
        r"reject|declin|refus|denied|cancel|block|frozen|freez|closed|suspend",
    ),
    "bankrupt": (r"(?:declared bankrupt|(?:is|went|was) bankrupt|filed for bankruptcy|insolven)", r"bankrupt|insolven"),
    "moved": (r"account (?:\w+ ){0,5}(?:was|has been) (?:debited|credited|charged)\b", r"debited|credited|charged"),
}
"""By name: the wording of a fact about a person, and of a context with the same fact."""
_TOLD = {
    name: re.compile(rf"{_PERSON}[^.;:?!\n]{{0,60}}?\b(?P<what>{told})", re.DOTALL)
    for name, (told, _) in _FACTS.items()
}
_HELD = {name: re.compile(rf"\b(?:{held})", re.IGNORECASE) for name, (_, held) in _FACTS.items()}


def account_facts(text: str) -> Iterator[Hit]:
    """Facts about one person. In English, by rule: a sentence with a condition or about everybody contains none."""
    for sentence in sentences(text):
        if _RULE.search(sentence.text):
            continue
        for name, pattern in _TOLD.items():
            for match in pattern.finditer(sentence.text):
                start, end = sentence.start + match.start(), sentence.start + match.end()
                yield Hit(KIND, "phrase", start, end, match.group(), "wording", name, name)


def states_fact(hit: Hit, text: str) -> bool:
    """Whether a text states such a fact, in any words."""
    return _HELD[hit.key].search(text) is not None
