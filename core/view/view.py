"""A result as people see it."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.view.tree import Block


@dataclass(frozen=True, slots=True)
class View:
    """The blocks of a result, whatever shows them: a page, a command, a chapter, a notebook."""

    blocks: tuple[Block, ...]

    def _repr_html_(self) -> str:
        from hcat.core.view.renderers.notebook import notebook_html

        return notebook_html(self.blocks)
