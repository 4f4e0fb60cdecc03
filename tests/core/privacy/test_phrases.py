"""Account and transaction phrases: of somebody, not of everybody."""

from __future__ import annotations

import pytest

from hcat.core.privacy.phrases import account_phrases, amount_key


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("Your balance is EUR 4,210.50.", "account phrase", "4210.5"),
        ("The customer's credit limit was £2,000 last year.", "account phrase", "2000"),
        ("Anna Weber's salary is 3,400 euros.", "account phrase", "3400"),
        ("Her last payment of EUR 43.20 was late.", "account phrase", "43.2"),
        ("She transferred EUR 500.00 to John Smith.", "transaction", "500"),
        ("On that day you paid $43.20 at Tesco.", "transaction", "43.2"),
        ("EUR 75 was debited on 3 May.", "transaction", "75"),
        ("The account number is 12345678.", "account or customer number", "12345678"),
        ("Customer no. KD 4711-0815", "account or customer number", "kd47110815"),
        ("Sort code 12-34-56", "sort code", "123456"),
        ("She withdrew £450 from account 12345678.", "transaction", "450"),
        ("Please credit a/c 98765432 today.", "account or customer number", "98765432"),
        ("The policy ending in 4432 is hers.", "last digits", "4432"),
        ("Your account is overdrawn by £320.", "transaction", "320"),
        ("Mrs Hall is behind on her mortgage payments.", "account fact", "arrears"),
        ("The customer has missed two payments on her loan.", "account fact", "arrears"),
        ("His cheque was returned for insufficient funds.", "account fact", "no funds"),
        ("Her loan application was rejected.", "account fact", "declined"),
        ("She was born on 3 May 1980.", "date of birth", "3 may 1980"),
    ],
)
def test_what_is_told_of_somebody_is_found(text: str, kind: str, key: str) -> None:
    assert (kind, key) in [(hit.kind, hit.key) for hit in account_phrases(text)]


@pytest.mark.parametrize(
    "text",
    [
        "You can withdraw EUR 500 a day.",
        "EUR 30 is debited on the first of each month.",
        "The minimum balance is EUR 500.",
        "Customers who paid late are charged EUR 5.",
        "Transfers above EUR 10,000 are checked by the fraud team.",
        "The account number has 8 digits.",
        "Your balance is shown in the app.",
        "Customers who are behind on their mortgage payments should call us.",
        "If a customer has missed two payments, we send a letter.",
        "A borrower who is in arrears pays 2 % more.",
        "The account ending date is 31 March 2024.",
        "General Mills had $2.3 billion of debt.",
    ],
)
def test_rules_for_everybody_are_none(text: str) -> None:
    assert list(account_phrases(text)) == []


@pytest.mark.parametrize(
    ("amount", "key"),
    [
        ("EUR 4,210.50", "4210.5"),
        ("4.210,50 €", "4210.5"),
        ("£1,000", "1000"),
        ("$0.50", "0.5"),
        ("1,234,567", "1234567"),
    ],
)
def test_an_amount_is_the_same_in_any_layout(amount: str, key: str) -> None:
    assert amount_key(amount) == key
