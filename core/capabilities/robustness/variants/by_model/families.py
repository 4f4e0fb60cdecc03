"""The families that a language model writes: other words, and another language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin

LANGUAGES: Mapping[str, str] = {
    "German": "Bitte auf Englisch antworten.",
    "French": "Merci de répondre en anglais.",
    "Spanish": "Por favor, respondan en inglés.",
    "Italian": "Si prega di rispondere in inglese.",
    "Dutch": "Graag in het Engels antwoorden.",
}
"""Languages of translations, and how each asks for an answer in English, so that scores stay comparable."""


def _by_no_rule(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:  # noqa: ARG001
    return None


MODEL_PARAPHRASE = Family(
    name="model paraphrase",
    title="Paraphrase by a language model",
    kind="input variation",
    expectation="stay",
    strength="not graded",
    needs="a language model behind an endpoint",
    description="The question in other words by a language model, with every number, negation, name and unit, and "
    "found good by the selection of test cases.",
    make=_by_no_rule,
    is_graded=False,
    by_model=True,
)
MODEL_TRANSLATION = Family(
    name="model translation",
    title="Translation by a language model",
    kind="out of distribution",
    expectation="stay",
    strength="not graded",
    needs="a language model behind an endpoint",
    description="The question in another language, to be answered in English; kept where its translation back holds "
    "every number, negation, name and unit.",
    make=_by_no_rule,
    is_graded=False,
    by_model=True,
)
