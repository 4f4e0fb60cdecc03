"""A regular expression that is compiled when it is first searched for.

Compiling the largest ones takes a fifth of a second, which nobody waits for who reads no text: neither the start of the
dashboard nor most commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class LatePattern:
    """`re.compile(pattern, flags)`, later. What is wrong in the pattern shows when it is first used: re.error."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """As of `re.Pattern`."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As of `re.Pattern`."""
        return self.compiled.finditer(text)
