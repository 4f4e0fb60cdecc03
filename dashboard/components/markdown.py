"""Names and messages that hold users' text, made safe for elements that read Markdown."""

from __future__ import annotations

import re
import string

ADDRESS = re.compile(r"(https?|ftp)(?=://)|www(?=\.)|[\w.+-](?=@[\w-])", re.IGNORECASE)
"""The beginning of an address, or the part before its @, of which Markdown readers make a link, whatever is escaped."""


def plain(text: object) -> str:
    """The text as Markdown that shows it as it is, on one line: no image, link, formula or emphasis comes of it."""
    single = ADDRESS.sub("\\g<0>\N{WORD JOINER}", " ".join(str(text).split()))
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in single)


def sentence(message: object) -> str:
    """An error's message as a sentence of a page: with a capital, unless it begins with a name, and a full stop."""
    text = " ".join(str(message).split())
    first = text.split(" ", 1)[0].rstrip(",:;")
    capital = text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
    return plain(capital if capital.endswith((".", "!", "?")) else f"{capital}.")
