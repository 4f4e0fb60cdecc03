"""`python -m training.font_coverage`: which characters the fonts inside the typesetter have, for the report's PDF.

The typesetter has its fonts inside its library and does not say what they cover. They are found there by the heads of
font files and read by fontTools. A test makes the same table anew, so that it can't fall behind a new version.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

FONTS = ("Libertinus Serif", "DejaVu Sans Mono", "NewComputerModern10", "NewComputerModernMath")
"""Families, in the names that the font files give themselves."""

FACES = ("Regular", "Book", "Bold", "Italic")

_HEAD = re.compile(rb"OTTO\x00|\x00\x01\x00\x00\x00[\x05-\x40]")
_LARGEST = 4_000_000


def coverage() -> dict[str, list[list[int]]]:
    """Of each family, the code points that all its faces have but the slanted bold ones, as ranges with both ends."""
    from fontTools.ttLib import TTFont, TTLibError

    library = _library().read_bytes()
    present: dict[str, set[int]] = {}
    for head in _HEAD.finditer(library):
        try:
            font = TTFont(io.BytesIO(library[head.start() : head.start() + _LARGEST]), lazy=True)
            family, points = font["name"].getDebugName(1), set(font.getBestCmap())
        except (TTLibError, KeyError, AssertionError, ValueError, TypeError):
            continue  # other bytes that begin alike
        if family in FONTS and font["name"].getDebugName(2) in FACES:
            present[family] = present.get(family, points) & points
    return {family: _ranges(present[family]) for family in FONTS}


def _library() -> Path:
    import typst

    [library] = Path(typst.__file__).parent.glob("_typst.*")
    return library


def _ranges(points: set[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for point in sorted(points):
        if ranges and point == ranges[-1][1] + 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges


def text() -> str:
    """The table as the file holds it: a line a family."""
    lines = (f'"{family}": {json.dumps(ranges, separators=(",", ":"))}' for family, ranges in coverage().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    from hcat.core.records.atomic import write_whole
    from hcat.core.view.renderers.pdf.glyphs import COVERAGE

    write_whole(COVERAGE, text().encode())
