"""Reads JSON values as the types of declared fields; a value that does not fit is named by its path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date, datetime
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Literal, NoReturn, Union, cast, get_args, get_origin, get_type_hints

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.layout import Group, Inline, JsonObject, Key, Layout, Layouts, entries, layout_of, tag_of
from hcat.core.types import JsonValue

_SCALARS: Mapping[object, str] = {
    NoneType: "null",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
_DATES: Mapping[object, tuple[type[date], str]] = {
    date: (date, "a date as 2026-03-02"),
    datetime: (datetime, "a date and time as 2026-03-02T09:30:00+00:00"),
}
_LARGEST = 2**63 - 1
_LISTS: tuple[object, ...] = (list, tuple, Sequence)
_MAPPINGS: tuple[object, ...] = (dict, Mapping)
_UNIONS: tuple[object, ...] = (Union, UnionType)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads by the layouts and the tag of a codec."""

    layouts: Layouts
    tag: str | None

    def read(self, kind: object, value: JsonValue, at: str) -> object:
        """The value as this type. FileFormatError names the place of one that does not fit."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return _finite(self.read(arguments[0], value, at), at)
        if origin in _UNIONS:
            return self._member(arguments, value, at)
        if kind is float and value is None:
            return math.nan
        if not self.fits(kind, value):
            _refuse(at, self.expected(kind))
        if kind in _DATES:
            return _date(kind, str(value), at)
        if isinstance(value, list):
            return self._items(kind, value, at)
        if isinstance(value, dict):
            return (
                self._mapping(arguments, value, at)
                if origin in _MAPPINGS
                else self.read_object(cast(type, kind), value, at)
            )
        if kind is int and isinstance(value, int) and abs(value) > _LARGEST:
            _refuse(at, "a whole number of at most 64 bits")
        return float(value) if kind is float and isinstance(value, int) else value

    def read_object(self, kind: type, value: JsonValue, at: str, preset: Mapping[str, object] | None = None) -> object:
        """A dataclass from its object and the fields `preset`. FileFormatError also if the class refuses it."""
        read = dict(self._fields(kind, layout_of(kind, self.layouts), _object(value, at), at))
        try:
            return cast(Callable[..., object], kind)(**read, **(preset or {}))
        except (HcatError, ValueError) as error:
            raise FileFormatError(f"{at}: {error}" if at else str(error)) from error

    def fits(self, kind: object, value: JsonValue) -> bool:
        """Whether the value is of the type's kind of JSON: an object for a dataclass, a list for a tuple …"""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.fits(arguments[0], value)
        if origin in _UNIONS:
            return any(self.fits(member, value) for member in arguments)
        if origin is Literal:
            return any(value == word and type(value) is type(word) for word in arguments)
        if kind is float:
            return isinstance(value, float | int) and not isinstance(value, bool)
        if kind in _SCALARS:
            return type(value) is kind
        if kind in _DATES:
            return isinstance(value, str)
        if origin in _LISTS or _is_array(origin):
            return isinstance(value, list)
        if origin in _MAPPINGS:
            return isinstance(value, dict)
        return isinstance(value, dict) and (self.tag is None or value.get(self.tag) == tag_of(cast(type, kind)))

    def expected(self, kind: object) -> str:
        """The expected value of the type, in words."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in _UNIONS:
            return " or ".join(dict.fromkeys(self.expected(member) for member in arguments))
        if origin is Annotated:
            return self.expected(arguments[0])
        if origin is Literal:
            return " or ".join(f"“{word}”" for word in arguments)
        if kind in _DATES:
            return _DATES[kind][1]
        if origin in _LISTS or _is_array(origin):
            return "a list"
        if kind in _SCALARS:
            return _SCALARS[kind]
        if origin in _MAPPINGS or self.tag is None:
            return "an object"
        return f"an object of {self.tag} “{tag_of(cast(type, kind))}”"

    def _member(self, members: tuple[object, ...], value: JsonValue, at: str) -> object:
        if _SCALARS.keys() <= set(members):
            return value  # whatever JSON can hold
        for member in members:
            if self.fits(member, value):
                return self.read(member, value, at)
        _refuse(at, self.expected(Union[members]))  # noqa: UP007 - of a tuple

    def _items(self, kind: object, values: list[JsonValue], at: str) -> object:
        origin, arguments = get_origin(kind), get_args(kind)
        if _is_array(origin):
            return self._array(arguments, values, at)
        if origin is tuple and arguments[-1] is not Ellipsis:
            if len(values) != len(arguments):
                _refuse(at, f"a list of {len(arguments)}")
            kinds: Sequence[object] = arguments
        else:
            kinds = [arguments[0]] * len(values)
        read = (self.read(*pair, f"{at}[{i}]") for i, pair in enumerate(zip(kinds, values, strict=True)))
        return list(read) if origin is list else tuple(read)

    def _array(self, arguments: tuple[object, ...], values: list[JsonValue], at: str) -> object:
        import numpy as np

        (dtype,) = get_args(arguments[1])
        scalar = {"f": float, "i": int, "b": bool}.get(np.dtype(dtype).kind, str)

        def nested(items: list[JsonValue], where: str) -> list[object]:
            return [
                nested(item, f"{where}[{i}]") if isinstance(item, list) else self.read(scalar, item, f"{where}[{i}]")
                for i, item in enumerate(items)
            ]

        return np.array(nested(values, at), dtype=dtype)

    def _mapping(self, arguments: tuple[object, ...], values: JsonObject, at: str) -> dict[object, object]:
        key_kind, kind = arguments
        return {
            _whole(key, _join(at, key)) if key_kind is int else self.read(key_kind, key, at): self.read(
                kind, item, _join(at, key)
            )
            for key, item in values.items()
        }

    def _fields(self, kind: type, layout: Layout, document: JsonObject, at: str) -> Iterator[tuple[str, object]]:
        """The fields of a dataclass in the document, each with its value."""
        types = _field_types(kind)
        for entry in entries(layout):
            if isinstance(entry, Inline):
                yield entry.field, self.read(types[entry.field], document, at)
            elif isinstance(entry, Group):
                inner = document.get(entry.name)
                where = _join(at, entry.name)
                yield from self._fields(kind, entry.keys, _object(inner, where), where)
            elif isinstance(entry, Key) and entry.name in document:
                yield entry.field, self.read(types[entry.field], document[entry.name], _join(at, entry.name))
            elif isinstance(entry, Key) and (entry.required or entry.field in _without_default(kind)):
                raise FileFormatError(f"{_join(at, entry.name)} is missing")


def _finite(number: object, at: str) -> object:
    if isinstance(number, float) and not math.isfinite(number):
        _refuse(at, "a finite number")
    return number


def _date(kind: object, text: str, at: str) -> date:
    reader, expected = _DATES[kind]
    try:
        return reader.fromisoformat(text)
    except ValueError:
        _refuse(at, expected)


def _object(value: JsonValue, at: str) -> JsonObject:
    if not isinstance(value, dict):
        _refuse(at, "an object")
    return value


def _whole(key: str, at: str) -> int:
    try:
        return int(key)
    except ValueError:
        _refuse(at, "a whole number as key")


def _is_array(origin: object) -> bool:
    return isinstance(origin, type) and origin.__module__ == "numpy"


def _join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def _refuse(at: str, expected: str) -> NoReturn:
    raise FileFormatError(f"{at}: {expected} was expected" if at else f"{expected} was expected")


@lru_cache(maxsize=256)
def _field_types(kind: type) -> Mapping[str, object]:
    return get_type_hints(kind, include_extras=True)


@lru_cache(maxsize=256)
def _without_default(kind: type) -> frozenset[str]:
    return frozenset(
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    )
