"""Errors caused by files, settings, addresses and databases, each as one line that says what to do."""

from __future__ import annotations

from hcat.core.display.addresses import without_secrets
from hcat.core.errors import HcatError


def expected_line(error: BaseException) -> str | None:
    """The message about an error that the user can correct; None if it is a defect."""
    line = _line(error)
    return None if line is None else " ".join(line.split())


def _line(error: BaseException) -> str | None:
    if isinstance(error, HcatError):
        return str(error)
    if isinstance(error, OSError):
        place = f" ({error.filename})" if error.filename else ""
        return without_secrets(f"{error.strerror or error}{place}")
    if isinstance(error, MemoryError):
        return "there is not enough memory for this: give smaller files, or close other programs"
    if isinstance(error, UnicodeEncodeError):
        letter = ord(error.object[error.start])
        return f"a name or a text has a character that is not Unicode (U+{letter:04X}): write it without that character"
    return None
