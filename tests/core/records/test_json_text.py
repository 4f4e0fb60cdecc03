from __future__ import annotations

import pytest

from hcat.core.records.json_text import DEEPEST, json_object, json_value


def test_what_is_fine_is_read() -> None:
    assert json_value('{"a": [1, 2.5, NaN, null, true, "x"]}') == {"a": [1, 2.5, None, None, True, "x"]}
    assert json_value("9" * 40) == int("9" * 40)
    assert json_value("[" * DEEPEST + "]" * DEEPEST)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9" * 41, "more than 40 digits"),
        ("-" + "9" * 5000, "more than 40 digits"),
        ("1e999", "not finite"),
        ("Infinity", "not finite"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deeply"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("{", "line 1"),
        (b'"\xff"', "can't decode byte"),
    ],
)
def test_what_a_reader_falls_over_is_a_value_error(text: str | bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        json_value(text)


def test_an_object_is_asked_for() -> None:
    with pytest.raises(ValueError, match="an object was expected"):
        json_object("[1]")
