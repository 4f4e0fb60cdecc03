"""Replacement of a stated number by another of the same format that the passage does not state."""

from __future__ import annotations

import random
import re
from decimal import Decimal

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_FACTORS = (Decimal("0.5"), Decimal("0.8"), Decimal("1.25"), Decimal("1.5"), Decimal(2), Decimal(3))
_DIGITS_WITHOUT_COMMA = 3
_WRITTEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def false_direction(answer: str, before: str) -> bool | None:
    """Whether only a larger number, or only a smaller one, makes a statement false: "within 5 days" also holds of 8."""
    if before in ("within", "by", "before"):
        return False
    return True if re.match(r"up to|at least", answer.lower()) or answer.lower().endswith("at most") else None


def changed(text: str, rng: random.Random, *, without: str = "", larger: bool | None = None) -> str | None:
    """The text with its one number changed: larger, smaller, or either; None if that is impossible.

    The new number does not occur in `without`. A day of a month remains between 1 and 28, a percentage below 100."""
    clock = _CLOCK.fullmatch(text.strip())
    if clock is not None:
        hour = (int(clock[1]) + rng.choice((1, 2, -1, -2))) % 24
        moved = f"{hour:02d}:{clock[2]}"
        return None if moved in without else moved
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return _changed_word(text, rng, larger=larger)
    if len(numbers) != 1:
        return None
    match = numbers[0]
    value = Decimal(match.group().replace(",", ""))
    factors = [factor for factor in _FACTORS if larger is None or (factor > 1) == larger]
    for factor in rng.sample(factors, len(factors)):
        new = _alike(value * factor, match.group())
        sensible = (
            new not in (match.group(), "1")
            and match.group() != "1"
            and new not in _NUMBER.findall(without)
            and Decimal(new.replace(",", "")) > 0
        )
        if sensible and _is_possible(text, Decimal(new.replace(",", ""))):
            return text[: match.start()] + new + text[match.end() :]
    return None


def _alike(value: Decimal, written: str) -> str:
    """The value with as many decimals as another number, rounded to half of its digits if that is a large round
    number."""
    decimals = len(written.partition(".")[2])
    digits = written.replace(",", "").partition(".")[0]
    zeros = len(digits) - len(digits.rstrip("0"))
    if decimals == 0 and zeros >= 1:
        place = Decimal(10) ** max(zeros - 1, 0)
        value = (value / place).to_integral_value() * place
    new = f"{value:,.{decimals}f}"
    return new if "," in written or len(digits) <= _DIGITS_WITHOUT_COMMA else new.replace(",", "")


def _is_possible(text: str, value: Decimal) -> bool:
    if re.search(r"%|percent", text):
        return value < 100
    if re.search(r"January|February|March|April|May|June|July|August|September|October|November|December", text):
        return 1 <= value <= 28
    return True


def _changed_word(text: str, rng: random.Random, *, larger: bool | None) -> str | None:
    """The text with a number in words changed."""
    words = text.split()
    for place, word in enumerate(words):
        if word.lower() in _WRITTEN[1:]:
            at = _WRITTEN.index(word.lower())
            others = [n for n in range(1, len(_WRITTEN)) if n != at and (larger is None or (n > at) == larger)]
            if others:
                words[place] = _WRITTEN[rng.choice(others)]
                return " ".join(words)
    return None
