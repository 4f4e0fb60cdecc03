"""What the page says of who scores."""

from __future__ import annotations

from core.wording.progress import engine_sentence


def test_nothing_is_said_where_there_is_no_choice() -> None:
    assert engine_sentence("local", None, ray=None) == ""


def test_who_scores_is_said_by_settings_and_by_what_is_installed() -> None:
    assert engine_sentence("local", None, ray="2.60.0").startswith("One process scores.")
    assert engine_sentence("ray", None, ray="2.60.0") == "Workers of Ray score on this machine."
    assert engine_sentence("ray", "10.0.0.1:6379", ray="2.60.0") == "Workers of Ray score at 10.0.0.1:6379."
    assert "pip install hcat[ray]" in engine_sentence("ray", "10.0.0.1:6379", ray=None)
