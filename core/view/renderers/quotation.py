"""Markdown of users, such as a guideline, in a report that points to no address and runs nothing."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markupsafe import Markup

HEADING_CLASS = "quoted-heading"


def quotation_parser() -> MarkdownIt:
    """Reads Markdown without HTML, links, addresses and pictures."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.disable(["image", "link", "autolink", "reference"])
    return markdown


def quotation_html(text: str) -> Markup:
    """Paragraphs, lists, tables and emphasis as HTML; headings as bold lines, which leave the report's outline alone.

    HTML within it is escaped; links, addresses and pictures stay the text that they are.
    """
    markdown = quotation_parser()
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "p"
        if token.type == "heading_open":
            token.attrSet("class", HEADING_CLASS)
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704 - the library escapes all text
