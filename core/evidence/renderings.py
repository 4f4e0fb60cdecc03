"""The formats of the report that a pack holds beside JSON."""

from __future__ import annotations

from core.evidence.layout import PDF, Files
from core.evidence.signed_pdf import signed_pdf
from core.report.renderers.render import render
from core.report.tree import Report


def rendering(report: Report, name: str, files: Files) -> bytes:
    """The report as the file of this name: a PDF carries the signed files of the pack."""
    return signed_pdf(report, files) if name == PDF else render(report, format=name.partition(".")[2])
