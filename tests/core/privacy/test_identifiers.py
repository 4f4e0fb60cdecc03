"""Identifiers: those with a right checksum or a valid number are found, and what only looks like one is not."""

from __future__ import annotations

import pytest

from hcat.core.privacy.identifiers import identifiers

FOUND = [
    # published test numbers of the networks: the Luhn sum of 4111 1111 1111 1111 is 30, a multiple of 10
    ("It was paid by card 4111 1111 1111 1111 today.", "card number", "4111 1111 1111 1111", "Visa"),
    ("Card 5555-5555-5555-4444", "card number", "5555-5555-5555-4444", "Mastercard"),
    ("378282246310005 is the card.", "card number", "378282246310005", "American Express"),
    ("use 6011111111111117", "card number", "6011111111111117", "Discover"),
    # the example of ISO 13616, right modulo 97
    ("To GB82 WEST 1234 5698 7654 32 please", "IBAN", "GB82 WEST 1234 5698 7654 32", "GB"),
    ("de89370400440532013000", "IBAN", "de89370400440532013000", "DE"),
    ("Write to Anna.Weber+x@mail.example.co.uk.", "e-mail address", "Anna.Weber+x@mail.example.co.uk", ""),
    ("See https://www.example.com/a?b=c.", "web address", "https://www.example.com/a?b=c", ""),
    ("from 192.168.10.1 and", "IP address", "192.168.10.1", ""),
    ("from 2001:db8::8a2e:370:7334.", "IP address", "2001:db8::8a2e:370:7334", ""),
    ("Call +44 20 7946 0958.", "phone number", "+44 20 7946 0958", "GB"),
    ("Her phone is (212) 456-7890.", "phone number", "(212) 456-7890", "US"),
    ("SSN 514-69-0360", "identity number", "514-69-0360", "United States social security number"),
    ("NI number AB 12 34 56 C", "identity number", "AB 12 34 56 C", "United Kingdom national insurance number"),
    # the examples of the national authorities, with right check letters and digits
    ("NIF 12345678Z", "identity number", "12345678Z", "Spanish identity number"),
    ("codice RSSMRA85T10A562S", "identity number", "RSSMRA85T10A562S", "Italian fiscal code"),
    ("NHS number 943 476 5919", "identity number", "943 476 5919", "United Kingdom health service number"),
    ("Passport number 925665416", "identity number", "925665416", "passport number"),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "cryptocurrency address", None, ""),
]


@pytest.mark.parametrize(("text", "kind", "value", "detail"), FOUND)
def test_an_identifier_is_found_at_its_place(text: str, kind: str, value: str | None, detail: str) -> None:
    hits = identifiers(text)
    assert [(hit.kind, hit.text, hit.detail) for hit in hits] == [(kind, value or text, detail)]
    assert all(text[hit.start : hit.end] == hit.text for hit in hits)


@pytest.mark.parametrize(
    "text",
    [
        "Card 4111 1111 1111 1112 has a wrong digit.",
        "GB82 WEST 1234 5698 7654 33 is wrong modulo 97.",
        "The contract is number 1234567890123456.",
        "SSN 000-12-3456 was never given out.",
        "The NHS paid 943 476 5918.",
        "In 2010-2014 and on 2024-05-03, revenue was EUR 1,234,567.89.",
        "Version 1.2.3 of section 4.5.6.7.8 (page 12)",
        "It is 99.99% of 10,000,000 items; 300.400.500.600 is no address.",
        "Write an e-mail to info@localhost or a@b.",
        "ISBN 978-3-16-148410-0, order 12-345-678",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert identifiers(text) == ()


def test_layout_does_not_change_what_is_looked_up() -> None:
    spaced, plain = identifiers("4111-1111-1111-1111")[0], identifiers("4111111111111111")[0]
    assert spaced.key == plain.key == "4111111111111111"
