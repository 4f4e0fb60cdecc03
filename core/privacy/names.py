"""Names of people, places and organisations, dates, ages and titles.

By the words around them, by the packaged head of names, and by the packaged language model, which Presidio uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from hcat.core.models.names.packaged import packaged_names
from hcat.core.models.names.pieces import NameSpan
from hcat.core.models.spacy_model import spacy_folder
from hcat.core.privacy.hit import STRENGTH, Hit, without_overlaps
from hcat.core.privacy.worded_names import is_calendar_date, worded_names

if TYPE_CHECKING:
    from presidio_analyzer import BatchAnalyzerEngine, RecognizerResult
    from spacy.language import Language

KINDS = {
    "PERSON": "person",
    "LOCATION": "place",
    "ORGANIZATION": "organisation",
    "NRP": "nationality",
    "DATE_TIME": "date",
}
"""Presidio's names of kinds, and those used here."""

HEAD_KINDS = {
    "person": "person",
    "place": "place",
    "organisation": "organisation",
    "nationality": "nationality",
    "address": "place",
    "post": "title",
    "age": "age",
    "number": "number",
}
"""The head's names of kinds, and those used here. Only the rules of addresses decide what an address is."""

LEAST_PROBABILITY = 0.5
"""The least probability of each word of a span of the head, which makes its kind more probable than not."""

_UNREAD = (
    "CARDINAL",
    "EVENT",
    "FAC",
    "LANGUAGE",
    "LAW",
    "MONEY",
    "ORDINAL",
    "PERCENT",
    "PRODUCT",
    "QUANTITY",
    "WORK_OF_ART",
)


BATCH = 64
"""Texts that the model reads together."""


@lru_cache(maxsize=8192)
def names(text: str) -> tuple[Hit, ...]:
    """The names in a text. Many are wrong (measured by `benchmarks.privacy`): none is a leak by itself."""
    return names_of((text,))[0]


def names_of(texts: Sequence[str]) -> list[tuple[Hit, ...]]:
    """The names in each text; the words around them are the strongest evidence.

    Many texts are read in less than half the time that it takes for one after another."""
    read = [text for text in dict.fromkeys(texts) if any(map(str.isalnum, text))]
    results = _engine().analyze_iterator(read, language="en", batch_size=BATCH, entities=[*KINDS]) if read else []
    seen = {
        text: (*worded_names(text), *_hits(text, each), *_head_hits(text, spans))
        for text, each, spans in zip(read, results, packaged_names().spans(read), strict=True)
    }
    return [_joined(text, seen.get(text, ())) for text in texts]


def _joined(text: str, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The strongest of overlapping hits; two of one kind are merged into one span."""
    longest: list[Hit] = []
    for hit in sorted(hits, key=lambda each: (each.kind, each.start)):
        last = longest[-1] if longest else None
        if last is not None and last.kind == hit.kind and hit.start < last.end:
            span = text[last.start : max(last.end, hit.end)]
            evidence = min(last.evidence, hit.evidence, key=STRENGTH.index)
            longest[-1] = Hit(hit.kind, "entity", last.start, last.start + len(span), span, evidence, span.casefold())
        else:
            longest.append(hit)
    return without_overlaps(longest)


def _head_hits(text: str, spans: Iterable[NameSpan]) -> Iterator[Hit]:
    for each in spans:
        if each.probability >= LEAST_PROBABILITY:
            span = text[each.start : each.end]
            yield Hit(HEAD_KINDS[each.kind], "entity", each.start, each.end, span, "model", span.casefold())


def _hits(text: str, results: Sequence[RecognizerResult]) -> Iterator[Hit]:
    """The model's hits. Of dates only those of the calendar: it calls most numbers one."""
    for result in sorted(results, key=lambda each: each.start):
        span, kind = text[result.start : result.end], KINDS[result.entity_type]
        if kind != "date" or is_calendar_date(span):
            yield Hit(kind, "entity", result.start, result.end, span, "model", span.casefold())


@cache
def _engine() -> BatchAnalyzerEngine:
    """Presidio with the packaged model, given as an object: with its defaults it downloads a larger one."""
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
    from presidio_analyzer.predefined_recognizers import SpacyRecognizer

    configuration = NerModelConfiguration(labels_to_ignore=_UNREAD)
    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": "packaged"}], ner_model_configuration=configuration
    )
    engine.nlp = {"en": _model()}
    recognizer = SpacyRecognizer(supported_language="en", supported_entities=[*KINDS])
    registry = RecognizerRegistry(recognizers=[recognizer], supported_languages=["en"])
    return BatchAnalyzerEngine(AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"]))


def _model() -> Language:
    """The packaged model with only the components for names."""
    import spacy

    return spacy.load(spacy_folder(), exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"])
