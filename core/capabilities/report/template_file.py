"""Templates as files: the default one, with all options, as a starting point."""

from __future__ import annotations

from hcat.core.capabilities.report.chapters import CHAPTERS
from hcat.core.capabilities.report.frameworks.framework import frameworks

HEAD = """\
# Template of the validation report. Delete or reorder lines of `chapters`; what is not listed is not in the report.
# language: de
# title: Validation report of the customer assistant
# subtitle: Model Risk Management
# cover:
#   Department: Model Risk
#   Model number: "4711"
"""
CHAPTER_HELP = """\
# A chapter is a name, or a name with a title and texts of your own (Markdown) before and after it:
#   - chapter: scope
#     title: Purpose and limits
#     before: |
#       The system answers questions of customers of the retail bank.
# A chapter of your own has a title and a text:
#   - title: Independence
#     text: |
#       The validators report to the Chief Risk Officer.
"""


def default_template() -> str:
    """YAML that states the usual report: every chapter in its order, no frameworks."""
    chapters = "".join(f"  - {name:<16}# {chapter.title}\n" for name, chapter in CHAPTERS.items())
    known = "".join(f"#   - {each.id:<16}# {each.title}, {each.edition}\n" for each in frameworks())
    return f"{HEAD}# frameworks:\n{known}{CHAPTER_HELP}chapters:\n{chapters}"
