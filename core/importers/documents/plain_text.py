"""Decodes text files: UTF-8, or UTF-16 by its mark; else Windows-1252, with a note."""

from __future__ import annotations

import codecs

from hcat.core.errors import FileFormatError

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\x0b\x0c\r\x1a\x1b")
_MOST_CONTROLS = 0.01
GUESSED = "it is not UTF-8 and was read as Windows-1252: look at its letters with accents, or save it as UTF-8"


def decode_text(data: bytes, *, declared: str = "") -> tuple[str, str]:
    """The text, and a note if its encoding was guessed. `declared` is the encoding that the file itself names.

    FileFormatError if the bytes are no text, or not in their declared encoding."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(name), ""
            except UnicodeDecodeError:
                raise FileFormatError(f"it begins like {name.upper()} text but is not: save it as UTF-8") from None
    if sum(map(data.count, _CONTROLS)) > _MOST_CONTROLS * len(data):
        raise FileFormatError("it is not text, whatever its name says: save it in the format that it is in")
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    if declared:
        try:
            return data.decode(declared), ""
        except (UnicodeDecodeError, LookupError):
            raise FileFormatError(f"it says that it is {declared[:30]}, and is not: save it as UTF-8") from None
    try:
        return data.decode("cp1252"), GUESSED
    except UnicodeDecodeError:
        raise FileFormatError("its encoding is neither UTF-8 nor Windows-1252: save it as UTF-8") from None
