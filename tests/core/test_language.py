"""The language of texts as they are asked and answered about a bank, written for this test in eight languages."""

from __future__ import annotations

import pytest

from hcat.core.language import ENGLISH, language_of

TEXTS = {
    ENGLISH: (
        "What is the monthly fee for the account?",
        "The monthly account fee is EUR 4.50.",
        "You can cancel the card in the app at any time.",
        "I am sorry, but I do not have any information on that.",
        "The capital expenditure amount for 3M is $1,577 million.",
        "Yes, the deposit is protected by the state up to a limit.",
    ),
    "German": (
        "Wie hoch ist die monatliche Gebühr für das Konto?",
        "Die monatliche Kontogebühr beträgt 4,50 Euro und wird am Ende des Monats abgebucht.",
        "Dazu kann ich leider keine Angaben machen.",
        "Sie können die Karte jederzeit in der App sperren.",
        "Der Zinssatz ist nicht fest und kann sich ändern.",
        "Die Einlagen sind bis zu einer Grenze geschützt.",
    ),
    "French": (
        "Quels sont les frais mensuels pour le compte ?",
        "Les frais de tenue de compte sont de 4,50 euros par mois.",
        "Je ne dispose pas de cette information.",
        "Vous pouvez bloquer la carte dans l'application.",
        "Le taux n'est pas fixe et il peut changer.",
        "Les dépôts sont protégés jusqu'à une limite par la loi.",
    ),
    "Spanish": (
        "¿Cuál es la comisión mensual de la cuenta?",
        "La comisión de la cuenta es de 4,50 euros al mes.",
        "No tengo información sobre el tema.",
        "Puede bloquear la tarjeta en la aplicación.",
        "El tipo de interés no es fijo y puede cambiar.",
        "Los depósitos están protegidos por el Estado hasta un límite.",
    ),
    "Italian": (
        "Qual è il canone mensile del conto?",
        "Il canone del conto è di 4,50 euro al mese.",
        "Non ho informazioni su questo argomento e non posso rispondere.",
        "La carta si può bloccare nella app.",
        "Il tasso non è fisso e può cambiare.",
        "I depositi sono protetti dallo Stato fino a un limite.",
    ),
    "Dutch": (
        "Wat zijn de maandelijkse kosten van de rekening?",
        "De kosten van de rekening zijn 4,50 euro per maand.",
        "Daar heb ik geen informatie over en ik kan het niet zeggen.",
        "U kunt de kaart in de app blokkeren en dat kan altijd.",
        "De rente is niet vast en kan worden gewijzigd.",
        "De deposito's zijn tot een grens door de staat beschermd.",
    ),
    "Chinese": ("账户的月费是多少？", "账户月费为4.50欧元。", "您可以随时在应用程序中冻结银行卡。", "利率不是固定的。"),
    "Arabic": ("ما هي رسوم الحساب الشهرية؟", "رسوم الحساب الشهرية هي 4.50 يورو.", "يمكنك إيقاف البطاقة في أي وقت."),
}


def test_no_text_is_told_in_a_wrong_language_and_most_are_told() -> None:
    told = [(language, language_of(text)) for language, texts in TEXTS.items() for text in texts]
    assert [pair for pair in told if pair[1] not in (None, pair[0])] == []
    # 43 texts of one sentence each; what is too short stays untold.
    assert sum(found == language for language, found in told) >= 38


@pytest.mark.parametrize("language", list(TEXTS))
def test_a_paragraph_is_always_told(language: str) -> None:
    assert language_of(" ".join(TEXTS[language])) == language


@pytest.mark.parametrize("text", ["", "$1577.00", "3M 10-K 2018", "EBITDA", "AAPL GOOG MSFT", "Zürich"])
def test_what_has_no_function_words_is_of_no_language(text: str) -> None:
    assert language_of(text) is None


def test_other_scripts() -> None:
    assert language_of("口座の月額手数料はいくらですか？") == "Japanese"
    assert language_of("계좌의 월 수수료는 얼마입니까?") == "Korean"
    assert language_of("Какова ежемесячная плата за счёт?") == "Russian or another language in Cyrillic script"
