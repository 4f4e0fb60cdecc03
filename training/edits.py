"""Small changes to a sentence by rule: those that make it wrong (one number, name, negation or direction) and those
that leave it true. Each says which characters of the new text it touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True)
class Edit:
    text: str
    start: int
    end: int
    kind: str


_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
_WORD_NUMBERS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "thirty",
    "forty",
    "fifty",
]
_NAME = re.compile(r"(?<=[a-z,;:)\d] )(?:[A-Z][a-z]+)(?: [A-Z][a-z]+)*")
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_QUARTERS = ["first", "second", "third", "fourth"]
_CURRENCIES = ["$", "€", "£", "USD", "EUR", "GBP"]
_OPPOSITES = [
    tuple(pair.split("/"))
    for pair in [
        "increased/decreased",
        "increase/decrease",
        "increases/decreases",
        "increasing/decreasing",
        "rose/fell",
        "rise/fall",
        "grew/shrank",
        "growth/decline",
        "higher/lower",
        "highest/lowest",
        "more/less",
        "most/least",
        "above/below",
        "over/under",
        "before/after",
        "gain/loss",
        "gains/losses",
        "profit/loss",
        "maximum/minimum",
        "earlier/later",
        "approved/rejected",
        "accepted/refused",
        "open/closed",
        "opened/closed",
        "includes/excludes",
        "included/excluded",
        "bought/sold",
        "buy/sell",
        "long/short",
        "large/small",
        "larger/smaller",
        "big/small",
        "old/young",
        "older/younger",
        "man/woman",
        "men/women",
        "boy/girl",
        "boys/girls",
        "inside/outside",
        "indoors/outdoors",
        "hot/cold",
        "early/late",
        "won/lost",
        "win/lose",
        "always/never",
        "all/none",
        "many/few",
        "first/last",
        "start/end",
        "began/ended",
        "north/south",
        "east/west",
        "northern/southern",
        "eastern/western",
        "left/right",
        "same/different",
        "strong/weak",
        "stronger/weaker",
        "better/worse",
        "best/worst",
        "better/worse",
        "improved/worsened",
        "exceeded/missed",
        "fixed/variable",
        "asset/liability",
        "assets/liabilities",
        "raised/cut",
        "upper/lower",
        "male/female",
        "father/mother",
        "brother/sister",
        "husband/wife",
        "son/daughter",
        "king/queen",
        "actor/actress",
        "with/without",
        "up/down",
        "positive/negative",
        "public/private",
        "national/local",
        "day/night",
        "million/billion",
        "thousand/million",
        "hours/days",
        "days/weeks",
        "weeks/months",
        "months/years",
        "at_least/at_most",
        "domestic/foreign",
        "favorable/unfavorable",
        "current/non-current",
        "gross/net",
        "senior/junior",
        "majority/minority",
        "rural/urban",
        "modern/ancient",
        "cheap/expensive",
        "success/failure",
        "successful/unsuccessful",
        "sitting/standing",
        "running/sleeping",
        "happy/sad",
    ]
]
_AUXILIARIES = re.compile(
    r"\b(is|are|was|were|has been|have been|can|could|will|would|should|may|must|does|do|did)\b(?! not|n't)"
)
_NOT = re.compile(r"\b(is|are|was|were|can|could|will|would|should|may|must|does|do|did|has|have|had) not\b ?")


def wrong(text: str, premise: str, names: Sequence[str], rng: np.random.Generator) -> Edit | None:
    """The text with one detail changed so that it no longer follows; None where no rule applies."""
    makers: list[Callable[[], Edit | None]] = [
        lambda: _number(text, premise, rng),
        lambda: _number(text, premise, rng),
        lambda: _name(text, premise, names, rng),
        lambda: _name(text, premise, names, rng),
        lambda: _opposite(text, rng),
        lambda: _opposite(text, rng),
        lambda: _negation(text, rng),
        lambda: _calendar(text, rng),
        lambda: _swap(text, rng),
    ]
    for index in rng.permutation(len(makers)):
        edit = makers[index]()
        if edit is not None and edit.text != text and edit.text[edit.start : edit.end].strip():
            return edit
    return None


def _replace(text: str, start: int, end: int, new: str, kind: str) -> Edit:
    return Edit(text[:start] + new + text[end:], start, start + len(new), kind)


def _pick(items: Sequence, rng: np.random.Generator):
    return items[int(rng.integers(len(items)))]


def _number(text: str, premise: str, rng: np.random.Generator) -> Edit | None:
    digits = list(_NUMBER.finditer(text))
    worded = list(re.finditer(r"\b(" + "|".join(_WORD_NUMBERS) + r")\b", text))
    if not digits and not worded:
        return None
    match = _pick(digits + worded, rng)
    old = match.group()
    if old in _WORD_NUMBERS:
        return _replace(text, *match.span(), _pick([w for w in _WORD_NUMBERS if w != old], rng), "number")
    others = [n for n in _NUMBER.findall(premise) if n != old and len(n) >= len(old) - 2]
    if others and rng.random() < 0.4:
        return _replace(text, *match.span(), _pick(others, rng), "number")
    return _replace(text, *match.span(), _other_number(old, rng), "number")


def _other_number(old: str, rng: np.random.Generator) -> str:
    value = old.replace(",", "")
    if re.fullmatch(r"(19|20)\d\d", value):
        return str(int(value) + int(_pick([-10, -3, -2, -1, 1, 2, 3, 10], rng)))
    digits = [i for i, character in enumerate(old) if character.isdigit()]
    way = rng.random()
    if way < 0.2 and len(digits) >= 2:
        pairs = [(a, b) for a, b in pairwise(digits) if old[a] != old[b] and old[b] != "0"]
        if pairs:
            a, b = _pick(pairs, rng)
            return old[:a] + old[b] + old[a + 1 : b] + old[a] + old[b + 1 :]
    if way < 0.35 and "." in old:
        return old.replace(".", "") if rng.random() < 0.5 else old.split(".")[0] + "." + str(rng.integers(10, 99))
    at = _pick(digits, rng)
    new = _pick([d for d in "123456789" if d != old[at]], rng)
    return old[:at] + new + old[at + 1 :]


def _name(text: str, premise: str, names: Sequence[str], rng: np.random.Generator) -> Edit | None:
    matches = [m for m in _NAME.finditer(text) if m.group() not in _MONTHS + _DAYS]
    if not matches:
        return None
    match = _pick(matches, rng)
    old = match.group()
    parts = set(old.split())
    near = [n for n in _NAME.findall(premise) if not parts & set(n.split()) and n not in _MONTHS + _DAYS]
    far = [n for n in (_pick(names, rng) for _ in range(8)) if not parts & set(n.split()) and n not in premise]
    pool = near if near and rng.random() < 0.5 else far
    return _replace(text, *match.span(), _pick(pool, rng), "name") if pool else None


def _opposite(text: str, rng: np.random.Generator) -> Edit | None:
    options = []
    for pair in _OPPOSITES:
        for word, opposite in (pair, pair[::-1]):
            word, opposite = word.replace("_", " "), opposite.replace("_", " ")
            options += [(m, opposite) for m in re.finditer(rf"\b{word}\b", text)]
    if not options:
        return None
    match, opposite = _pick(options, rng)
    return _replace(text, *match.span(), opposite, "direction")


def _negation(text: str, rng: np.random.Generator) -> Edit | None:
    negated = _NOT.search(text)
    if negated:
        return _replace(text, *negated.span(), negated.group(1) + " ", "negation")
    auxiliary = _AUXILIARIES.search(text)
    if not auxiliary:
        return None
    new = _pick([" not", " never"], rng) if auxiliary.group() not in ("do", "does", "did") else " not"
    return _replace(text, auxiliary.end(), auxiliary.end(), new, "negation")


def _calendar(text: str, rng: np.random.Generator) -> Edit | None:
    for group in (_MONTHS, _DAYS, _QUARTERS, _CURRENCIES):
        options = [
            (i, w) for w in group for i in [text.find(w)] if i >= 0 and not text[i + len(w) : i + len(w) + 1].isalpha()
        ]
        if options:
            start, word = _pick(options, rng)
            pool = [w for w in group if w != word and w.isalpha() == word.isalpha()]
            return _replace(text, start, start + len(word), _pick(pool, rng), "calendar")
    return None


def _swap(text: str, rng: np.random.Generator) -> Edit | None:
    """Two names, or two numbers, change places."""
    for pattern in (_NAME, _NUMBER):
        matches = list(pattern.finditer(text))
        if len(matches) >= 2 and matches[0].group() != matches[1].group() and rng.random() < 0.7:
            first, second = matches[0], matches[1]
            if text[first.end() : second.start()] == " and " or text[first.end() : second.start()] == ", ":
                continue
            new = second.group() + text[first.end() : second.start()] + first.group()
            return _replace(text, first.start(), second.end(), new, "swap")
    return None


_SAME = [
    tuple(pair.split("/"))
    for pair in [
        "approximately/about",
        "roughly/about",
        "purchased/bought",
        "obtained/received",
        "begins/starts",
        "began/started",
        "commenced/started",
        "movie/film",
        "film/movie",
        "also/",
        "large/big",
        "numerous/many",
        "located/situated",
        "known_as/called",
        "such_as/like",
        "because/since",
        "however/though",
        "children/kids",
        "released/published",
        "primarily/mainly",
        "mostly/mainly",
        "prior_to/before",
        "increased/rose",
        "decreased/fell",
        "decreased/declined",
        "rose/increased",
        "revenue/revenues",
        "company/firm",
        "located_in/in",
        "consists_of/comprises",
        "assist/help",
        "ended/finished",
        "received/got",
        "man/person",
        "woman/person",
        "men/people",
        "women/people",
        "boy/child",
        "girl/child",
        "dog/animal",
        "automobile/car",
    ]
]


def faithful(text: str, rng: np.random.Generator) -> str:
    """A slightly different wording that still follows from the text."""
    for _ in range(int(rng.integers(1, 4))):
        text = _pick([_synonym, _shorter, _recast_number, _lead, _lower, _shorter], rng)(text, rng)
    return text


def _synonym(text: str, rng: np.random.Generator) -> str:
    options = [(a.replace("_", " "), b.replace("_", " ")) for a, b in _SAME]
    options = [(a, b) for a, b in options if re.search(rf"\b{a}\b", text)]
    if not options:
        return text
    a, b = _pick(options, rng)
    return re.sub(rf"\b{a}\b ?", b + " " if b else "", text, count=1).strip()


def _shorter(text: str, rng: np.random.Generator) -> str:
    """Without a parenthesis, an opening phrase, a relative clause, or what follows a semicolon."""
    cuts = [
        (r"\s?\([^()]*\)", ""),
        (r"^(?:In|On|At|During|Since|By) [^,]{3,40}, (?=[a-z])", ""),
        (r", (?:which|who|where|when|while|with|including|such as) [^,.;]+(?=[.,]|$),?", ""),
        (r"; .*$", "."),
        (r", (?:and|but) [^,]+ (?:is|was|are|were|has|had) [^,]+$", "."),
    ]
    pattern, new = _pick(cuts, rng)
    short = re.sub(pattern, new, text, count=1).strip()
    return short[:1].upper() + short[1:] if len(short) > 20 else text


def _recast_number(text: str, rng: np.random.Generator) -> str:
    match = re.search(r"(\d+)\.(\d) (million|billion)", text)
    if match and rng.random() < 0.7:
        below = {"million": "thousand", "billion": "million"}[match.group(3)]
        return text[: match.start()] + f"{match.group(1)},{match.group(2)}00 {below}" + text[match.end() :]
    match = re.search(r"\b\d{1,3}(?:,\d{3})+\b", text)
    if match:
        return text[: match.start()] + match.group().replace(",", "") + text[match.end() :]
    return text.replace("%", " percent", 1)


def _lead(text: str, rng: np.random.Generator) -> str:
    if rng.random() < 0.5:
        return text
    lead = _pick(
        ["Yes, ", "According to the text, ", "I know that ", "As stated, ", "The document says that ", "Well, "], rng
    )
    return lead + text


def _lower(text: str, rng: np.random.Generator) -> str:
    return text.lower().rstrip(" .") if rng.random() < 0.5 else text.rstrip(" .")
