"""Lists and objects as text in a CSV cell: as JSON, or as Python or numpy show them.

Objects of a class, such as LangChain's documents, are read as their fields; numbers and texts of numpy, pandas and the
standard library (`np.float64(0.83)`, `UUID('…')`) as their values, dates as ISO texts, anything else as the text that
Python shows. numpy puts no commas between items. Python would silently join two such texts into one, so that lists are
cut into items here, and only content with objects is parsed as Python. Nothing is called."""

from __future__ import annotations

import ast
import math
import re
from datetime import date, datetime, time

from hcat.core.importers.reading.json_records import parse_json
from hcat.core.types import JsonValue

MAX_LITERAL_CHARACTERS = 2_000_000
"""A longer cell is not evaluated: Python's parser takes about a hundred times its text."""

_ITEM = re.compile(
    r"""\s*(?:'(?P<single>[^'\\]*+(?:\\.[^'\\]*+)*+)'"""
    r"""|"(?P<double>[^"\\]*+(?:\\.[^"\\]*+)*+)\""""
    r"""|(?P<number>[+-]?\d{1,18}(?:\.\d*)?(?:e[+-]?\d{1,3})?)"""
    r"""|(?P<none>None|nan))"""
    r"""(?:\s*(?P<end>\])\s*\Z|\s*,\s*(?:(?P<last>\])\s*\Z)?|(?=\s))""",
    re.DOTALL,
)
_STRING = re.compile(r"""'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+\"""", re.DOTALL)
_JOINED = re.compile(r"§\s*§")
"""Two adjacent texts, each replaced by one character."""
_SHOWN = re.compile(
    r"""(?P<string>'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+\")"""
    r"""|<(?P<member>[A-Za-z_][\w.]*): (?P<value>'[^'\\]*'|"[^"\\]*"|-?[\d.]+)>"""
    r"""|<(?P<object>[^<>'"]*+(?:(?:'[^']*+'|"[^"]*+"|<[^<>]*+>)[^<>'"]*+)*+)>""",
    re.DOTALL,
)
"""A text, or outside of texts a member of an enumeration (`<Role.USER: 'user'>`) or an object without shown fields."""
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_STRUCTURE = re.compile(r"[\[{(]|[A-Za-z_][\w.]*\(")
_NAMED: dict[str, JsonValue] = {
    **dict.fromkeys(("nan", "NaN", "NaT", "NA", "null", "undefined", "inf", "Infinity"), None),
    **{"true": True, "false": False, "True_": True, "False_": False},
}
_DATES = {"datetime": datetime, "date": date, "time": time}
_MAPPINGS = frozenset({"OrderedDict", "defaultdict", "Counter", "mappingproxy", "dict"})


def read_literal(text: str) -> JsonValue:
    """The list or object in the text. Raises ValueError if it is neither."""
    stripped = text.strip()
    if not _STRUCTURE.match(stripped):
        raise ValueError("neither a list nor an object")
    try:
        value = parse_json(stripped)
    except (ValueError, RecursionError):
        items = _list_items(stripped) if stripped.startswith("[") else None
        value = items if items is not None else _evaluated(stripped)
    if not isinstance(value, list | dict):
        raise ValueError("neither a list nor an object")
    return value


def _list_items(text: str) -> list[JsonValue] | None:
    """The items of a flat list of texts, numbers and None; None if the text is anything else."""
    if not text[1:].strip(" \t\r\n]"):
        return [] if text.count("]") == 1 and text.endswith("]") else None
    items: list[JsonValue] = []
    position = 1
    while match := _ITEM.match(text, position):
        items.append(_item(match))
        position = match.end()
        if match["end"] or match["last"]:
            return items
        if text[position:].strip() == "]":
            return items
    return None


def _item(match: re.Match[str]) -> JsonValue:
    if match["none"]:
        return None
    if match["number"]:
        number = match["number"]
        return int(number) if number.lstrip("+-").isdecimal() else float(number)
    return _ESCAPE.sub(_unescaped, match["single"] if match["single"] is not None else match["double"])


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "xuU" and len(code) > 1:
        point = int(code[1:], 16)
        return chr(point) if point < 0x110000 else match[0]
    if code[0] in "01234567":
        return chr(int(code, 8))
    # Python keeps the backslash of an escape that it does not know.
    return _SIMPLE.get(code, code if code in "\\'\"" else match[0])


def _evaluated(text: str) -> JsonValue:
    if len(text) > MAX_LITERAL_CHARACTERS:
        raise ValueError("too long a list or object to evaluate")
    if _JOINED.search(_STRING.sub("§", text.replace("§", ""))):
        raise ValueError("a list of texts without commas between them")
    try:
        tree = ast.parse(_SHOWN.sub(_as_source, text), mode="eval")
        return _value(tree.body)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("not a list or object of plain values") from None


def _as_source(match: re.Match[str]) -> str:
    """Source code in place of an object without shown fields: its value, or its text."""
    if match["string"] is not None:
        return match[0]
    return match["value"] if match["member"] else repr(match[0])


def _value(node: ast.expr) -> JsonValue:
    match node:
        case ast.Constant():
            return _constant(node.value)
        case ast.List() | ast.Tuple() | ast.Set():
            return [_value(item) for item in node.elts]
        case ast.Dict():
            if None in node.keys:
                raise ValueError("an object with others unpacked in it")
            return {_key(key): _value(item) for key, item in zip(node.keys, node.values, strict=True) if key}
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            number = _value(node.operand)
            if isinstance(number, bool) or not isinstance(number, int | float | None):
                raise ValueError("a sign before what is no number")
            return number if number is None or isinstance(node.op, ast.UAdd) else -number
        case ast.Name():
            return _NAMED.get(node.id, node.id)
        case ast.Attribute():
            return _NAMED.get(node.attr, ast.unparse(node))
        case ast.Call():
            return _made(node)
    raise ValueError("an expression, and no value")


def _constant(value: object) -> JsonValue:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else "…" if value is ... else repr(value)


def _key(node: ast.expr) -> str:
    key = _value(node)
    return key if isinstance(key, str) else ast.unparse(node)


def _made(node: ast.Call) -> JsonValue:
    """An object as its class shows it: its named fields with the class as `type`, or its only value."""
    name = ast.unparse(node.func).rpartition(".")[2]
    given = [_value(argument) for argument in node.args]
    if name in _DATES:
        return _date(name, node.args) or ast.unparse(node)
    if name in _MAPPINGS:
        return _mapping(given)
    if any(keyword.arg is None for keyword in node.keywords):
        raise ValueError("an object with others unpacked in it")
    fields = {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg}
    if not given:
        return {"type": name, **fields}
    return given[0] if len(given) == 1 else ast.unparse(node)


def _date(name: str, arguments: list[ast.expr]) -> str | None:
    numbers = [each.value for each in arguments if isinstance(each, ast.Constant) and isinstance(each.value, int)]
    try:
        return str(_DATES[name](*numbers).isoformat())
    except (TypeError, ValueError, OverflowError):
        return None


def _mapping(given: list[JsonValue]) -> JsonValue:
    """The content that a class of mappings shows: an object or pairs, the last of its arguments."""
    shown = given[-1] if given else {}
    if isinstance(shown, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in shown):
        return {str(pair[0]): pair[1] for pair in shown if isinstance(pair, list)}
    return shown
