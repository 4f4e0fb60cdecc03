"""Messages of hcat in the edition's language: they are looked up by their English text, as in gettext.

A message has named placeholders with formats, as those of `str.format`: "{n} of {total} samples", "{auc:.2f}". Its
translation may have them in another order. Names, texts and notes that people wrote are values, never messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from string import Formatter

from hcat.core.display.edition import Language, current_language, in_edition

CATALOGUES = Path(__file__).parent / "catalogues"
"""A folder per language, with files in the format PO, which editors for translators read."""

CAPABILITIES = Path(__file__).parents[1] / "capabilities"
"""A folder a capability, with a file a language, such as `de.po`."""

MONTHS: Mapping[Language, tuple[str, ...]] = {
    "de": (
        *("Januar", "Februar", "März", "April", "Mai", "Juni"),
        *("Juli", "August", "September", "Oktober", "November", "Dezember"),
    )
}


def say(message: str, /, **values: object) -> str:
    """The message in the edition's language, with these values in its placeholders, numbers in the edition's format.

    English if there is no translation. A message without values is unchanged, braces and all."""
    text = translation(message)
    return filled(text, values) if values else text


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with these values in its placeholders, numbers in the edition's format."""
    return _FORMATTER.vformat(text, (), values)


def lower_first(sentence: str) -> str:
    """A sentence as it continues after a colon; German has its capital unchanged."""
    return f"{sentence[:1].lower()}{sentence[1:]}" if current_language() == "en" else sentence


def upper_first(text: str) -> str:
    """A text as it begins a line."""
    return f"{text[:1].upper()}{text[1:]}"


def translation(message: str) -> str:
    """The message in the edition's language, its placeholders unfilled; the message itself without a translation."""
    language = current_language()
    return message if language == "en" else catalogue(language).get(message, message)


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """All translations into a language by their English text."""
    return {english: text for _, english, text in entries(language)}


def entries(language: Language) -> Iterator[tuple[str, str, str]]:
    """The file, the English text and the translation of each entry of a language."""
    for path in sorted([*(CATALOGUES / language).glob("*.po"), *CAPABILITIES.glob(f"*/{language}.po")]):
        for block in path.read_text("utf-8").split("\n\n"):
            fields: dict[str, str] = {}
            for line in block.splitlines():
                name, _, text = line.partition('"')
                if not line.startswith("#"):
                    name = name.strip() or [*fields][-1]
                    fields[name] = fields.get(name, "") + json.loads(f'"{text}')
            if fields.get("msgid"):  # the first entry is about the file
                yield path.name, fields["msgid"], fields["msgstr"]


class _EditionFormatter(Formatter):
    """Writes values as the edition does."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, date):
            months = MONTHS.get(current_language())
            return format(value, format_spec if months is None else format_spec.replace("%B", months[value.month - 1]))
        text = str(super().format_field(value, format_spec))
        return text if isinstance(value, str) or not (format_spec or isinstance(value, float)) else in_edition(text)


_FORMATTER = _EditionFormatter()
