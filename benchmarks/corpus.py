"""Documents read and cut into passages, against what a library alone takes to give their text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.capabilities.demo.bank import FOLDER
from hcat.core.importers.documents import DocumentFile, files_at, read_files
from hcat.core.records.cutting import cut
from hcat.core.records.documents import Document
from hcat.core.text import sentences

COPIES, COPIES_HTML = 10, 40
"""Of the demo's handbook, so that starting a process counts as little as it does for a real corpus."""


def rows(pairs: int) -> Iterator[Measured]:
    """Reading in the limited process and cutting, against bare text of the same files; and cutting by itself."""
    chapters, _ = read_files(files_at([FOLDER / "handbook"]))
    documents = [chapter for _ in range(COPIES) for chapter in chapters]
    word = [DocumentFile(f"{number}.docx", _word(document)) for number, document in enumerate(documents)]
    pages = [chapter for _ in range(COPIES_HTML) for chapter in chapters]
    html = [DocumentFile(f"{number}.html", _html(document)) for number, document in enumerate(pages)]
    a_document = len(_passages(chapters)) / len(chapters)
    for name, files, bare in (("Word", word, _bare_word), ("HTML", html, _bare_html)):
        ratio = interleaved(partial(_read_and_cut, files), partial(bare, files), pairs=pairs)
        note = f"{a_document * len(files) / ratio.upper_seconds:,.0f} passages a second"
        yield Measured(
            "corpus", f"{len(files)} {name} files", "read and cut / bare text", ratio, at_most=2.0, note=note
        )
    ratio = interleaved(partial(_passages, documents), partial(_sentences, documents), pairs=pairs)
    note = f"{a_document * len(documents) / ratio.upper_seconds:,.0f} passages a second"
    yield Measured("corpus", f"{len(documents)} documents", "cut / find the sentences", ratio, at_most=1.0, note=note)


def _read_and_cut(files: Sequence[DocumentFile]) -> None:
    documents, problems = read_files(files)
    if not _passages(documents) or any(problem.left_out for problem in problems):
        raise RuntimeError("the files can't be read")


def _passages(documents: Sequence[Document]) -> list[str]:
    return [passage.id for document in documents for passage in cut(document)]


def _sentences(documents: Sequence[Document]) -> None:
    for document in documents:
        for block in document.blocks:
            sentences(document.text[block.start : block.end])


def _bare_word(files: Sequence[DocumentFile]) -> list[str]:
    import docx

    opened = [docx.Document(io.BytesIO(_bytes(file))) for file in files]
    return ["\n".join(paragraph.text for paragraph in document.paragraphs) for document in opened]


def _bare_html(files: Sequence[DocumentFile]) -> list[str]:
    from bs4 import BeautifulSoup

    return [BeautifulSoup(_bytes(file), "lxml").get_text() for file in files]


def _bytes(file: DocumentFile) -> bytes:
    return file.content if isinstance(file.content, bytes) else file.content.read_bytes()


def _word(document: Document) -> bytes:
    import docx

    written = docx.Document()
    for block in document.blocks:
        text = document.text[block.start : block.end]
        if block.kind == "heading":
            written.add_heading(text, block.level)
        else:
            written.add_paragraph(text)
    out = io.BytesIO()
    written.save(out)
    return out.getvalue()


def _html(document: Document) -> bytes:
    tags = [f"h{block.level}" if block.kind == "heading" else "p" for block in document.blocks]
    texts = [document.text[block.start : block.end] for block in document.blocks]
    body = "".join(f"<{tag}>{text}</{tag}>" for tag, text in zip(tags, texts, strict=True))
    return f"<html><body>{body}</body></html>".encode()
