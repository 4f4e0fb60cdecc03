"""What is read of each format: its blocks in order, without the signs that mark them."""

from __future__ import annotations

import codecs

import pytest

from hcat.core.importers.documents.parse import parse_file
from hcat.core.importers.limits import Limits
from hcat.core.records.documents import Document
from tests.core.importers.documents.small_files import pdf, word_file

Blocks = list[tuple[str, str]]


def read(name: str, data: bytes) -> Document:
    [document], note = parse_file(name, data, Limits())
    assert not note
    return document


def blocks(document: Document) -> Blocks:
    """Such as ("h1", "Cards"), ("p", "…"): kind, level and text of each block, recovered by its offsets."""
    signs = {"heading": "h", "paragraph": "p", "header": "header", "row": "row"}
    return [
        (signs[block.kind] + (str(block.level) if block.level else ""), document.text[block.start : block.end])
        for block in document.blocks
    ]


MARKDOWN = """---
author: nobody
---
# Cards

A **lost** card is [blocked](https://x.example) at
once, `today`.

## Fees

- Gold costs *EUR 90*.
- Blue is free.

  It always was.

| Card | Fee |
|---|---|
| Gold | EUR 90 |
| Blue | EUR 0 |

```
line one
line two
```

<!-- a comment -->

<div>Marked up.</div>
"""


def test_markdown():
    assert blocks(read("a.md", MARKDOWN.encode())) == [
        ("h1", "Cards"),
        ("p", "A lost card is blocked at once, today."),
        ("h2", "Fees"),
        ("p", "- Gold costs EUR 90."),
        ("p", "- Blue is free."),
        ("p", "It always was."),
        ("header", "Card | Fee"),
        ("row", "Gold | EUR 90"),
        ("row", "Blue | EUR 0"),
        ("p", "line one\nline two"),
        ("p", "Marked up."),
    ]


HTML = """<?xml version="1.0" encoding="utf-8"?><html><head><title>No</title><script>no()</script></head><body>
<nav>Menu</nav><h1>Cards</h1>Loose <b>text</b>.<p>A lost card
is blocked<br>at once.</p><ul><li>Gold<p>It is dear.</p></li><li>Blue</li></ul>
<table><caption>Fees</caption><thead><tr><th>Card</th><th>Fee</th></tr></thead>
<tr><td>Gold</td><td>EUR 90</td></tr></table>
<table><tr><td><h2>Layout</h2></td></tr><tr><td><ul><li>Menu of a page</li></ul></td></tr></table>
<!-- no --><div>The end &amp; more.</div></body></html>"""


def test_html():
    assert blocks(read("a.html", HTML.encode())) == [
        ("h1", "Cards"),
        ("p", "Loose text."),
        ("p", "A lost card is blocked at once."),
        ("p", "- Gold"),
        ("p", "It is dear."),
        ("p", "- Blue"),
        ("p", "Fees"),
        ("header", "Card | Fee"),
        ("row", "Gold | EUR 90"),
        ("h2", "Layout"),
        ("p", "- Menu of a page"),
        ("p", "The end & more."),
    ]


def test_html_in_the_encoding_that_it_names():
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Łódź</p></body></html>'
    assert read("a.htm", page.encode("iso-8859-2")).text == "Łódź"


def test_very_deep_html_is_read_without_recursion():
    deep = "<div>" * 1500 + "text" + "</div>" * 1500
    assert read("a.html", deep.encode()).text == "text"


def test_plain_text():
    text = "First line\nof a paragraph.\r\n\r\nItems:\n- one\n  goes on\n* two\n"
    assert blocks(read("a.txt", text.encode())) == [
        ("p", "First line of a paragraph."),
        ("p", "Items:"),
        ("p", "- one goes on"),
        ("p", "- two"),
    ]


@pytest.mark.parametrize("data", [codecs.BOM_UTF8 + b"Caf\xc3\xa9", "Café".encode("utf-16"), "Café".encode("utf-32")])
def test_text_with_a_mark_of_its_encoding(data: bytes):
    assert read("a.txt", data).text == "Café"


def test_letters_are_composed_and_what_nobody_sees_is_left_out():
    assert read("a.txt", "Cafe\u0301 co\u00adop\u200b".encode()).text == "Café coop"


def test_word():
    assert blocks(read("a.docx", word_file())) == [
        ("h1", "Handbook"),
        ("h2", "Cards"),
        ("p", "A lost card is blocked at once. A new one is free."),
        ("h3", "Fees"),
        ("p", "- Gold costs EUR 90."),
        ("p", "- Blue is free."),
        ("header", "Card | Fee"),
        ("row", "Gold | EUR 90"),
        ("row", "Blue | EUR 0"),
        ("p", "Signed."),
    ]


