"""A view in a notebook: one piece of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from hcat.core.display.palette import ACCENT
from hcat.core.view.renderers.html import environment
from hcat.core.view.renderers.numbered import parts_of
from hcat.core.view.tree import Block

_SHOWN = count(1)
"""Two views of one notebook have no anchor in common."""


def notebook_html(blocks: Iterable[Block]) -> str:
    """The blocks as in a report. Texts of any origin are escaped; there is no script and no address."""
    template = environment().get_template("notebook.html.j2")
    name = f"hcat-{next(_SHOWN)}"
    parts = parts_of(blocks, name=name, prefix=f"{name}-", counts={"table": 0, "figure": 0})
    return template.render(parts=parts, accent=ACCENT)
