"""Lists and objects written out as text in a CSV cell: as JSON, as Python shows them, or as numpy shows them.

Objects of a class, such as LangChain's documents, are read as their fields.
numpy puts no commas between items. Python would join two such texts into one without a word, so that lists are cut into
items here, and only what holds objects goes through `ast.literal_eval`.
"""

from __future__ import annotations

import ast
import math
import re
from typing import cast

from core.importers.reading.json_records import parse_json
from core.types import JsonValue

MAX_LITERAL_CHARACTERS = 2_000_000
"""A longer cell is not evaluated: the parser behind `ast.literal_eval` takes about a hundred times its text."""

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
"""Two texts side by side, each replaced by one character."""
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}


def read_literal(text: str) -> JsonValue:
    """The list or object that the text spells out. Raises ValueError where it is neither."""
    stripped = text.strip()
    if not stripped.startswith(("[", "{")):
        raise ValueError("neither a list nor an object")
    try:
        return parse_json(stripped)
    except (ValueError, RecursionError):
        pass
    items = _list_items(stripped) if stripped.startswith("[") else None
    return items if items is not None else _evaluated(stripped)


def _list_items(text: str) -> list[JsonValue] | None:
    """The items of a flat list of texts, numbers and None; None where the text is anything else."""
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
        value: object = ast.literal_eval(_Constructed().visit(ast.parse(text, mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("not a list or object of plain values") from None
    if not isinstance(value, list | dict):
        raise ValueError("neither a list nor an object")
    return _as_json(value)


class _Constructed(ast.NodeTransformer):
    """Objects as Python shows them, `Document(page_content='…')`, as plain objects. Nothing is called."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """An object with the fields that the text names, and with the name of its class as `type`."""
        self.generic_visit(node)
        if node.args or not isinstance(node.func, ast.Name) or not all(field.arg for field in node.keywords):
            return node
        fields = {"type": ast.Constant(node.func.id), **{str(field.arg): field.value for field in node.keywords}}
        return ast.Dict(keys=[ast.Constant(name) for name in fields], values=list(fields.values()))


def _as_json(value: object) -> JsonValue:
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return cast(JsonValue, value)
    raise ValueError("only texts, numbers, lists and objects can be read")
