"""The formats of the report in a pack besides JSON."""

from __future__ import annotations

from hcat.core.capabilities.evidence.layout import PDF, Files
from hcat.core.capabilities.evidence.signed_pdf import signed_pdf
from hcat.core.view.renderers.render import render
from hcat.core.view.tree import Report


def rendering(report: Report, name: str, files: Files) -> bytes:
    """The report as the file of this name: a PDF has the signed files of the pack attached."""
    return signed_pdf(report, files) if name == PDF else render(report, format=name.partition(".")[2])
