"""Formats of the report. A new one is one file with a renderer over the tree and one row here."""

from __future__ import annotations

from collections.abc import Callable

from hcat.core.errors import HcatError
from hcat.core.view.tree import Report


def _html(report: Report) -> bytes:
    from hcat.core.view.renderers.html import render_html

    return render_html(report)


def _json(report: Report) -> bytes:
    from hcat.core.view.renderers.json_tree import render_json

    return render_json(report)


def _pdf(report: Report) -> bytes:
    from hcat.core.view.renderers.pdf.render import render_pdf

    return render_pdf(report)


def _word(report: Report) -> bytes:
    from hcat.core.view.renderers.word.render import render_word

    return render_word(report)


RENDERERS: dict[str, Callable[[Report], bytes]] = {"html": _html, "pdf": _pdf, "docx": _word, "json": _json}

MEDIA_TYPES: dict[str, str] = {
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}


def render(report: Report, *, format: str) -> bytes:  # noqa: A002 - the word that the command line uses
    """The report as a file. Raises HcatError for an unknown format."""
    if format not in RENDERERS:
        raise HcatError(f"no report format {format!r}: choose {' or '.join(RENDERERS)}")
    return RENDERERS[format](report)