def test_csv_is_a_table():
    assert blocks(read("a.csv", b'Card;Fee\nGold;"EUR 90;\nper year"\n;\nBlue;EUR 0\n')) == [
        ("header", "Card | Fee"),
        ("row", "Gold | EUR 90; per year"),
        ("row", "Blue | EUR 0"),
    ]


def test_json_lines_has_a_document_a_line():
    lines = b'{"id": 7, "title": "Cards", "text": "All cards.\\n\\nBlue ones."}\n\n{"content": "No id."}\n'
    documents, _ = parse_file("a.jsonl", lines, Limits())
    assert [document.id for document in documents] == ["a.jsonl:7", "a.jsonl:3"]
    assert blocks(documents[0]) == [("h1", "Cards"), ("p", "All cards."), ("p", "Blue ones.")]


def test_pdf_has_pages_paragraphs_and_headings_by_size():
    running = (9, "Pellmarsh Bank, handbook")
    footer = (9, "{} of 4")
    bodies = [
        [(20, "Cards"), (11, ""), (11, "A lost card is blocked"), (11, "at once (today)."), (11, ""), (11, "Next.")],
        [(16, "Fees"), (11, ""), (11, "Gold costs EUR 90 and is paid")],
        [(11, "once a year."), (11, ""), (11, "- First."), (11, "- Second.")],
        [(11, "The end.")],
    ]
    pages = [[running, (9, ""), *body, (9, ""), (9, footer[1].format(n))] for n, body in enumerate(bodies, start=1)]
    document = read("a.pdf", pdf(pages))
    assert document.pages == 4
    assert [
        (kind, text, block.page) for (kind, text), block in zip(blocks(document), document.blocks, strict=True)
    ] == [
        ("h1", "Cards", 1),
        ("p", "A lost card is blocked at once (today).", 1),
        ("p", "Next.", 1),
        ("h2", "Fees", 2),
        ("p", "Gold costs EUR 90 and is paid once a year.", 2),
        ("p", "- First.", 3),
        ("p", "- Second.", 3),
        ("p", "The end.", 4),
    ]


def test_pages_of_a_pdf_without_text_are_named():
    documents, note = parse_file("a.pdf", pdf([[(11, "Text.")], [], [(11, "Text again.")], [], []]), Limits())
    assert documents[0].pages == 5
    assert note == "no text on pages 2, 4–5 (scanned?): run text recognition (OCR) on it"


def test_a_table_of_a_pdf_is_read_by_its_columns():
    """Rows whose pieces stand in the same columns; a missing cell stays empty. Two rows are no table."""
    lines = [
        *[(11, "Fees are charged each year, as this table of all cards shows."), (11, "")],
        *[(11, "Card\tFee\tLimit"), (11, "Gold card\tEUR 90\t5,000"), (11, "Blue card\t\t1,000")],
        *[(11, ""), (11, ""), (11, "From\tTo"), (11, "May\tJune"), (11, ""), (11, "The end of the text.")],
    ]
    document = read("a.pdf", pdf([lines]))
    rows = [(b.kind, document.text[b.start : b.end]) for b in document.blocks if b.kind in ("header", "row")]
    assert rows == [
        ("header", "Card | Fee | Limit"),
        ("row", "Gold card | EUR 90 | 5,000"),
        ("row", "Blue card |  | 1,000"),
    ]
    assert "From To May June" in document.text
    assert document.text.endswith("The end of the text.")


def test_columns_of_running_text_in_a_pdf_are_no_table():
    words = "these are seven words of one column"
    document = read("a.pdf", pdf([[(3, f"{words}\t{words}")] * 5]))
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_a_bold_line_that_stands_alone_heads_a_pdf():
    """As large as the text, and no sentence: below the headings by size. Where all is bold, none is a heading."""
    body = [(11, "The fee of this card is charged in the month of May, and not before it.")] * 3
    document = read("a.pdf", pdf([[(18, "Handbook"), *body, (11, ""), (11, "*Blue card"), *body, (11, "*Careful.")]]))
    heads = [(b.level, document.text[b.start : b.end]) for b in document.blocks if b.kind == "heading"]
    assert heads == [(1, "Handbook"), (2, "Blue card")]
    bold = read("a.pdf", pdf([[(11, f"*{text}") for _, text in body] + [(11, ""), (11, "*Blue card")]]))
    assert {block.kind for block in bold.blocks} == {"paragraph"}
