"""What a variant that keeps the meaning may not touch, told from the text alone: no parser, no code of the product."""

from __future__ import annotations

import re
from collections import Counter

_NUMBER = re.compile(r"[€$£]?\d[\d,.:/]*\d%?|[€$£]?\d%?")
_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_UNIT = re.compile(
    r"\b(?:EUR|USD|GBP|CHF|euros?|dollars?|cents?|percent|days?|weeks?|months?|years?|hours?|minutes?|seconds?|km|kg|"
    r"million|billion|thousand|hundred)\b"
)
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|sixty)\b", re.IGNORECASE
)
_NAME = re.compile(r"(?<![.?!:\"(–-] )(?<!^)\b[A-Z][A-Za-z]+\b")
_OPTIONS = re.compile(r"\([a-h]\) .*")


def touched(origin: str, variant: str) -> str | None:
    """What of the origin the variant has lost or gained; None where all is as it was."""
    for what, pattern in (("number", _NUMBER), ("negation", _NEGATION), ("unit", _UNIT), ("number word", _NUMBER_WORD)):
        before, after = (Counter(word.lower() for word in pattern.findall(text)) for text in (origin, variant))
        if before != after:
            return f"{what}: {before} became {after}"
    for name in set(_NAME.findall(origin)) - {"I"}:
        if len(re.findall(rf"\b{name}\b", variant)) < len(re.findall(rf"\b{name}\b", origin)):
            return f"name: {name}"
    options = _OPTIONS.search(origin)
    return "options" if options is not None and options.group() not in variant else None
