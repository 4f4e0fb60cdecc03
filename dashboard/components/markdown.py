"""Names and messages that hold users' text, made safe for elements that read Markdown."""

from __future__ import annotations

import string


def plain(text: object) -> str:
    """The text as Markdown that shows it as it is, on one line: no image, link, formula or emphasis comes of it."""
    single = " ".join(str(text).split())
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in single)
