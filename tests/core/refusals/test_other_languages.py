"""Refusals in German, French, Spanish and Chinese: how many are recognised, and how many answers are taken for them."""

from __future__ import annotations

import pytest

from hcat.core.refusals.detection import answering
from tests.core.refusals.refusals_in_other_languages import (
    ANSWERING,
    DECLINING,
    FRESH_ANSWERING,
    FRESH_DECLINING,
    LAST_ANSWERING,
    LAST_DECLINING,
    OFTEN_ANSWERING,
    OFTEN_DECLINING,
)

LANGUAGES = tuple(DECLINING)


def _refused(texts: tuple[str, ...]) -> int:
    return sum(answering(text).kind == "refused" for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_fit_the_texts_that_they_were_written_with(language: str) -> None:
    declining = DECLINING[language] + FRESH_DECLINING[language] + LAST_DECLINING[language]
    answers = ANSWERING[language] + FRESH_ANSWERING[language] + LAST_ANSWERING[language]
    assert _refused(declining) == len(declining)
    assert _refused(answers) == (2 if language == "German" else 0)


@pytest.mark.parametrize(
    ("language", "recognised", "mistaken"),
    # of 8 refusals and 6 answers each: together precision 24/25, recall 24/32
    [("German", 7, 1), ("French", 6, 0), ("Spanish", 7, 0), ("Chinese", 4, 0)],
)
def test_measured_on_texts_that_the_rules_had_not_seen(language: str, recognised: int, mistaken: int) -> None:
    assert (len(OFTEN_DECLINING[language]), len(OFTEN_ANSWERING[language])) == (8, 6)
    assert (_refused(OFTEN_DECLINING[language]), _refused(OFTEN_ANSWERING[language])) == (recognised, mistaken)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Guten Tag! Dazu kann ich nichts sagen.", "kann ich nichts"),
        ("您好。我不知道。", "我不"),
    ],
)
def test_the_phrase_stands_in_the_sentence_that_declines(text: str, phrase: str) -> None:
    told = answering(text)
    assert [role.phrase for role in told.declining] == [phrase]
    sentence = told.declining[0].sentence
    assert text[sentence.start : sentence.end] == sentence.text
