"""Metrics and methods: what to know of them before relying on them."""

from __future__ import annotations

from collections.abc import Iterable

from hcat.core.display.messages import say
from hcat.core.glossary.heads import Method
from hcat.core.view.tree import Block, Bullets, Heading
from hcat.core.view.view import View


def methods_view(methods: Iterable[Method]) -> View:
    """Purpose, mechanism, signs of high risk, strengths and limitations of each."""
    blocks: list[Block] = []
    for each in methods:
        said = ((say("{head}: {text}", head=say(head), text=say(text)),) for head, text in each.heads.items())
        blocks += [Heading(say(each.title)), Bullets(tuple(said))]
    return View(tuple(blocks))
