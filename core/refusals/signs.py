"""Words one of which is in every text that a pattern can match, so that the pattern is tried on few texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hcat.core.late_pattern import LatePattern

_NOT = r"not|n't|cannot|never|(?:do|does|did|is|are|was|were|has|have|had|could|can|'s)nt|\bn'?t\b"
ENGLISH_SIGNS = re.compile(
    rf"{_NOT}|\bno\b|noone|none|nothing|neither|nobody|nowhere|un(?:able|aware|related|clear|known|certain|specified|"
    r"available|answered|said)|impossible|hard|difficult|irrelevant|insufficient|silent|lack|declin|refuse|only|my\b|"
    r"something|outside|beyond|exceed|scope|fail|leave|omit|\bcut\b|truncated|missing|absent|enough|sufficient|"
    r"adequate|can\s+(?:tell|say|know|determine|see)|would|'d|need|require|necessary|if\s+you|"
    r"pass|stop|keep|stick|violate|against|conflict|confidential|"
    r"private|protected|internal|prevent|forbid|prohibit|else"
)
"""The signs of `hcat.core.refusals.declining.DECLINES`."""
OTHER_SIGNS = re.compile(
    r"nicht|kein|überfragt|fehl|übersteigt|außerhalb|"
    r"pas|aucun|rien|je\s+n|de\s+ne|ignor|manqu|dépasse|hors|au-delà|impossible|difficile|\bne\s|n['’]|muet|"
    r"\bno\b|desconozco|falta|excede|fuera|difícil|imposible|silencio|nada|[\u4e00-\u9fff]"
)
"""The signs of `hcat.core.refusals.other_languages.DECLINES`."""


@dataclass(frozen=True, slots=True)
class SignedPattern:
    """A pattern, and a cheaper one that is found in everything that it matches."""

    pattern: LatePattern
    signs: re.Pattern[str]

    def search(self, text: str) -> re.Match[str] | None:
        """The same as the pattern's own `search`."""
        return self.pattern.search(text) if self.signs.search(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The same as the pattern's own `finditer`."""
        return self.pattern.finditer(text) if self.signs.search(text) else iter(())
