"""Limits of a file's content, counted before it is parsed: a small file can expand to more than fits in memory.

A value takes some 150 bytes once it is read, for any number of characters in the file; what is compressed, repeated or
named once and used often can grow a thousandfold."""

from __future__ import annotations

import gzip
import io
import re
from itertools import islice

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.records.json_text import json_value
from hcat.core.types import JsonValue

MOST_BYTES = 200_000_000
MOST_VALUES = 5_000_000
MOST_YAML_CHARACTERS = 1_000_000
SPLIT = "split the file"
SPLIT_OR_RAISE = "split the file, or raise HCAT_MAX_FILE_MB"

_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[,\[{]')
"""A string, or a sign that begins another value."""


def check_bytes(size: int, *, most: int = MOST_BYTES, advice: str = SPLIT) -> None:
    """Raise LimitError if a file, or its unpacked content, has more bytes."""
    if size > most:
        raise LimitError(f"more than {most / 1e6:g} MB: {advice}")


def check_values(text: str | bytes, *, most: int | None = None, advice: str = SPLIT) -> None:
    """Raise LimitError if JSON text, or lines of it, has more values, by default MOST_VALUES."""
    most = MOST_VALUES if most is None else most
    if count_values(text, most=most) > most:
        raise LimitError(f"more than {most:,} cells and items of lists: {advice}")


def count_values(text: str | bytes, *, most: int) -> int:
    """A lower bound of the number of values in JSON text: commas and brackets outside of strings, counted up to
    `most`."""
    if isinstance(text, bytes):
        signs = sum(text.count(sign) for sign in (b",", b"[", b"{"))
    else:
        signs = sum(text.count(sign) for sign in ",[{")
    if signs <= most:
        return signs
    letters = text.decode("latin-1") if isinstance(text, bytes) else text  # UTF-8 has these signs nowhere else
    return sum(1 for _ in islice((piece for piece in _PIECE.finditer(letters) if piece[0][0] != '"'), most + 1))


def parse_document(text: str) -> JsonValue:
    """A JSON document. LimitError if it is too large, ValueError if it is not JSON, or as in `json_value`."""
    check_bytes(len(text))
    check_values(text)
    return json_value(text)


def unzipped(content: bytes, *, most: int = MOST_BYTES) -> bytes:
    """The content of a gzip file.

    LimitError, before it is all unpacked, if that is too much; OSError or EOFError if it is broken."""
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        data = file.read(most + 1)
    check_bytes(len(data), most=most)
    return data


def parse_yaml(text: str, *, name: str) -> object:
    """A YAML document without aliases, by which nine lines can expand to a thousand million values.

    FileFormatError with the line if it is not YAML; LimitError if it is too large."""
    import yaml

    from hcat.core.records.yaml_loader import BoundedLoader

    if len(text) > MOST_YAML_CHARACTERS:
        raise LimitError(f"{name}: more than {MOST_YAML_CHARACTERS:,} characters: split the file")
    try:
        content: object = yaml.load(text, Loader=BoundedLoader)  # noqa: S506  a safe loader with limits
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        raise FileFormatError(f"{name} is no YAML{'' if line is None else f': line {line + 1}'}") from None
    except RecursionError:
        raise FileFormatError(f"{name} is nested too deeply") from None
    except LimitError as error:
        raise LimitError(f"{name}: {error}") from None
    except FileFormatError as error:
        raise FileFormatError(f"{name}: {error}") from None
    except (ValueError, OverflowError):  # 30 February, or a number of more digits than Python reads
        raise FileFormatError(f"{name} has a date or a number that can't be: write texts between quotes") from None
    return content
