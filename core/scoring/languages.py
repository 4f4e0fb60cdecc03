"""The languages of a run's samples, and the metrics that were validated in them: all use English models or rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hcat.core.language import ENGLISH, language_of
from hcat.core.metrics.registry import METRICS
from hcat.core.records.samples.columns import Levels
from hcat.core.records.samples.erased import level_before
from hcat.core.types import Sample

BY_ENGLISH_RULES = frozenset({"refusal"})
"""Families without a model whose rules are for English; others count tokens, numbers or ids of any language."""


def languages_of(samples: Iterable[Sample]) -> dict[str, int]:
    """The number of samples in each recognised language, by query and answer together; the most frequent first."""
    return Levels.of(map(language_of_sample, samples)).counts()


def language_of_sample(sample: Sample) -> str | None:
    """The language of query and answer together; None if it is not recognised.

    As it was determined before if the text is erased."""
    if sample.erased is not None:
        return level_before(sample, "language")
    return language_of(f"{sample.query}\n{sample.answer or ''}")


def not_validated_in(metric: str, languages: Mapping[str, int]) -> dict[str, int]:
    """The languages of the samples in which the metric was not validated, with the number of samples in each.

    Empty for a metric from a file, of which nothing is known, and for one that needs neither a model nor English
    wording."""
    own = next((registered for registered in METRICS if registered.name == metric), None)
    if own is None or not (own.models or own.family in BY_ENGLISH_RULES):
        return {}
    return {language: n for language, n in languages.items() if language != ENGLISH}
