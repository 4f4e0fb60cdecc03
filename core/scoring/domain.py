"""Samples outside the domain of an entailment model: tables, lists, other languages, and texts that state nothing.

The packaged model was trained and checked on English sentences (`core/models/nli/weights/README.md`). Its verdicts on
other texts are stored as scores, which labels may calibrate, but no mean of them is shown as the machine's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hcat.core.language import ENGLISH as ENGLISH_LANGUAGE
from hcat.core.language import language_of
from hcat.core.metrics.registry import METRICS
from hcat.core.metrics.sample_view import TEXT_ERASED, TRUTH
from hcat.core.scoring.bare_texts import OF_TEXT, bare_kind, bare_reason, reference_kind
from hcat.core.scoring.provenance import VERIFIED_BY
from hcat.core.stopwords import STOP_WORDS
from hcat.core.text import remembered, tokens

if TYPE_CHECKING:
    from hcat.core.metrics.declaration import Metric
    from hcat.core.records.samples.columns import LevelColumn, SampleColumns
    from hcat.core.scoring.provenance import Provenance
    from hcat.core.types import Sample

TABLE, LIST, LANGUAGE = "table", "list", "not English"
BY_LANGUAGE_MODEL = "llm"
CELL_ROWS = 3
"""The number of consecutive lines, each of cells, that make a table."""
NUMBER_LINES, NUMBER_SHARE = 6, 0.2
"""The number of lines that are only a number, as the cells of a table with broken rows, and their least share."""
LONGEST_ROW = 300
"""The number of characters of a line that are searched."""
LISTED = 0.5
"""The share of a text's lines that begin with a bullet or number, from which it is a list."""
FEWEST_ITEMS, FEWEST_WORDS = 3, 20
ENGLISH = 0.1
"""The least share of English function words among the words of an English text."""
LATIN = 0.5
"""The least share of letters of the Latin alphabet."""

Outside = Mapping[str, Mapping[str, str]]
"""By metric and sample id, the reason why the machine's verdict is outside its domain."""

_CELLS = re.compile(r".*?\S\s*(?:\||\t|\s{3,})\s*\S.*?(?:\||\t|\s{3,}).*|.*?(?:\s+(?:[$€£(]\s*)*\d[\d,.]*[)%]*){2,}")
"""Cells between bars, tabs or wide spaces; or two or more numbers at the end of a line."""
_NUMBER_LINE = re.compile(r"[\s$€£()%\-–—.,\d]+")
_BULLET = re.compile(r"\s*(?:[-*•–—·▪◦●‣►✓]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


def outside_domain(samples: Iterable[Sample], provenance: Provenance) -> Outside:
    """The samples outside the domain of each judged metric, with the reason.

    Those whose texts are tables, lists or not English, or whose answer or reference states nothing. None if a language
    model verified the claims, whose domain is not known."""
    metrics = _by_entailment(provenance)
    return _outside(map(_forms_of, samples) if metrics else (), metrics)


def outside_domain_in(columns: SampleColumns, provenance: Provenance) -> Outside:
    """The same by the columns of a run, without a text."""
    metrics = _by_entailment(provenance)
    return _outside(_forms_in(columns) if metrics else (), metrics)


class TextForms(NamedTuple):
    """The forms of a sample's texts.

    The `kind_of_text` of each part, the first of its contexts that is not English prose; the `bare_kind` of its answer,
    and its `reference_kind`."""

    id: str
    contexts: str | None
    answer: str | None
    reference: str | None
    answer_kind: str | None
    reference_kind: str | None
    erased: bool


def _forms_of(sample: Sample) -> TextForms:
    return TextForms(
        sample.id,
        first_form(context.text for context in sample.contexts),
        kind_of_text(sample.answer or ""),
        kind_of_text(sample.reference or ""),
        bare_kind(sample.answer or ""),
        reference_kind(sample),
        sample.erased is not None,
    )


def _forms_in(columns: SampleColumns) -> Iterator[TextForms]:
    """The forms of the samples that may be outside a domain; the others are prose, and state something."""
    names: tuple[LevelColumn, ...] = ("contexts_form", "answer_form", "reference_form", "answer_kind", "reference_kind")
    levels = [columns.levels(name) for name in names]
    erased = columns.levels("erased").codes >= 0
    bare = np.array([name != OF_TEXT for name in levels[-1].names] + [False])[levels[-1].codes]
    rows = np.flatnonzero(erased | bare | np.any([each.codes >= 0 for each in levels[:-1]], axis=0))
    ids = columns.ids()
    texts = [(*each.names, None) for each in levels]  # −1 points to the last
    for row in rows.tolist():
        forms = [names[each.codes[row]] for each, names in zip(levels, texts, strict=True)]
        yield TextForms(ids[row], forms[0], forms[1], forms[2], forms[3], forms[4], bool(erased[row]))


def first_form(texts: Iterable[str]) -> str | None:
    """The kind of the first of these texts that is not English prose; None if all are."""
    return next((form for text in texts if (form := kind_of_text(text)) is not None), None)


def _outside(samples: Iterable[TextForms], metrics: Sequence[Metric]) -> Outside:
    outside: dict[str, dict[str, str]] = {metric.name: {} for metric in metrics}
    for sample in samples:
        for metric in metrics:
            reason = _reason(metric, sample)
            if reason is not None:
                outside[metric.name][sample.id] = reason
    return outside


def _by_entailment(provenance: Provenance) -> list[Metric]:
    return [metric for metric in METRICS if metric.name in provenance.metrics and _entailed(metric, provenance)]


def _entailed(metric: Metric, provenance: Provenance) -> bool:
    parameters = provenance.parameters.get(metric.name)
    record = parameters.get(VERIFIED_BY) if isinstance(parameters, dict) else None
    return metric.judged and not (isinstance(record, dict) and record.get("by") == BY_LANGUAGE_MODEL)


def _reason(metric: Metric, sample: TextForms) -> str | None:
    if sample.erased:
        return TEXT_ERASED
    truth = "reference" if sample.reference_kind is not None else "answer"
    needed = [truth if need == TRUTH else need for need in metric.needs]
    forms = {"contexts": sample.contexts, "answer": sample.answer, "reference": sample.reference}
    reasons = [forms.get(need) for need in needed]
    # A bare reference comes first: it leaves nothing to compare with.
    kinds = {"reference": sample.reference_kind, "answer": sample.answer_kind}
    reasons += [bare_reason(part, kind) for part, kind in kinds.items() if part in needed]
    return next((reason for reason in reasons if reason is not None), None)


@remembered(16_384)
def kind_of_text(text: str) -> str | None:
    """Whether a text contains a table, is a list, or is not English; None for English sentences."""
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
