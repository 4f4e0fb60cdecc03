"""Account and transaction phrases: facts that a bank knows about one customer, in the words of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.privacy.facts import account_facts
from hcat.core.privacy.hit import Hit

_AMOUNT = (
    r"(?:(?:EUR|USD|GBP|CHF|[€$£])\s?-?\d[\d,.\s]{0,30}\d|(?:EUR|USD|GBP|CHF|[€$£])\s?\d|"
    r"\d[\d,.]{0,30}\s?(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|francs?|[€$£]))"
)
_OWNER = (
    r"(?:\b(?i:your|his|her|their|my)\b|\b(?i:the|this|that|our) (?:customer|client|account holder|cardholder|borrower|"
    r"member|policyholder|applicant)['’]s?|(?<![\w-])[A-Z][\w-]+(?: [A-Z][\w-]+)?['’]s?)"
)
_HOLDING = (
    r"(?:(?:account |card |loan |current |outstanding |available |remaining |closing |credit |savings )*"
    r"(?:balance|overdraft|debt|arrears|salary|income|credit limit|credit score|savings|deposit|pension|mortgage|loan|"
    r"portfolio|net worth|last (?:payment|purchase|transaction|deposit|withdrawal)|"
    r"(?:most )?recent (?:payment|purchase|transaction|deposit|withdrawal)))"
)
_BALANCE = re.compile(
    rf"{_OWNER}\s+(?P<what>{_HOLDING})(?:\s+(?:on|at|in|as of|with|to|from)\s+[\w '’,-]{{1,50}}?)?"
    rf"\s*(?:is|was|are|were|stands at|stood at|of|at|amounts to|amounted to|:)\s*(?:currently\s|now\s|about\s)?"
    rf"(?P<value>-?{_AMOUNT}|\d{{3}}\b)",
)
_MOVED = (
    r"(?P<what>paid|transferred|sent|received|withdrew|withdrawn|deposited|spent|wired|"
    r"repaid|debited|credited|refunded)"
)
_PARTY = (
    r"(?:\s+(?:to|from|at|by|with|for|into|in)\s+(?:(?:the|an?|your|his|her|their)\s+)?(?:(?:account\s+)?[A-Z][\w&.'’-]*|"
    r"(?:account|acct|a/c|card)\s+(?:ending\s+(?:in\s+)?)?\d{4,})"
    r"|\s+on\s+(?:the\s+)?\d{1,2}\b|\s+on\s+(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\s+on\s+[A-Z][a-z]+\s+\d{1,2}\b"
    r"|\s+yesterday\b|\s+last\s+(?:week|month|year|\w+day)\b)"
)
_TRANSACTION = re.compile(
    rf"(?<!is )(?<!are )(?<!be )(?<!being ){_MOVED}\s+(?:you\s|him\s|her\s|them\s|in\s|out\s)?"
    rf"(?P<value>{_AMOUNT}){_PARTY}"
)
_PASSIVE = re.compile(
    rf"(?P<value>{_AMOUNT})\s+(?:was|were|has been|have been)\s+{_MOVED}{_PARTY}",
)
_NUMBER = re.compile(
    r"\b(?P<what>(?:account|acct|a/c|policy|customer|client|member(?:ship)?|loan|mortgage|claim|contract|case|reference|"
    r"booking|employee|patient)\s*(?:number|no|nr|id|ref(?:erence)?|#)\b\.?)"
    r"(?:\s+(?:for|of)\s+[\w .'’-]{1,40}?)?\s*(?:is|was|are|:|=)?\s*[\"'“]?"
    r"(?P<value>[A-Z]{0,4}[ -]?\d(?:[ -]?\d){4,17})(?![\w]|[.,]\d)",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\b(?P<what>born on|date of birth(?: is| was|:)?|birthday is|dob:?)\s+(?:the\s+)?"
    r"(?P<value>\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]+,? \d{4}|"
    r"[A-Z][a-z]+ \d{1,2},? \d{4})",
    re.IGNORECASE,
)
_PLAIN_NUMBER = re.compile(
    r"\b(?P<what>account|acct\.?|a/c)\s+(?P<value>\d(?:[ -]?\d){5,17})(?![\w]|[.,]\d)", re.IGNORECASE
)
_LAST_DIGITS = re.compile(
    r"\b(?P<what>(?:account|card|loan|policy)(?: number)?) (?:that ends|which ends|ending|ends) (?:in |with )?"
    r"(?P<value>\d{4})(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_SOMEBODY = (
    r"(?:\b[Ss]?[Hh]e\b|\b(?:Mr|Mrs|Ms|Miss|Dr)\b\.?\s+[A-Z][\w'’-]*|\b[Tt]he (?:customer|client|account holder|"
    r"borrower)\b|\b(?:[Yy]our|[Hh]is|[Hh]er) account)"
)
_HAS = re.compile(
    rf"{_SOMEBODY}\s+(?P<what>earns|earned|owes|owed|has|had|(?:is|was) overdrawn by)\s+"
    rf"(?:(?!up to|at least|to)\w+\s+){{0,3}}?(?P<value>{_AMOUNT})"
)
_OWNED = re.compile(
    rf"\b[A-Z][a-z]+ [A-Z][a-z'’-]+\s+(?P<what>earns|earned|owes|owed|has|had)\s+(?P<value>{_AMOUNT})"
    r"(?=[^.]{0,40}\b(?:his|her)\b|\s+(?:an?|per) (?:year|month))"
)
_SORT_CODE = re.compile(r"\b(?P<what>sort code)\s*(?:is|was|:)?\s*(?P<value>\d\d[- ]\d\d[- ]\d\d)\b", re.IGNORECASE)


def account_phrases(text: str) -> Iterator[Hit]:
    """Numbers of accounts and customers, balances and the like of a person, and payments that were made.

    The span is the whole phrase for a balance or a payment, and the number for a number. Rules for everybody ("you can
    withdraw EUR 500 a day") are excluded: the phrase must have an owner, or a payment a party or a day."""
    for match in (*_NUMBER.finditer(text), *_PLAIN_NUMBER.finditer(text), *_SORT_CODE.finditer(text)):
        value = match["value"].strip()
        start = match.start("value") + match["value"].index(value)
        key = re.sub(r"[\W_]", "", value).casefold()
        kind = "sort code" if match["what"].lower() == "sort code" else "account or customer number"
        yield Hit(
            kind, "phrase", start, start + len(value), value, "wording", key, " ".join(match["what"].lower().split())
        )
    for match in _LAST_DIGITS.finditer(text):
        key = match["value"]
        yield Hit("last digits", "phrase", match.start(), match.end(), match.group(), "wording", key)
    for match in _BORN.finditer(text):
        key = match["value"].casefold()
        yield Hit("date of birth", "phrase", match.start("value"), match.end("value"), match["value"], "wording", key)
    yield from account_facts(text)
    for kind, pattern in (
        ("account phrase", _BALANCE),
        ("transaction", _TRANSACTION),
        ("transaction", _PASSIVE),
        ("transaction", _HAS),
        ("transaction", _OWNED),
    ):
        for match in pattern.finditer(text):
            what = match["what"].lower()
            yield Hit(
                kind, "phrase", match.start(), match.end(), match.group(), "wording", amount_key(match["value"]), what
            )


def amount_key(amount: str) -> str:
    """The amount without currency, layout and trailing zeros: "EUR 4,210.50" and "4210.5 euros" are "4210.5"."""
    digits = re.sub(r"[^\d.,]", "", amount).rstrip(".,")
    digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
