"""Secrets: by the format of who gives them out, or announced; what is masked or only told about is none.

No text here has a secret's format in one piece, so that scanners of repositories stay silent.
"""

from __future__ import annotations

import pytest

from hcat.core.privacy.secrets import secrets

A20, A36, HEX = "abcdefghij0123456789", "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789abcdef" * 4
FORMATS = [
    ("-----BEGIN " + "RSA PRIVATE KEY-----", "private key"),
    ("AKIA" + "ABCDEFGHIJ234567", "AWS access key"),
    ("ghp_" + A36, "GitHub token"),
    ("glpat-" + A20, "GitLab token"),
    ("xoxb-" + A20, "Slack token"),
    ("sk_live_" + A20, "Stripe key"),
    ("sk-ant-" + A20, "Anthropic key"),
    ("AIza" + A36[:35], "Google key"),
    ("hf_" + A36, "Hugging Face token"),
    ("dapi" + HEX[:32], "Databricks token"),
    ("npm_" + A36, "npm token"),
    ("hvs." + A36, "Vault token"),
    ("eyJ" + A20 + ".eyJ" + A20 + "." + A20, "JSON web token"),
    ("postgres://admin:" + "s3cr3t@db.example.com", "password in an address"),
]


@pytest.mark.parametrize(("value", "detail"), FORMATS, ids=[detail for _, detail in FORMATS])
def test_a_format_is_recognised(value: str, detail: str) -> None:
    text = f"Use {value} for that."
    assert (detail, "format") in [(hit.detail, hit.evidence) for hit in secrets(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The password is hunter2.", "hunter2"),
        ("The password for the admin account: Tr0ub4dor&3", "Tr0ub4dor&3"),
        ('api_key = "9f8e7d6c5b"', "9f8e7d6c5b"),
        ("It sends the api key 7f3a-99b2-cc41 each time.", "7f3a-99b2-cc41"),
        ("Your PIN is 4821.", "4821"),
        ("The one-time code is 918273", "918273"),
        ("CVV 123", "123"),
    ],
)
def test_an_announced_value_is_found(text: str, value: str) -> None:
    assert [hit.text for hit in secrets(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Your password is case-sensitive.",
        "The password is required when you log in.",
        "Password: ********",
        "The API key is <your key>.",
        "A PIN has 4 digits, and after 3 wrong attempts the card is blocked.",
        "PIN: ****",
        "The secret is patience.",
        "A password 12 characters long, password manager, access code and key.",
    ],
)
def test_what_is_masked_or_told_about_is_none(text: str) -> None:
    assert list(secrets(text)) == []
