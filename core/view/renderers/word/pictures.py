"""Figures as pictures of dots, set by the typesetter of the PDF: Word shows no drawing that every version can read."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.view.renderers.numbered import NumberedSection
from hcat.core.view.renderers.pdf.compile import compile_pictures
from hcat.core.view.renderers.pdf.glyphs import shown
from hcat.core.view.renderers.pdf.render import FONT
from hcat.core.view.renderers.svg import draw_for_print
from hcat.core.view.tree import Figure

DOTS_PER_INCH = 200


def pictures(sections: Sequence[NumberedSection]) -> dict[str, bytes]:
    """The report's figures as PNG files, by their anchors."""
    drawn = {
        part.anchor: draw_for_print(part.block.data, font=FONT, shown=shown).encode()
        for section in sections
        for part in section.parts
        if isinstance(part.block, Figure)
    }
    if not drawn:
        return {}
    made = compile_pictures({f"{anchor}.svg": svg for anchor, svg in drawn.items()}, dots_per_inch=DOTS_PER_INCH)
    return dict(zip(drawn, made, strict=True))
