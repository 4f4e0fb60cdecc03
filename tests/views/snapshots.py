"""A view as people read it in each language, compared with the file that was last agreed on.

`HCAT_WRITE_SNAPSHOTS=1` writes the files anew; their differences are then read like those of code.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hcat.core.display.edition import edition
from hcat.core.view.renderers.notebook import notebook_html
from hcat.core.view.view import View
from hcat.dashboard.commands.printed_view import print_view

FOLDER = Path(__file__).parent / "snapshots"


def check(name: str, make: Callable[[], View], output: pytest.CaptureFixture[str]) -> None:
    """The view as a command prints it, in English and in German; a notebook has the same blocks."""
    for language in ("en", "de"):
        with edition(language):
            view = make()
            output.readouterr()
            print_view(view)
            text = "\n".join(line.rstrip() for line in output.readouterr().out.splitlines()) + "\n"
            html = notebook_html(view.blocks)
        assert html.count("<table") == sum(type(block).__name__ == "Table" for block in view.blocks)
        assert html.count("<svg") == sum(type(block).__name__ == "Figure" for block in view.blocks)
        path = FOLDER / f"{name}.{language}.txt"
        if os.environ.get("HCAT_WRITE_SNAPSHOTS"):
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{path.name}: look at it, then HCAT_WRITE_SNAPSHOTS=1"
