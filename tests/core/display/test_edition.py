"""Numbers and dates in the marks of an edition."""

from __future__ import annotations

from datetime import UTC, datetime
from math import nan

import pytest

from hcat.core.display.edition import edition, find_language
from hcat.core.display.messages import lower_first, say
from hcat.core.display.numbers import (
    MISSING,
    counted,
    format_count,
    format_difference,
    format_estimate,
    format_number,
    format_p_value,
    format_percent,
    p_value_text,
)
from hcat.core.errors import HcatError
from hcat.core.types import Estimate


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_numbers_in_german() -> None:
    with edition("de"):
        assert [format_number(value) for value in (0.714, 12.34, 1234.5, -0.05, nan)] == [
            "0,71", "12,3", "1.234", "−0,05", MISSING]  # fmt: skip
        assert format_count(1234567) == "1.234.567"
        assert [spaced(format_percent(share)) for share in (0.711, 0.0, 1.0, 0.00001, 0.99999)] == [
            "71,1 %", "0 %", "100 %", "<0,1 %", ">99,9 %"]  # fmt: skip
        assert (format_p_value(0.0341), p_value_text("q", 0.00001)) == ("0,034", "q < 0,001")
        assert format_difference(0.123) == "+0,12"
        assert format_estimate(Estimate(0.714, 0.65, 0.77, 1083)) == "0,71 [0,65; 0,77], n = 1.083"
        share = format_estimate(Estimate(0.714, 0.65, 0.77, 83), percent=True)
        assert spaced(share) == "71,4 % [65,0 %; 77,0 %], n = 83"
        assert (counted(1, "sample"), counted(1200, "sample")) == ("1 Fall", "1.200 Fälle")
    assert format_estimate(Estimate(0.714, 0.65, 0.77, 1083)) == "0.71 [0.65, 0.77], n = 1,083"


def test_values_in_messages() -> None:
    at = datetime(2026, 3, 2, 9, 5, tzinfo=UTC)
    values = {"share": 0.25, "n": 12345, "whole": 7, "text": "0.5 of 1,000", "at": at, "sign": 0.125}
    message = "{share:.0%} {n:,} {whole} {text} {at:%-d %B %Y} {sign:+.2f}"
    assert say(message, **values) == "25% 12,345 7 0.5 of 1,000 2 March 2026 +0.12"
    with edition("de"):
        assert spaced(say(message, **values)) == "25 % 12.345 7 0.5 of 1,000 2 März 2026 +0,12"
        assert lower_first("Die Zahl") == "Die Zahl"
    assert lower_first("The number") == "the number"


def test_only_languages_with_an_edition() -> None:
    assert find_language("de") == "de"
    with pytest.raises(HcatError, match="choose from en, de"):
        find_language("tlh")
