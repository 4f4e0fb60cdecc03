"""Whatever bytes a file holds, they become a text whose blocks stand where they say, or one line of a message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.importers.documents.parse import parse_file
from hcat.core.importers.limits import Limits

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "\n",
            "\n\n",
            "- ",
            "* ",
            "|",
            "|---|---|\n",
            "```",
            "<p>",
            "</p>",
            "<table><tr><td>",
            "</td></tr>",
            "<li>",
        ),
        *(
            "<h2>",
            "</h2>",
            "<pre>",
            "&amp;",
            "<!--",
            "-->",
            "a",
            "Fees. ",
            '"',
            ",",
            ";",
            "{",
            "}",
            '{"text": "',
            "\\",
            "\r",
        ),
        *("é", "\u00ad", "\ufeff", "\u2028", "汉", "\x00", "\ud7ff", "[x](y)", "![z](y)", "1. ", "> ", "---\n", "  "),
    ]
)
MARKED = st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt", "a.csv", "a.jsonl", "a.pdf", "a.docx"])
@settings(max_examples=60, deadline=None)
@given(data=st.one_of(MARKED, st.binary(max_size=200)))
def test_any_bytes_are_read_or_named(name: str, data: bytes):
    try:
        documents, _ = parse_file(name, data, Limits(max_file_mb=1))
    except HcatError as error:
        assert str(error) and "\n" not in str(error)
        return
    for document in documents:
        document.text.encode("utf-8")
        end = 0
        for block in document.blocks:
            assert end <= block.start < block.end <= len(document.text)
            assert not document.text[end : block.start].strip("\n")
            assert document.text[block.start : block.end].strip()
            end = block.end
        assert end == len(document.text)
