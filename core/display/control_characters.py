"""Characters that act instead of being read: shown as escapes, wherever texts of files reach a terminal or a log.

A column name may hold a command to the terminal, or turn the direction of what follows. An escape is the same in JSON,
so that a document printed through it is unchanged for programs.
"""

from __future__ import annotations

import codecs
import io
import logging
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

LONGEST_MESSAGE, LONGEST_END = 600, 150
"""Characters of a message, and of them those at its end, which says what to do."""
_ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""C0 without tab and line feed, DEL, C1, line ends and directions of Unicode, halves of surrogate pairs."""


_ALIKE = {
    **dict.fromkeys("−–—‐‑‒─━", "-"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’‚", "'"),
    **{"→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "…": "...", "×": "x", "±": "+/-", "·": "."},
    **{"√": "sqrt", "∞": "inf", "Σ": "sum", "✓": "yes", "✗": "no", "•": "*", "│": "|", "┃": "|"},
}
_GREEK = re.compile(r"GREEK \w+ LETTER (\w+)")
SPELLED = "hcat: spelled out"
"""The name of the error handler that writes what an encoding lacks in ASCII: a console need not know κ."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_in_ascii, error.object[error.start : error.end])), error.end


def _in_ascii(letter: str) -> str:
    greek = _GREEK.match(unicodedata.name(letter, ""))
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    is_mark = unicodedata.combining(letter) > 0
    return _ALIKE.get(letter) or (greek[1].lower() if greek else plain or ("" if is_mark else "?"))


codecs.register_error(SPELLED, _spelled)


def visible(text: str) -> str:
    """The text with such characters as escapes: \\u001b for what begins a command to a terminal."""
    return _ACTING.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)


def one_line(message: str) -> str:
    """A message as one line of a readable length."""
    line = visible(" ".join(message.split()))
    if len(line) <= LONGEST_MESSAGE:
        return line
    return f"{line[: LONGEST_MESSAGE - LONGEST_END]} … {line[-LONGEST_END:]}"


class VisibleStream:
    """A stream of text that writes such characters as escapes. It is no terminal: colours would be escapes too."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text."""
        self.stream.write(visible(text))
        return len(text)

    def isatty(self) -> bool:
        """No, whatever is behind it."""
        return False

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def visible_output() -> Iterator[None]:
    """Standard output, standard error and what logs write to as such streams, as long as the context lasts. What their
    encoding lacks is spelled out."""
    before = sys.stdout, sys.stderr
    handlers = [(handler, handler.stream) for handler in _log_handlers()]
    sys.stdout, sys.stderr = (_visible_stream(stream) for stream in before)
    for handler, stream in handlers:
        handler.setStream(_visible_stream(stream))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for handler, stream in handlers:
            handler.setStream(stream)


def _visible_stream(stream: TextIO) -> TextIO:
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors=SPELLED)
    return stream if isinstance(stream, VisibleStream) else cast("TextIO", VisibleStream(stream))


def _log_handlers() -> Iterator[logging.StreamHandler[TextIO]]:
    """The handlers of all loggers that write to a terminal, and so not to files, and whose stream is open still."""
    loggers = [logging.getLogger(), *(logging.getLogger(name) for name in list(logging.root.manager.loggerDict))]
    for logger in loggers:
        for handler in logger.handlers:
            if type(handler) is logging.StreamHandler and not getattr(handler.stream, "closed", False):
                yield handler


def terminal(stream: TextIO) -> TextIO:
    """The stream behind, for what writes commands of its own to a terminal and makes the texts visible itself."""
    return stream.stream if isinstance(stream, VisibleStream) else stream
