"""The codec: every type of field there and back, and a path for whatever does not fit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.arrays import Bools, Floats
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.codec import JSON, Codec
from hcat.core.records.layout import Also, Group, Inline, Key
from hcat.core.types import Estimate, Finite, JsonValue


@dataclass(frozen=True, slots=True)
class Inner:
    x: float
    y: Finite = 1.0

    @property
    def double(self) -> float:
        return 2 * self.x

    def sentence(self) -> str:
        return f"x is {self.x:g}"


@dataclass(frozen=True, slots=True)
class Other:
    x: float


@dataclass(frozen=True, slots=True)
class Everything:
    name: str
    count: int
    flag: bool
    number: float
    maybe: float | None
    word: Literal["a", "b"]
    numbers: tuple[float, ...]
    pair: tuple[str, int]
    by_name: Mapping[str, Inner]
    by_size: Mapping[int, int]
    inner: Inner | None
    day: date
    moment: datetime
    anything: Mapping[str, JsonValue]
    cells: tuple[str | int | None, ...] = ()
    later: dict[str, int] = field(default_factory=dict)


VALUE = Everything(
    *("ü", 3, True, math.nan, None, "b", (1.0, math.nan), ("p", 2), {"k": Inner(0.5)}, {2: 7}, None),
    *(date(2026, 3, 2), datetime(2026, 3, 2, 9, 30, tzinfo=UTC), {"a": [1, None, {"b": "c"}]}, ("x", 1, None)),
)


def test_every_type_there_and_back() -> None:
    document = JSON.write_object(VALUE)
    assert document["numbers"] == [1.0, None] and document["number"] is None and document["by_size"] == {"2": 7}
    assert (document["day"], document["moment"]) == ("2026-03-02", "2026-03-02T09:30:00+00:00")
    read = JSON.read(Everything, json.loads(json.dumps(document, allow_nan=False)))
    assert math.isnan(read.number) and math.isnan(read.numbers[1]) and read.maybe is None
    assert JSON.write(read) == document
    assert (read.by_size, read.pair, read.moment, read.cells) == (VALUE.by_size, VALUE.pair, VALUE.moment, VALUE.cells)
    assert type(JSON.read(Inner, {"x": 1}).x) is float


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "name: text was expected"),
        ({"count": 1.0}, "count: a whole number was expected"),
        ({"count": True}, "count: a whole number was expected"),
        ({"number": True}, "number: a number was expected"),
        ({"maybe": "1"}, "maybe: a number or null was expected"),
        ({"flag": 1}, "flag: true or false was expected"),
        ({"word": "c"}, "word: “a” or “b” was expected"),
        ({"numbers": {"0": 1}}, "numbers: a list was expected"),
        ({"numbers": [1, "2"]}, "numbers[1]: a number was expected"),
        ({"pair": ["p"]}, "pair: a list of 2 was expected"),
        ({"by_name": {"k": {}}}, "by_name.k.x is missing"),
        ({"by_name": {"k": {"x": 1, "y": None}}}, "by_name.k.y: a finite number was expected"),
        ({"by_size": {"two": 2}}, "by_size.two: a whole number as key was expected"),
        ({"inner": 3}, "inner: an object or null was expected"),
        ({"day": "2 March"}, "day: a date as 2026-03-02 was expected"),
        ({"moment": 5}, "moment: a date and time as 2026-03-02T09:30:00+00:00 was expected"),
        ({"cells": [[]]}, "cells[0]: text or a whole number or null was expected"),
    ],
)
def test_what_does_not_fit_is_named_by_its_path(change: dict[str, JsonValue], message: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        JSON.read(Everything, JSON.write_object(VALUE) | change)
    assert str(caught.value) == message


def test_unknown_keys_are_left_alone_and_absent_ones_mean_the_default() -> None:
    assert JSON.read(Inner, {"x": 2.0, "z": "from a later version"}) == Inner(2.0, 1.0)
    with pytest.raises(FileFormatError, match=r"^at\.x is missing$"):
        JSON.read(Inner, {}, at="at")


def test_a_declared_layout() -> None:
    @dataclass(frozen=True)
    class Owner:
        inner: Inner
        lambda_: float
        n: int = 0
        m: int = 0

    codec = Codec(
        {
            Owner: (
                Key("lambda", "lambda_", required=True),
                *(Also("double", "inner.double"), Also("says", "inner.sentence")),
                *(Inline("inner"), Group("counts", ("n", "m"))),
            )
        }
    )
    value = Owner(Inner(2.0), 0.5, 3, 4)
    document = codec.write_object(value)
    expected = {"lambda": 0.5, "double": 4.0, "says": "x is 2", "x": 2.0, "y": 1.0, "counts": {"n": 3, "m": 4}}
    assert list(document.items()) == list(expected.items())
    assert codec.read(Owner, document) == value
    del document["lambda"]
    with pytest.raises(FileFormatError, match=r"^lambda is missing$"):
        codec.read(Owner, document)


def test_fields_that_stand_elsewhere_are_given() -> None:
    codec = Codec({Inner: ("x",)})
    assert codec.read(Inner, codec.write(Inner(1.0, 3.0)), preset={"y": 3.0}) == Inner(1.0, 3.0)


@dataclass(frozen=True)
class Shapes:
    items: tuple[Inner | Other | str, ...]


def test_unions_are_told_apart_by_their_tag() -> None:
    codec = Codec(tag="type")
    shapes = Shapes((Other(1.0), Inner(2.0), "text"))
    document = codec.write_object(shapes)
    assert document["items"] == [{"type": "other", "x": 1.0}, {"type": "inner", "x": 2.0, "y": 1.0}, "text"]
    assert codec.read(Shapes, document) == shapes
    with pytest.raises(FileFormatError, match=r"^items\[0\]: an object of type “inner” or an object"):
        codec.read(Shapes, {"type": "shapes", "items": [{"type": "third"}]})


@dataclass(frozen=True, eq=False)
class Arrays:
    table: Floats
    rows: Bools


def test_arrays_are_nested_lists() -> None:
    document = JSON.write_object(Arrays(np.array([[1.0, np.nan], [2.0, 3.0]]), np.array([True, False])))
    assert document == {"table": [[1.0, None], [2.0, 3.0]], "rows": [True, False]}
    read = JSON.read(Arrays, document)
    np.testing.assert_array_equal(read.table, [[1.0, np.nan], [2.0, 3.0]])
    assert read.rows.dtype == np.bool_ and read.rows.tolist() == [True, False]
    with pytest.raises(FileFormatError, match=r"^table\[1\]\[0\]: a number was expected"):
        JSON.read(Arrays, {"table": [[1.0], ["2"]], "rows": []})


@dataclass(frozen=True)
class Positive:
    n: int

    def __post_init__(self) -> None:
        if self.n <= 0:
            raise HcatError("n must be positive")


@dataclass(frozen=True)
class Box:
    parts: tuple[Positive, ...]


def test_what_the_class_refuses_is_an_error_of_the_document() -> None:
    with pytest.raises(FileFormatError, match=r"^parts\[1\]: n must be positive$"):
        JSON.read(Box, {"parts": [{"n": 1}, {"n": 0}]})


def test_what_no_document_holds_is_a_fault_of_the_program() -> None:
    with pytest.raises(TypeError, match="can't hold a set"):
        JSON.write({"a": {1, 2}})


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.builds(Estimate, numbers, numbers, numbers, st.integers(-(2**62), 2**62), numbers, st.text()))
def test_any_estimate_there_and_back(estimate: Estimate) -> None:
    assert JSON.read(Estimate, json.loads(json.dumps(JSON.write(estimate)))) == estimate
