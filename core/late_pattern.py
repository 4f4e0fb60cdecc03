"""A regular expression that is compiled on first use.

Compiling the largest ones takes a fifth of a second. The start of the dashboard and most commands do not need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class LatePattern:
    """`re.compile(pattern, flags)`, compiled lazily. A faulty pattern raises re.error on first use."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """The same as `re.Pattern.search`."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The same as `re.Pattern.finditer`."""
        return self.compiled.finditer(text)
