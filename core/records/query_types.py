"""The type of a query by its wording, without its answer, for queries in English and German.

Wording does not show whether a query needs several passages or an inference; such queries have the type of their
wording here. Checked against the stated types of test cases in tests/core/records/test_query_types.py."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from hcat.core.language import ENGLISH, language_of

WordedType = Literal["factual", "yes/no", "multiple choice", "comparison", "open"]
"""factual: what, who, when, where, which, how much; comparison: one thing with another; open: how, why, explain."""

GERMAN = "German"
_OPTIONS = re.compile(
    r"which (?:one )?of the following|welche[rs]? der folgenden|(?:^|\s)\(?a[).]\s.+\s\(?b[).]\s",
    re.IGNORECASE | re.DOTALL,
)
_LEAD = {
    ENGLISH: re.compile(
        r"^(?:(?:hi|hello|hey|please|so|and|ok|okay|thanks)\b[,!. ]*|"
        r"(?:could|can|would|will) you (?:please |kindly )?(?:tell|explain to|inform|show) (?:me|us)\b[,: ]*|"
        r"(?:do you (?:happen to )?know|any idea|may i ask|i(?: would|'d) like to know|i want to know|"
        r"i(?: would|'d) like to ask|i wonder|i was wondering|tell me|let me know|question:)\b[,: ]*)+"
    ),
    GERMAN: re.compile(
        r"^(?:(?:hallo|guten tag|bitte|und)\b[,!. ]*|"
        r"(?:können|könnten|würden) sie mir (?:bitte )?(?:sagen|erklären|mitteilen)\b[,: ]*|"
        r"(?:wissen sie|ich (?:möchte|würde gern(?:e)?) wissen|ich frage mich|sag(?:en)? (?:sie )?mir)\b[,: ]*)+"
    ),
}
"""Polite phrases before the question itself, in lower case."""
_FRAME = re.compile(r"^(?:[^,?!.]{1,120}), (?=\w)")
"""A first phrase before a comma: "For the Classic account, ", "According to the report, "."""
_COMPARISON = {
    ENGLISH: re.compile(
        r"\b(?:compar(?:e[sd]?|ed|ing|ison)|differences? between|versus|vs\.?|differs? from|differently from|"
        r"(?:\w+er|more|less|fewer|better|worse)\b[^?.,]{0,60}\bthan(?! (?:[€£$\d]|eur|usd|gbp|chf|half|one|two))|"
        r"same as)\b"
    ),
    GERMAN: re.compile(
        r"\b(?:vergl(?:eich|ichen)\w*|unterschied\w*|unterscheide\w*|gegenüber|(?:\w{3,}er|mehr) als(?! [€£$\d]))\b"
    ),
}
_OPEN = {
    ENGLISH: re.compile(
        r"^(?:why|how come|explain|describe|summari[sz]e|outline|discuss|elaborate|walk me through|give me|list|"
        r"name (?:all|the)|what (?:should|do) i (?:need to )?know|what applies|what happens|"
        r"what are the (?:main |key )?(?:points|steps|reasons?|benefits|advantages|disadvantages|risks|factors)|"
        r"what (?:is|was) the (?:process|procedure|reason)|"
        r"in what way|how (?!much|many|long|often|old|far|high|large|big|soon|late|early|quickly|fast|frequently|"
        r"wide|deep|tall))\b|\bmain points\b"
    ),
    GERMAN: re.compile(
        r"^(?:warum|wieso|weshalb|erklär\w*|erläuter\w*|beschreib\w*|nenne\w*|fass\w*|inwiefern|"
        r"was (?:passiert|geschieht|gilt)|wie (?!viel|lang|hoch|oft|alt|weit|groß|häufig|schnell|teuer)\w*)"
    ),
}
_ASKING = {
    ENGLISH: re.compile(
        r"\b(?:what|who|whom|whose|when|where|which|how (?:much|many|long|often|old|far|high|large|big|soon|late|early|"
        r"quickly|fast|frequently|wide|deep|tall))\b|\bwhat's\b"
    ),
    GERMAN: re.compile(
        r"\b(?:was|wer|wem|wen|wessen|wann|wo|woher|wohin|welche\w*|wie ?viele?|wie \w+|wo(?:für|mit|von|zu|ran))\b"
    ),
}
_POLAR = {
    ENGLISH: re.compile(
        r"^(?:is|are|was|were|am|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|whether|"
        r"isn't|aren't|doesn't|don't|didn't|can't|won't)\b"
    ),
    GERMAN: re.compile(
        r"^(?:ist|sind|war|waren|hat|haben|hatte|kann|können|könnte|darf|dürfen|muss|müssen|soll|sollte|wird|werden|"
        r"gibt es|gilt|ob|habe|bin|wurde|bietet|brauche|kostet)\b"
    ),
}


@lru_cache(maxsize=16384)
def query_type_of(query: str) -> WordedType | None:
    """The type of a query by its wording; None if it is in neither language or asks nothing."""
    if _OPTIONS.search(query):
        return "multiple choice"
    told = language_of(query)
    languages = (told,) if told in (ENGLISH, GERMAN) else () if told is not None else (ENGLISH, GERMAN)
    text = " ".join(query.split()).replace("’", "'")
    return next((found for each in languages if (found := _worded(_question(text).lower(), each)) is not None), None)


def _question(text: str) -> str:
    """The last sentence that ends with a question mark; the whole text if there is none."""
    asked = [part for part in re.split(r"(?<=[?!])|(?<=\.)(?!\d)", text) if part.endswith("?")]
    return asked[-1].strip() if asked else text


def _worded(question: str, language: str) -> WordedType | None:
    bare = _LEAD[language].sub("", question, count=1).strip()
    if bare != question and bare.startswith("if "):
        return "yes/no"
    framed = _FRAME.sub("", bare, count=1)
    starts = tuple(dict.fromkeys((bare, framed, _LEAD[language].sub("", framed, count=1))))
    if _POLAR[language].match(bare):
        return "yes/no"
    if _COMPARISON[language].search(bare):
        return "comparison"
    for start in starts:
        if _OPEN[language].search(start):
            return "open"
        if _ASKING[language].match(start):
            return "factual"
        if _POLAR[language].match(start):
            return "yes/no"
    return "factual" if _ASKING[language].search(bare) else None
