"""Sentences on the languages of samples and their effect on metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.language import ENGLISH
from hcat.core.scoring.languages import not_validated_in


def languages_text(languages: Mapping[str, int], n: int) -> str:
    """Such as "Language of query and answer: English 60, German 5; too short to tell: 2."; empty without any
    language."""
    if not languages:
        return ""
    told = ", ".join(f"{language} {count:,}" for language, count in languages.items())
    untold = n - sum(languages.values())
    return f"Language of query and answer: {told}" + (f"; too short to tell: {untold:,}." if untold else ".")


def validation_note(metric: str, languages: Mapping[str, int], models: Collection[str] = ()) -> str:
    """Such as "not validated in German (5 samples); scored with multilingual-e5"; empty where the metric was, or where
    it does not matter. `models` are those that the scores were computed with, where that is known."""
    without = not_validated_in(metric, languages)
    if not without:
        return ""
    scored = f"; scored with {', '.join(models)}" if models else ""
    return f"not validated in {' or '.join(without)} ({counted(sum(without.values()), 'sample')}){scored}"


def language_warning(languages: Mapping[str, int], models: Collection[str] = ()) -> str:
    """Warning for a run that is not all in English, with the `models` that scored it; empty for a run in English."""
    others = {language: count for language, count in languages.items() if language != ENGLISH}
    if not others:
        return ""
    by = say(" (models of the scores: {models})", models=", ".join(models)) if models else ""
    return say(
        "{samples} in {others}: metrics that rest on a model, and the recognition of refusals, were "
        "validated in English only{by}. Compare them with labels before you rely on them",
        samples=counted(sum(others.values()), "sample"),
        others=say(" or ").join(map(say, others)),
        by=by,
    )
