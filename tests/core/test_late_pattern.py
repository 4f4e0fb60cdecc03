"""A late pattern finds what the compiled one finds, and is compiled when it is first used."""

from __future__ import annotations

import re

import pytest

from hcat.core.late_pattern import LatePattern


def test_it_finds_what_the_compiled_pattern_finds() -> None:
    late, compiled = LatePattern(r"\bno(?:t|ne)?\b", re.IGNORECASE), re.compile(r"\bno(?:t|ne)?\b", re.IGNORECASE)
    for text in ("Not one, no.", "nothing", ""):
        assert [match.span() for match in late.finditer(text)] == [match.span() for match in compiled.finditer(text)]
        assert (late.search(text) is None) == (compiled.search(text) is None)


def test_it_is_compiled_at_its_first_use() -> None:
    wrong = LatePattern("(")
    with pytest.raises(re.error):
        wrong.search("")
