"""Whether a text states the true answer to a query about named things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from hcat.core.records.samples.right_answers import right_answers
from hcat.core.text import tokens
from hcat.core.types import Sample

_QUOTED = re.compile(r"(?<!\w)['\"‘“](.{2,}?)['\"’”](?!\w)")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T]00:00:00)?")
_MONTHS = "january february march april may june july august september october november december"


def subjects(query: str) -> tuple[str, ...]:
    """The values in quotation marks in a query, with which its template was filled."""
    return tuple(dict.fromkeys(_QUOTED.findall(query)))


def states_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether a text contains one of the answers word by word, a date in any of its usual formats."""
    words = _padded(text)
    return any(f" {wording} " in words for answer in answers for wording in _wordings(answer))


def supports_answer(sample: Sample, text: str) -> bool:
    """Whether a text contains a right answer and everything that the query names in quotation marks.

    The same value of something else is no evidence, so a query's subject must occur too. Words are compared: another
    wording of the answer ("USA" for "United States") is not recognised."""
    words = _padded(text)
    named = all(f" {' '.join(tokens(subject))} " in words for subject in subjects(sample.query))
    return named and states_answer(text, right_answers(sample))


@lru_cache(maxsize=4096)
def _padded(text: str) -> str:
    return f" {' '.join(tokens(text))} "


def _wordings(answer: str) -> Iterator[str]:
    plain = " ".join(tokens(answer))
    if plain:
        yield plain
    date = _ISO_DATE.fullmatch(answer.strip())
    if date is None or not 1 <= int(date[2]) <= 12:
        return
    year, month, day = date[1], _MONTHS.split()[int(date[2]) - 1], int(date[3])
    for number in (str(day), f"{day:02d}", f"{day}{_ending(day)}"):
        yield from (f"{month} {number} {year}", f"{number} {month} {year}", f"{number} of {month} {year}")


def _ending(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
