"""Answers and references that state nothing: a bare number, a date, a name or a few words.

Whether a text supports "$1577.00" can't be decided without the query, so that an entailment model's verdicts on such
texts are meaningless. The rule, in order: a text with a verb of the list below, or a longer word in "ed" with a
small letter, states something; one with more than `MOST_WORDS` words besides its numbers may; of the others, one of
dates and at most `MOST_BESIDE_NUMBERS` words is a date, one of numbers and as few words a number, and the rest are a
few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hcat.core.language import ENGLISH, language_of
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.records.samples.columns import Levels
from hcat.core.records.samples.erased import level_before
from hcat.core.text import remembered
from hcat.core.types import Sample

NUMBER, DATE, FEW_WORDS = "a number", "a date", "a name or a few words"
OF_TEXT = "a text"
"""The kind of a reference that may state something."""
MOST_WORDS, MOST_BESIDE_NUMBERS = 5, 2
MOST_CHARACTERS = 200
"""The most characters of a bare number, date or name."""
_VERBS = """
is are was were be been being am isn't aren't wasn't weren't has have had hasn't haven't hadn't do does did
don't doesn't didn't can cannot can't could couldn't will won't would wouldn't may might must mustn't shall
should shouldn't it's that's there's they're you're we're i'm he's she's rose fell grew went came became shrank
sank remains depends applies requires allows includes contains covers expires lasts takes gives receives earns
pays needs exceeds consists belongs comes goes gets makes means says shows paid sold bought lost won held kept
spent got made took gave said saw began
"""
VERBS = frozenset(_VERBS.split())
"""Auxiliaries, and verbs of banks' texts that are no nouns: "costs", "charges" and "reports" are both, and not here."""
_IN_NUMBERS = frozenset({"am", "may", "won"})
"""Verbs that are also a month, an hour or a currency."""
_CAPITAL_OR_NOT = "|".join(f"[{verb[0]}{verb[0].upper()}]{verb[1:]}" for verb in sorted(VERBS - _IN_NUMBERS))
_ALWAYS_VERB = re.compile(rf"(?<![\w'’])(?:{_CAPITAL_OR_NOT})(?![\w'’])")
"""A verb that is part of no number, so that its text states something, whatever else it contains."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PAST = re.compile(r"[^\W\d_A-Z][^\W\d_]{2,}ed")


@dataclass(frozen=True, slots=True)
class BareReferences:
    """The number of references of `n` that state nothing, by their kind, the most frequent first."""

    kinds: Mapping[str, int]
    n: int

    @property
    def total(self) -> int:
        return sum(self.kinds.values())


@remembered(16_384)
def bare_kind(text: str) -> str | None:
    """`NUMBER`, `DATE` or `FEW_WORDS` if a text states nothing; else None.

    None also for a blank text, and for one in a recognised other language, whose verbs are not known here."""
    if not text.strip() or len(text) > MOST_CHARACTERS or _ALWAYS_VERB.search(text):
        return None
    if language_of(text) not in (None, ENGLISH):
        return None
    numbers = parse_numbers(text)
    words = _words_outside(text, [(number.start, number.end) for number in numbers])
    if any(word.casefold() in VERBS or _PAST.fullmatch(word) for word in words):
        return None
    if numbers and len(words) <= MOST_BESIDE_NUMBERS:
        return DATE if all(number.dates for number in numbers) else NUMBER
    return FEW_WORDS if len(words) <= MOST_WORDS else None


def bare_references(samples: Iterable[Sample]) -> BareReferences:
    """The number of references that are a number, a date or a few words."""
    return bare_among(Levels.of(map(reference_kind, samples)))


def bare_among(kinds: Levels) -> BareReferences:
    """The same by the `reference_kind` of each sample."""
    counts = kinds.counts()
    return BareReferences({kind: n for kind, n in counts.items() if kind != OF_TEXT}, sum(counts.values()))


def reference_kind(sample: Sample) -> str | None:
    """The `bare_kind` of the sample's reference, or OF_TEXT; None without a reference.

    As it was determined before if the text is erased."""
    if sample.erased is not None:
        return level_before(sample, "reference_kind")
    return (bare_kind(sample.reference) or OF_TEXT) if sample.reference else None


def bare_reason(part: str, kind: str | None) -> str | None:
    """The reason why claims of a part of this kind can't be verified, such as "the reference is a number"; None if they
    may be."""
    return None if kind in (None, OF_TEXT) else f"the {part} is {kind}"


def _words_outside(text: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    letters = list(text.replace("’", "'"))
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return _WORD.findall("".join(letters))
