"""Which samples an entailment model was not made for: tables, lists, languages other than its own, English, and texts
that state nothing.

The packaged model was trained and checked on English sentences (`core/models/nli/weights/README.md`). Its verdicts on
other texts are kept as scores, which labels may calibrate, but no mean of them is shown as the machine's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from core.language import ENGLISH as ENGLISH_LANGUAGE
from core.language import language_of
from core.metrics.registry import METRICS
from core.metrics.sample_view import TEXT_ERASED, TRUTH
from core.scoring.bare_texts import bare_reason
from core.scoring.provenance import VERIFIED_BY
from core.text import tokens
from core.topics.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from core.metrics.declaration import Metric
    from core.scoring.provenance import Provenance
    from core.types import Sample

TABLE, LIST, LANGUAGE = "table", "list", "not English"
BY_LANGUAGE_MODEL = "llm"
CELL_ROWS = 3
"""Lines in a row, each of cells, that make a table."""
NUMBER_LINES, NUMBER_SHARE = 6, 0.2
"""Lines of a number and nothing else, as the cells of a table whose rows a reader broke, and their least part."""
LONGEST_ROW = 300
"""Characters of a line that are looked at."""
LISTED = 0.5
"""The part of a text's lines that begin with a bullet or number, from which it is a list."""
FEWEST_ITEMS, FEWEST_WORDS = 3, 20
ENGLISH = 0.1
"""The least part of English function words among the words of an English text."""
LATIN = 0.5
"""The part of the letters that must be of the Latin alphabet."""

Outside = Mapping[str, Mapping[str, str]]
"""By metric and sample id, why the machine's verdict is outside its domain."""

_CELLS = re.compile(r".*?\S\s*(?:\||\t|\s{3,})\s*\S.*?(?:\||\t|\s{3,}).*|.*?(?:\s+(?:[$€£(]\s*)*\d[\d,.]*[)%]*){2,}")
"""Cells between bars, tabs or wide spaces; or two or more numbers at the end of a line."""
_NUMBER_LINE = re.compile(r"[\s$€£()%\-–—.,\d]+")
_BULLET = re.compile(r"\s*(?:[-*•–—·▪◦●‣►✓]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


def outside_domain(samples: Iterable[Sample], provenance: Provenance) -> Outside:
    """The samples of each judged metric whose texts are tables, lists or not English, or whose answer or reference
    states nothing; none where a language model verified the claims, whose domain is not known."""
    names = provenance.metrics
    by_entailment = [metric for metric in METRICS if metric.name in names and _entailed(metric, provenance)]
    outside: dict[str, dict[str, str]] = {metric.name: {} for metric in by_entailment}
    for sample in samples if by_entailment else ():
        for metric in by_entailment:
            reason = _reason(metric, sample)
            if reason is not None:
                outside[metric.name][sample.id] = reason
    return outside


def _entailed(metric: Metric, provenance: Provenance) -> bool:
    parameters = provenance.parameters.get(metric.name)
    record = parameters.get(VERIFIED_BY) if isinstance(parameters, dict) else None
    return metric.judged and not (isinstance(record, dict) and record.get("by") == BY_LANGUAGE_MODEL)


def _reason(metric: Metric, sample: Sample) -> str | None:
    if sample.erased is not None:
        return TEXT_ERASED
    texts = {
        "contexts": [passage.text for passage in sample.contexts],
        "answer": [sample.answer or ""],
        "reference": [sample.reference or ""],
        TRUTH: [sample.reference or sample.answer or ""],
    }
    reasons = [kind_of_text(text) for need in metric.needs for text in texts.get(need, ())]
    reasons += [bare_reason(part, texts[part][0]) for part in _claimed(metric, sample)]
    return next((reason for reason in reasons if reason is not None), None)


def _claimed(metric: Metric, sample: Sample) -> Iterator[str]:
    """The parts whose claims the metric verifies, the reference first: a bare one leaves nothing to compare with."""
    truth = "reference" if sample.reference else "answer"
    needed = {truth if need == TRUTH else need for need in metric.needs}
    return (part for part in ("reference", "answer") if part in needed)


@lru_cache(maxsize=16384)
def kind_of_text(text: str) -> str | None:
    """Whether a text holds a table, is a list, or is not English; None for English sentences."""
    lines = [line for line in text.split("\n") if line.strip()]
    numbers = sum(_NUMBER_LINE.fullmatch(line) is not None for line in lines)
    if _cell_rows(lines) >= CELL_ROWS or (numbers >= NUMBER_LINES and numbers >= NUMBER_SHARE * len(lines)):
        return TABLE
    items = sum(_BULLET.match(line) is not None for line in lines)
    if items >= FEWEST_ITEMS and items >= LISTED * len(lines):
        return LIST
    return None if _is_english(text) and language_of(text) in (None, ENGLISH_LANGUAGE) else LANGUAGE


def _cell_rows(lines: list[str]) -> int:
    longest = run = 0
    for line in lines:
        run = run + 1 if _CELLS.fullmatch(line.strip()[:LONGEST_ROW]) else 0
        longest = max(longest, run)
    return longest


def _is_english(text: str) -> bool:
    letters = _LETTER.findall(text)
    if letters and sum(_LATIN.match(letter) is not None for letter in letters) < LATIN * len(letters):
        return False
    words = [word for word in tokens(text) if word.isalpha()]
    return len(words) < FEWEST_WORDS or sum(word in STOP_WORDS for word in words) >= ENGLISH * len(words)
