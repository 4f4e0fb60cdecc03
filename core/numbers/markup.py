"""A text without the markup that chat answers put around numbers: Markdown, HTML, LaTeX, escape sequences."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

_SIGNS = re.compile(r"[*_\\<&\x1b\u00ad\u200b-\u200d\u2060\ufeff％＄，]|\$[^$\n]{0,200}\$|\{,\}|~~")
"""Characters of which every text with markup has one."""
_MATH = re.compile(r"\$\$?(?=[^\s$])(?P<inside>[^$\n]{0,200}?)(?<=[^\s$\\])\$\$?(?!\d)")
_WORD_IN_MATH = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_TEXT_IN_MATH = re.compile(r"\\(?:text|mathrm|mbox|operatorname)\w*\s?\{[^{}]*\}")
_EMPHASIS = re.compile(r"(?<![\w*)])(?P<sign>[*_])(?=[^\s*_])[^*_\n]{0,80}?(?<=[^\s*_])(?P=sign)(?![\w*(])")
_PIECES = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]|[\u00ad\u200b-\u200d\u2060\ufeff]|[％＄，]"
    r"|</?[A-Za-z][^<>\n]{0,80}>|&(?:\#\d{1,6}|\#x[0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
    r"|\\[a-zA-Z]+\*?\s?\{?|\\[,;:! ]|\\[%$&\#_{}()\[\]*~-]|\}\s?\{|\{,\}|[{}]"
    r"|(?<![\w)])(?:\*\*\*?|___?)|(?:\*\*\*?|___?)(?![\w(])|~~"
)
_COMMANDS = {
    "times": "×", "cdot": "×", "div": "÷", "approx": "≈", "sim": "≈", "leq": "≤", "geq": "≥", "pm": "±", "quad": " ",
    "qquad": " ", "euro": "€", "pounds": "£", "EUR": "€", "percent": "%", "space": " ",
}  # fmt: skip
_WIDE = {"％": "%", "＄": "$", "，": ","}
_BLOCK = re.compile(r"</?(?:br|p|div|td|th|tr|li|ul|ol|table|h[1-6])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without markup. `origins` are the positions of its characters in the source; None if nothing was
    removed."""

    text: str
    origins: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the source of the characters from `start` to `end`."""
        if self.origins is None:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1


def without_markup(source: str) -> Plain:
    """The text as a reader sees it: emphasis, tags, entities and commands are removed or replaced by their signs."""
    if _SIGNS.search(source) is None:
        return Plain(source)
    in_math = "\\" in source or "{,}" in source
    left_out = [(start, end, "") for start, end in _delimiters(source)]
    for match in _PIECES.finditer(source):
        replacement = _replacement(match.group(), in_math=in_math)
        if replacement is not None:
            left_out.append((*match.span(), replacement))
    return _rebuilt(source, sorted(left_out))


def _delimiters(source: str) -> list[tuple[int, int]]:
    """The signs around formulas and single words in emphasis, except a dollar before an amount."""
    found: list[tuple[int, int]] = []
    for match in _MATH.finditer(source) if source.count("$") > 1 else ():
        if _WORD_IN_MATH.search(_TEXT_IN_MATH.sub("", match["inside"])) is None:
            start, end = match.span("inside")
            found += [(match.start(), start), (end, match.end())]
    for match in _EMPHASIS.finditer(source):
        found += [(match.start(), match.start() + 1), (match.end() - 1, match.end())]
    return found


def _replacement(piece: str, *, in_math: bool) -> str | None:
    """The replacement of a piece of markup; None if it is no markup."""
    if piece in _WIDE:
        return _WIDE[piece]
    if piece[0] == "&":
        read = html.unescape(piece)
        return None if read == piece or len(read) > len(piece) else read
    if piece[0] == "<":
        return " " if _BLOCK.match(piece) else ""
    if piece == "{,}":
        return ","
    if piece[0] in "{}":
        return ("/" if len(piece) > 1 else "") if in_math else None
    if piece[0] != "\\":
        return ""
    name = piece[1:].rstrip("{ *")
    if name.isalpha():
        return _COMMANDS.get(name, "")
    return piece[1] if piece[1] in "%$&#_*~-" else ""


def _rebuilt(source: str, pieces: list[tuple[int, int, str]]) -> Plain:
    text: list[str] = []
    origins: list[int] = []
    position = 0
    for start, end, replacement in pieces:
        if start < position:
            continue
        text += [source[position:start], replacement]
        origins += range(position, start)
        origins += [start] * len(replacement)
        position = end
    text.append(source[position:])
    origins += range(position, len(source))
    return Plain("".join(text), origins)
