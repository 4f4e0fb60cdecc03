"""The question surrounded by text in another language."""

from __future__ import annotations

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin

_AROUND = {
    "German": ("Guten Tag! ", "Können Sie mir bitte folgende Frage beantworten, auf Englisch? ", " Vielen Dank."),
    "French": ("Bonjour ! ", "Pourriez-vous répondre en anglais à la question suivante ? ", " Merci beaucoup."),
    "Spanish": ("¡Buenos días! ", "¿Podrían contestarme en inglés la siguiente pregunta? ", " Muchas gracias."),
    "Italian": ("Buongiorno! ", "Potreste rispondere in inglese alla domanda seguente? ", " Grazie mille."),
    "Dutch": ("Goedendag! ", "Kunt u de volgende vraag in het Engels beantwoorden? ", " Hartelijk dank."),
}


def other_language(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Put greeting and thanks in another language around the question, above a half the request too."""
    language = sorted(_AROUND)[int(rng.integers(len(_AROUND)))]
    greeting, request, thanks = _AROUND[language]
    text = f"{greeting}{request if strength > 0.5 else ''}{origin.case.query}{thanks}"
    return Change(text, metadata={"language": language})


OTHER_LANGUAGE = Family(
    name="other language",
    title="Another language",
    kind="out of distribution",
    expectation="stay",
    strength="up to 0.5 greeting and thanks in another language; above, the request around the question too",
    needs="a query",
    description="The question within a German, French, Spanish, Italian or Dutch request, to be answered in English.",
    make=other_language,
)
