"""Small files of each format, made here, and the hostile ones that are made from them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

Line = tuple[int, str]
"""The size of the letters, and the words."""


def word_file() -> bytes:
    """Two headings, a list, a table, an inserted sentence that is tracked, and text within a content control."""
    import docx
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = docx.Document()
    document.add_heading("Handbook", 0)
    document.add_heading("Cards", 1)
    paragraph = document.add_paragraph("A lost card is blocked at once.")
    paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t> A new one is free.</w:t></w:r></w:ins>"))
    document.add_heading("Fees", 2)
    document.add_paragraph("Gold costs EUR 90.", style="List Bullet")
    document.add_paragraph("Blue is free.", style="List Bullet")
    table = document.add_table(rows=0, cols=2)
    for row in (("Card", "Fee"), ("Gold", "EUR 90"), ("Blue", "EUR 0")):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    control = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>Signed.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    document.element.body.insert(len(document.element.body) - 1, parse_xml(control))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def rewritten(archive: bytes, name: str, content: bytes) -> bytes:
    """The zip archive with another file of this name in it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry, old.read(entry))
        new.writestr(name, content)
    return out.getvalue()


def zip_of(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def billion_laughs() -> bytes:
    """The XML of a Word document whose only text is an entity of ten to the ninth laughs."""
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return (
        f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "laugh">{entities}]><w:document xmlns:w="{namespace}">'
        "<w:body><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:body></w:document>"
    ).encode()


def pdf(pages: Sequence[Sequence[Line]], *, locked: bool = False) -> bytes:
    """A PDF with lines of these sizes on its pages, close to one another; an empty line is a gap.

    A line that begins with an asterisk is bold, and tabs divide it into pieces 150 points apart, as those of a table.
    """
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica%s >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", font % b"", font % b"-Bold"]
    kids = []
    for lines in pages:
        stream = _page(lines)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        contents = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % contents
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    lock = b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (b"ab" * 32, b"cd" * 32)
    return _assembled([*objects, lock] if locked else objects, locked=locked)


def _page(lines: Sequence[Line]) -> bytes:
    pieces, top = [], 740
    for size, words in lines:
        if words:
            escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode("cp1252")
            font = 2 if escaped.startswith(b"*") else 1
            for column, cell in enumerate(escaped.removeprefix(b"*").split(b"\t")):
                if cell:
                    pieces.append(b"BT /F%d %d Tf %d %d Td (%s) Tj ET" % (font, size, 50 + 150 * column, top, cell))
        top -= size + 2
    return b"\n".join(pieces)


def _assembled(objects: Sequence[bytes], *, locked: bool) -> bytes:
    out, places = b"%PDF-1.4\n", []
    parts = [out]
    position = len(out)
    for number, content in enumerate(objects, start=1):
        places.append(position)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        position += len(parts[-1])
    encrypt = b" /Encrypt %d 0 R /ID [<00> <00>]" % len(objects) if locked else b""
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer << /Size %d /Root 1 0 R%s >>" % (len(objects) + 1, encrypt)
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table))
    parts.append(b"%s\nstartxref\n%d\n%%%%EOF" % (trailer, position))
    return b"".join(parts)
