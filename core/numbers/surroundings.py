"""The meaning of the words around a number: up or down, gain or loss, a payment, a rate's period, a table or a text."""

from __future__ import annotations

import re
from decimal import Decimal

from hcat.core.late_pattern import LatePattern
from hcat.core.numbers.number import Direction, Surroundings

_REACH = 300
"""The number of characters before a number that are searched for its clause or the label of its row."""
_NEAR = 40
"""The number of characters after a number within which a noun may still govern it."""

_UP_CHANGE = (
    r"rose|rises?|risen|rising|increas(?:e|es|ed|ing)|gr[eo]w(?:s|n|ing)?|growth|rais(?:e|es|ed|ing)|climb(?:s|ed)?|"
    r"jump(?:s|ed)?|widen(?:s|ed|ing)?|expan(?:d|ds|ded|sion)|improve(?:s|d|ment)?|gain(?:s|ed)?|add(?:s|ed)|surged?|"
    r"appreciat(?:ed|ion)"
)
_DOWN_CHANGE = (
    r"fell|falls?|fallen|falling|decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|drop(?:s|ped)?|reduc(?:e|es|ed|ing|tions?)|"
    r"cuts?|shrank|shrunk|shrinks?|narrow(?:s|ed|ing)?|contract(?:ed|ion)|lost|los(?:es|ing)|slid|slipped|plunged?|"
    r"plummeted|lowered|depreciated"
)
_UP_RESULT = (
    r"profits?|(?:net|operating)\s+(?:income|earnings)(?!\s+tax)|surplus(?:es)?|(?:in)flows?|generat(?:ed|es|ing)|"
    r"provided\s+by|earn(?:s|ed|ing)?|credited"
)
_DOWN_RESULT = (
    r"negative|loss(?:es)?|deficits?|outflows?|consum(?:ed|es|ing)|used\s+in|withdr[ae]wn?|withdrawals?|debited|"
    r"shortfalls?"
)
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?P<up_change>{_UP_CHANGE})|(?P<down_change>{_DOWN_CHANGE})|(?P<up_result>{_UP_RESULT})|"
    rf"(?P<down_result>{_DOWN_RESULT})|(?P<up>up(?=\s(?:by\s)?\S{{0,3}}\Z))|(?P<down>down(?=\s(?:by\s)?\S{{0,3}}\Z)))"
    r"(?![\w-])",
    re.IGNORECASE,
)
_VERB = re.compile(r"rose|rises|grew|raised|fell|falls|shrank|lost|gained|cut|slid|\w+(?:ed|ing)\Z", re.IGNORECASE)
_ANY = rf"{_UP_CHANGE}|{_DOWN_CHANGE}|{_UP_RESULT}|{_DOWN_RESULT}|income|earnings"
_EITHER_WAY = LatePattern(
    rf"\b(?P<unsigned>{_ANY})\s*/?\s*\((?:{_ANY})\)|\((?:{_ANY})\)\s*/?\s*(?:\w+\s)?(?P<after>{_ANY})\b", re.IGNORECASE
)
"""A label such as "income (loss)": the word outside the parentheses applies to a number without a sign."""
_BOTH = re.compile(
    r"\b(?:profits?|gains?|increases?|incomes?|inflows?)\s*(?:and|or|,|/)\s*(?:loss(?:es)?|decreases?|outflows?)|"
    r"\bloss(?:es)?\s+(?:and|or)\s+(?:gains?|profits?)|\bdecreases?\s+(?:and|or)\s+increases?",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s-]{1,2}(?:[a-z]+[\s-]){0,2}?(?:(?P<up>increase|rise|gain|growth|profit|surplus|inflow|higher|more|up)|"
    r"(?P<down>decrease|decline|drop|fall|cut|reduction|loss|deficit|outflow|lower|less|fewer|down))s?(?![\w-])",
    re.IGNORECASE,
)
_STOPS_AFTER = re.compile(r"\b(?:to|from|of|and|or|was|were|is|are|in|on|by|with|than|while|as|for|at|after|that)\b")
_LEVEL = re.compile(r"\b(?:to|from|at|reach(?:ed|es|ing)?)\s+(?:[a-z-]+\s+){0,4}\S{0,4}\Z", re.IGNORECASE)
_GAIN_TAKEN_OUT = re.compile(r"\bgains?\)?\s+(?:on|from|associated)\b", re.IGNORECASE)
"""In a statement of cash flows a gain is in parentheses, since it is subtracted from the result."""
_LEADERS = re.compile(r"\.{3,}")
_OPERATOR_BEFORE = re.compile(r"(?:[/*×÷]|\d\)?\s(?:\w+\s)?[-−–+])[\s(\[$€£]*\Z")
_OPERATOR_AFTER = re.compile(r"[\s)\]]*(?:[/*×÷+]|\s[-−–]\s?[$€£(]*\d)")
_OUTFLOW = re.compile(
    r"\b(?:purchas\w*|pa(?:id|ys?|yments?)|repa(?:id|yments?)|spen[dt]\w*|expens\w*|expenditures?|capex|costs?|tax(?:es)?|"
    r"charges?|dividends?|repurchas\w*|buybacks?|acquisitions?|acquired|invested|investments?\s+in|distributions?|"
    r"amorti[sz]ation|depreciation|provisions?|write-?(?:offs?|downs?)|allowances?|deductions?|less|accumulated|"
    r"treasury|impairments?|redemptions?|redeemed|settlements?|settled|additions|advances|contributions?)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?]\s+(?=\S)|\n\s*\n")
