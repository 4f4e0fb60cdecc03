"""Template of a report and the report that it is compared with, from the options of `hcat report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.dashboard.commands.output import existing, print_note, read_text

MOST_LETTERS = 10

if TYPE_CHECKING:
    from hcat.core.capabilities.report.template import ReportTemplate
    from hcat.core.view.tree import Report


def template_of(path: Path | None) -> ReportTemplate:
    """The template in the file, or the usual one."""
    from hcat.core.capabilities.report.template import DEFAULT, read_template

    return DEFAULT if path is None else read_template(read_text(existing(path)), name=path.name)


def earlier_report(path: Path | None) -> Report | None:
    """The report in the JSON file."""
    from hcat.core.view.renderers.json_tree import read_report

    if path is None:
        return None
    text = read_text(existing(path))
    try:
        return read_report(text)
    except (FileFormatError, ValueError) as error:
        raise FileFormatError(f"{path.name} is no report as JSON: give one of `hcat report -o FILE.json`") from error


def tell_of_undrawn(report: Report) -> None:
    """Say which letters of the report its PDF can't show: of Chinese, say, and emoji."""
    from hcat.core.view.renderers.pdf.document import undrawn

    if letters := undrawn(report):
        more = f" and {len(letters) - MOST_LETTERS} more" if len(letters) > MOST_LETTERS else ""
        print_note(
            f"hcat: the fonts of a PDF can't draw {' '.join(letters[:MOST_LETTERS])}{more}: it has their code points, "
            "such as [U+4E2D]. Write .html or .docx to read them"
        )
