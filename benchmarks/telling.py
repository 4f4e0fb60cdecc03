"""What an import tells of each sample's texts, beside how it was told before: every pattern tried on every text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from unittest import mock

from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core import language
from hcat.core.language import ENGLISH, FUNCTION_WORDS, language_of
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.refusals import declining, detection, other_languages
from hcat.core.refusals.detection import answering
from hcat.core.refusals.signs import SignedPattern
from hcat.core.scoring import bare_texts
from hcat.core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER, VERBS, bare_kind

TEXTS = 1_000
ANY = re.compile("")


def rows(pairs: int) -> Iterator[Measured]:
    """Refusals, languages and bare references of made-up texts of 90 characters."""
    texts = [
        f"Item {k} of the annual card fee rose by {k % 90}% in {2000 + k % 20}; customers pay EUR {k}.50 a month."
        for k in range(TEXTS)
    ]

    def now() -> list[object]:
        return [told for text in texts for told in _told(text)]

    if now() != told_as_before(texts):
        raise RuntimeError("what is told of texts has changed: this is no comparison")
    ratio = interleaved(now, lambda: told_as_before(texts), pairs=pairs)
    note = "refusal, language and bare reference of each; the same answers"
    yield Measured("columns", f"{TEXTS:,} texts", "measures / as before", ratio, at_most=0.5, note=note)


def _told(text: str) -> tuple[object, ...]:
    parse_numbers.cache_clear()
    return answering.__wrapped__(text), language_of.__wrapped__(text), bare_kind.__wrapped__(text)


def told_as_before(texts: list[str]) -> list[object]:
    """The same of each text, without a look for what rules an answer out."""
    with (
        mock.patch.object(detection, "DECLINES", without_signs(declining.DECLINES)),
        mock.patch.object(other_languages, "DECLINES", without_signs(other_languages.DECLINES)),
    ):
        told: list[object] = []
        for text in texts:
            parse_numbers.cache_clear()
            told += (answering.__wrapped__(text), language_as_before(text), kind_as_before(text))
    return told


def without_signs(signed: SignedPattern) -> SignedPattern:
    """The pattern, tried on every text."""
    return SignedPattern(signed.pattern, ANY)


def language_as_before(text: str) -> str | None:
    """The language of a text, counted word by word for each language."""
    words = re.findall(r"[^\W\d_]+", text[: language.MOST_CHARACTERS].casefold())
    if not words:
        return None
    script = language.script_of_most("".join(words))
    if script is not None:
        return script
    hits = Counter({name: sum(word in own for word in words) for name, own in FUNCTION_WORDS.items()})
    (name, most), (_, second) = hits.most_common(2)
    few = most < language.FEWEST_HITS or most < language.LEAST_SHARE * len(words) or most == second
    return None if few else name


def kind_as_before(text: str) -> str | None:
    """The kind of a bare text, whose numbers are read whatever its words are."""
    if not text.strip() or len(text) > bare_texts.MOST_CHARACTERS or language_of(text) not in (None, ENGLISH):
        return None
    numbers = parse_numbers(text)
    letters = list(text.replace("’", "'"))
    for number in numbers:
        letters[number.start : number.end] = " " * (number.end - number.start)
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", "".join(letters))
    if any(word.casefold() in VERBS or re.fullmatch(r"[^\W\d_A-Z][^\W\d_]{2,}ed", word) for word in words):
        return None
    if numbers and len(words) <= bare_texts.MOST_BESIDE_NUMBERS:
        return DATE if all(number.dates for number in numbers) else NUMBER
    return FEW_WORDS if len(words) <= bare_texts.MOST_WORDS else None
