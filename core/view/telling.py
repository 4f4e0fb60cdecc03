"""Texts with quantities in them, and columns, as the report's tree has them: in the words of the edition."""

from __future__ import annotations

from string import Formatter

from hcat.core.display.messages import filled, say, translation
from hcat.core.view.tree import Column, Kind, Quantity, Text


def tell(message: str, /, **values: object) -> Text:
    """The message in the edition's language, its quantities left as they are, for the renderers to write.

    A value is a quantity, a text with quantities, whose pieces stay as they are, or anything that `say` takes.
    """
    told: list[str | Quantity] = []
    text = ""
    for words, name, form, conversion in Formatter().parse(translation(message)):
        text += words
        if name is None:
            continue
        value = values.get(name)
        if isinstance(value, Quantity | tuple):
            told += [text] if text else []
            told += [value] if isinstance(value, Quantity) else value
            text = ""
        else:
            field = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            text += filled(f"{{{field}}}", values)
    return (*told, text) if text else tuple(told)


def column(title: str, kind: Kind = "text") -> Column:
    """A column under this title of hcat's own."""
    return Column(say(title), kind)
