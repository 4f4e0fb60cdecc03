"""The scale of a table's numbers by its heading: "(in millions)", "$ in thousands", "(%)"."""

from __future__ import annotations

import re
from bisect import bisect_right
from decimal import Decimal

from hcat.core.numbers.words import scale

_SCALE = re.compile(
    r"\(\s*(?:[^()\d]{0,40}\b)?(?P<inside>(?a:thousands?|millions?|billions?))\b[^()]{0,90}\)|"
    r"\b(?:in|USD|EUR|GBP|CHF|dollars|euros)\s+(?:(?:U\.?S\.?\s+)?[A-Za-z€$£]{1,7}\$?\s+){0,2}?"
    r"(?P<after>(?a:thousands|millions|billions))\b|"
    r"(?:US\$|[$€£])\s?(?P<sign>(?a:'?000'?s?|millions?|thousands?|billions?|mn?|bn)\b)|"
    r"\((?P<bare>(?a:'?000'?s))\)",
    re.IGNORECASE,
)
_SCALE_HINT = re.compile(r"[hH][oO][uU][sS][aA][nN][dD]|[iI][lL][lL][iI][oO][nN]|000|[$€£]")
"""Words of which every such heading contains one."""
_PERCENT = re.compile(r"\(\s*%\s*\)|\bin\s+(?:%|per\s?cent)|\bpercentages?\b|\bper\s?cent\b|%\s+of\b|\brates?\b", re.I)


class Headings:
    """The headings of one text. A number belongs to the nearest heading before it, else to the first one."""

    def __init__(self, text: str) -> None:
        scales = _SCALE.finditer(text) if _SCALE_HINT.search(text) else ()
        headings = [(match.start(), scale(next(filter(None, match.groups())))) for match in scales]
        self._starts = [start for start, _ in headings]
        self._scales = [factor for _, factor in headings]
        percent = _PERCENT.search(text)
        self._percent = len(text) if percent is None else percent.start()

    @property
    def scales(self) -> tuple[Decimal, ...]:
        """Each scale that some heading names."""
        return tuple(dict.fromkeys(self._scales))

    def scale_at(self, position: int) -> Decimal | None:
        """The factor that a number without a scale word may need."""
        if not self._scales:
            return None
        return self._scales[max(bisect_right(self._starts, position) - 1, 0)]

    def percent_at(self, position: int) -> bool:
        """Whether a heading or row before it mentions percentages."""
        return self._percent <= position
