"""Every pattern of this folder takes time in proportion to the text, whatever one long word or list it holds."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time

import pytest

import hcat.core.privacy
from hcat.core.late_pattern import LatePattern

UNITS = (
    *("A", "a", "1", ".", "-", " ", "\n", "@", "/", ":", "é", "_", "'"),
    *("A.", "a.", "a-", "1.", "1/", "1-", "1 ", "A ", "Ab ", "a ", "a@", "a.b@", "1a", "A1", "a:", "+1 ", "(1"),
    *("A, ", "Ab, ", "a, ", "1, ", "1/1/1 ", "12 Ab ", "Mr Ab ", "a\n", "1\n", "Ab-", "A'", "a=", "=a ", "\\", "a/"),
)
AT_ONE_PLACE = "_FURTHER"
SHORT, TIMES = 2_500, 4
MOST_SECONDS = 0.1
"""So little is not looked at twice: it is the machine's."""


def patterns() -> dict[str, re.Pattern[str] | LatePattern]:
    found: dict[str, re.Pattern[str] | LatePattern] = {}
    for module in pkgutil.walk_packages(hcat.core.privacy.__path__, "hcat.core.privacy."):
        names = vars(importlib.import_module(module.name))
        found |= {
            f"{module.name}.{name}": value
            for name, value in names.items()
            if isinstance(value, re.Pattern | LatePattern) and name != AT_ONE_PLACE
        }
    return found


PATTERNS = patterns()


def seconds(pattern: re.Pattern[str] | LatePattern, text: str) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - start


@pytest.mark.parametrize("name", PATTERNS)
def test_time_grows_with_the_text_and_no_faster(name: str) -> None:
    pattern = PATTERNS[name]
    seconds(pattern, "")
    for unit in UNITS:
        text = unit * (SHORT * TIMES // len(unit))
        long = seconds(pattern, text)
        if long > MOST_SECONDS:
            short = min(seconds(pattern, text[:SHORT]) for _ in range(3))
            long = min(long, seconds(pattern, text))
            assert long < 2 * TIMES * short, f"{name} on {unit!r}: {short:.2f} s, then {long:.2f} s"


def test_there_are_patterns() -> None:
    """All but the one that is only tried at one place, behind an address that was found."""
    assert len(PATTERNS) > 20
    assert AT_ONE_PLACE in vars(importlib.import_module("hcat.core.privacy.worded_names"))
