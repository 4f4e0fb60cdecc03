"""An opinion as written by a person: its required content, and its form in a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import parse_document
from hcat.core.records.report import RATINGS, Opinion, Rating

FIELDS = ("rating", "author", "reasons", "conditions", "limitations")


def stated_opinion(
    rating: str,
    *,
    author: str,
    reasons: str = "",
    conditions: tuple[str, ...] = (),
    limitations: str = "",
) -> Opinion:
    """The opinion without blanks. HcatError where it is unsigned, of an unknown rating, or lacks a part that its rating
    needs. All ratings but "no opinion" need reasons; "fit with conditions" needs conditions, and no other has them."""
    known: Rating | None = next((name for name in RATINGS if name == rating), None)
    written = tuple(text for condition in conditions if (text := condition.strip()))
    if known is None:
        raise HcatError(f"an opinion has no rating {rating!r}: choose one of {', '.join(RATINGS)}")
    if not author.strip():
        raise HcatError("an opinion carries a name: say who states it")
    if known != "no opinion" and not reasons.strip():
        raise HcatError(f"“{known}” needs its reasons: write them")
    if known == "fit with conditions" and not written:
        raise HcatError("“fit with conditions” needs at least one condition: write one a line")
    if known != "fit with conditions" and written:
        raise HcatError(f"“{known}” takes no conditions: choose “fit with conditions”, or leave them out")
    return Opinion(known, author.strip(), reasons.strip(), written, limitations.strip())


def read_opinion(text: str, *, filename: str) -> Opinion:
    """An opinion from a TOML or JSON file with the keys `rating`, `author`, `reasons`, `conditions`, `limitations`."""
    try:
        document: object = parse_document(text) if filename.endswith(".json") else tomllib.loads(text)
    except ValueError as error:
        raise FileFormatError(
            f"{filename} is neither TOML nor, with a name that ends in .json, JSON: {error}"
        ) from error
    if not isinstance(document, Mapping):
        raise FileFormatError(f'{filename} holds no keys: write rating = "…", author = "…", reasons = "…"')
    unknown = next((key for key in document if key not in FIELDS), None)
    if unknown is not None:
        raise FileFormatError(f"{filename}: an opinion has no {unknown!r}, only {', '.join(FIELDS)}")
    texts = {key: _text(document, key, filename) for key in FIELDS if key != "conditions"}
    conditions = document.get("conditions", [])
    if not isinstance(conditions, list) or not all(isinstance(condition, str) for condition in conditions):
        raise FileFormatError(f"{filename}: conditions must be a list of texts")
    return stated_opinion(
        texts["rating"],
        author=texts["author"],
        reasons=texts["reasons"],
        conditions=tuple(conditions),
        limitations=texts["limitations"],
    )


def _text(document: Mapping[str, object], key: str, filename: str) -> str:
    value = document.get(key, "")
    if not isinstance(value, str):
        raise FileFormatError(f"{filename}: {key} must be a text")
    return value