_TURN = re.compile(r"\b(?:while|whereas|but|offset|against|compared|versus|after|although|partially)\b", re.IGNORECASE)
_PROSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|may|can|must|would|should|increased|decreased|rose|fell|grew|declined|"
    r"totall?ed|amounted|recorded|recogni[sz]ed|received|includes?|included|represents?|approximately|we|our)\b"
)
_UNSCALED = re.compile(r"\bper\b|\bnumber\s+of\b|\bratio\b|\bheadcount\b|\beach\b|\bEPS\b|\ba\s+share\b", re.IGNORECASE)
_PERIODS = {
    "year": "year|annum|annually|annual|yearly|p.a", "month": "month|monthly", "week": "week|weekly",
    "day": "day|daily", "quarter": "quarter|quarterly", "hour": "hour|hourly", "share": "share",
}  # fmt: skip
_PERIOD_OF = {word: name for name, words in _PERIODS.items() for word in words.split("|")}
_PER = re.compile(
    r"\s?(?:(?:per|an?|each|every|/)\s?(?P<unit>year|annum|month|week|day|quarter|hour|share)|"
    r"(?P<adverb>annually|yearly|monthly|weekly|daily|quarterly|hourly|p\.a))\b",
    re.IGNORECASE,
)
_PERIODIC = re.compile(r"\b(annual|yearly|monthly|weekly|daily|quarterly|hourly)\s+(?:[a-z]+\s+){0,5}\S{0,3}\Z", re.I)


def surroundings(text: str, start: int, end: int, value: Decimal) -> Surroundings:
    """The meaning that the words around the number at `start` to `end` add to it."""
    before, after = _clause_before(text, start), text[end : end + _NEAR]
    line = _line(text, start, end)
    return Surroundings(
        direction=_direction(before, after, value),
        outflow=_OUTFLOW.search(before) is not None
        or _GAIN_TAKEN_OUT.search(before) is not None
        or _OUTFLOW.match(after.lstrip(" -")) is not None,
        period=_period(before, after),
        in_prose=len(re.findall(r"[a-z]{2,}", line)) >= 5 and _PROSE.search(line) is not None,
        unscaled=_UNSCALED.search(before) is not None or _UNSCALED.match(after.lstrip()) is not None,
        operand=_OPERATOR_BEFORE.search(text, max(0, start - 16), start) is not None
        or _OPERATOR_AFTER.match(text, end) is not None,
    )


def _clause_before(text: str, start: int) -> str:
    """The part of the sentence before a number, or the label of its row, if cells have lines of their own."""
    before = _LEADERS.sub(" ", text[max(0, start - _REACH) : start])
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    before = before[ends[-1] :] if ends else before
    lines = before.split("\n")
    chosen = lines.pop()
    while lines and (not re.search("[A-Za-z]{2}", chosen) or (chosen[:1].islower() and lines[-1][-1:] not in ":.;")):
        chosen = f"{lines.pop()} {chosen}"
    return chosen


def _line(text: str, start: int, end: int) -> str:
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return text[first : last if last >= 0 else len(text)][:1000]


def _direction(before: str, after: str, value: Decimal) -> Direction | None:
    if value < 0:
        return None if _GAIN_TAKEN_OUT.search(before) else "down"
    if before.endswith("+"):
        return "up"
    return _noun_after(after) or _word_before(before)


def _noun_after(after: str) -> Direction | None:
    match = _AFTER.match(after)
    if match is None or _STOPS_AFTER.search(match.group()):
        return None
    return "up" if match["up"] else "down"


def _word_before(before: str) -> Direction | None:
    """The nearest word of direction; verbs of change do not govern a level ("fell to", "rose from")."""
    labels = list(_EITHER_WAY.finditer(before))
    if labels:
        return _direction_of(labels[-1]["unsigned"] or labels[-1]["after"])
    words = list(_WORDS.finditer(before))
    if not words or _BOTH.search(before):
        return None
    word = words[-1]
    if _TURN.search(before, word.end()) or _is_level(before, word):
        return None
    return "up" if (word.lastgroup or "").startswith("up") else "down"


def _is_level(before: str, word: re.Match[str]) -> bool:
    if (word.lastgroup or "").endswith("result"):
        return False
    level = _LEVEL.search(before, word.end())
    return level is not None and (level.start() - word.end() <= 1 or _VERB.match(word.group()) is not None)


def _direction_of(word: str) -> Direction:
    return "down" if re.fullmatch(f"{_DOWN_CHANGE}|{_DOWN_RESULT}", word, re.IGNORECASE) else "up"


def _period(before: str, after: str) -> str | None:
    match = _PER.match(after)
    if match is not None:
        return _PERIOD_OF[(match["unit"] or match["adverb"]).lower()]
    word = _PERIODIC.search(before)
    return None if word is None else _PERIOD_OF[word[1].lower()]
