"""The Word document as other programs see it: by python-docx its parts, by its XML what it could load or run."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn
from lxml import etree

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.view.renderers.json_tree import render_json, report_hash
from hcat.core.view.renderers.word.elements import readable
from hcat.core.view.renderers.word.render import render_word
from hcat.core.view.tree import Column, Figure, Report, Section, Table
from tests.core.view.renderers.pdf.test_pdf import is_in, squeezed, values_of
from tests.grids import first_ones

HOSTILE = (
    '</w:t><w:br/><script>alert(1)</script>&x; {{7*7}} =HYPERLINK("http://evil.example") ]]>'
    " \N{RIGHT-TO-LEFT OVERRIDE}txet\x00\x07\x1b\ud800 " + "W" * 5_000
)


def opened(report: Report) -> docx.document.Document:
    return docx.Document(io.BytesIO(render_word(report)))


def text_of(made: bytes) -> str:
    """Every text of the body and the footers, a line a paragraph."""
    with zipfile.ZipFile(io.BytesIO(made)) as package:
        names = [name for name in package.namelist() if name in ("word/document.xml",) or "footer" in name]
        parts = [etree.fromstring(package.read(name)) for name in names if name.endswith(".xml")]
    paragraphs = [each for part in parts for each in part.iter(qn("w:p"))]
    return "\n".join("".join(node.text or "" for node in each.iter(qn("w:t"))) for each in paragraphs)


@pytest.mark.parametrize("seed", first_ones(range(20), 4))
def test_a_document_is_whole(seed: int, made_report: Callable[[int], Report]) -> None:
    report = made_report(seed)
    document = opened(report)
    blocks = [block for section in report.sections for block in section.blocks]
    headings = [each.text for each in document.paragraphs if each.style.name == "Heading 1"]
    assert headings == [f"{number}  {section.title}" for number, section in enumerate(report.sections, start=1)]
    captions = [each for each in document.paragraphs if each.style.name == "Caption"]
    tables = [block for block in blocks if isinstance(block, Table)]
    figures = [block for block in blocks if isinstance(block, Figure)]
    assert len(captions) == len(tables) + len(figures)
    assert len(document.inline_shapes) == len(figures)
    for shape, figure in zip(document.inline_shapes, figures, strict=True):
        assert shape._inline.docPr.get("descr").startswith(readable(figure.title))
        assert 0 < shape.width <= 493 * 12700 + 1 and 0 < shape.height <= 200 * 36000
    heads = document.element.body.findall(f".//{qn('w:tblHeader')}")
    assert len(heads) >= len(tables)
    text = squeezed(text_of(render_word(report)))
    assert [value for value in values_of(report) if not is_in(text, readable(value))] == []
    assert report_hash(report) in text
    assert document.core_properties.title == report.title


def test_numbers_of_a_real_report_are_in_the_document(evidence: Evidence) -> None:
    report = build_report(evidence)
    made = render_word(report)
    text = squeezed(text_of(made))
    values = list(values_of(report))
    assert len(values) > 100
    assert [value for value in values if squeezed(value) not in text] == []
    footer = opened(report).sections[0].footer
    assert any(f"hcat {report.version}" in each.text for each in footer.paragraphs)
    fields = [each.get(qn("w:instr")).strip() for each in footer._element.iter(qn("w:fldSimple"))]
    assert fields == ["PAGE", "NUMPAGES"]
    if (office := shutil.which("soffice")) is not None:
        done = subprocess.run([office, "--headless", "--cat", "/dev/stdin"], input=made, capture_output=True)
        assert done.returncode == 0


def test_pages_lie_only_under_wide_tables() -> None:
    columns = tuple(Column(f"Measure {number}", "number") for number in range(24))
    wide = Table("Wide", columns, (tuple(0.123 for _ in columns),))
    narrow = Table("Narrow", columns[:2], ((0.1, 0.2),))
    blocks = (narrow, wide, wide, narrow)
    at = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    sections = list(opened(Report("R", "s", at, "0.1.0", (Section("a", "A", blocks),))).sections)
    assert [each.page_width > each.page_height for each in sections] == [False, True, False]
    assert all(each.footer.is_linked_to_previous for each in sections[1:])


def test_hostile_text_is_text(
    made_report: Callable[[int], Report], report_with_texts: Callable[[Report, Callable[[str], str]], Report]
) -> None:
    report = report_with_texts(made_report(3), lambda text: f"{text} {HOSTILE}")
    made = render_word(report)
    text = text_of(made)
    assert "</w:t><w:br/><script>alert(1)</script>&x; {{7*7}}" in text
    assert "[U+202E]txet[U+0000][U+0007][U+001B][U+D800]" in text
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text
    with zipfile.ZipFile(io.BytesIO(made)) as package:
        for name in package.namelist():
            content = package.read(name)
            if name.endswith(".rels"):
                assert b'TargetMode="External"' not in content
            if name.endswith(".xml"):
                tree = etree.fromstring(content)
                instructions = [each.get(qn("w:instr")) for each in tree.iter(qn("w:fldSimple"))]
                instructions += [each.text for each in tree.iter(qn("w:instrText"))]
                assert {str(each).split()[0] for each in instructions} <= {"PAGE", "NUMPAGES", "SEQ", "TOC"}
                assert not list(tree.iter(qn("w:altChunk"), qn("w:object"), qn("w:control")))
    assert docx.Document(io.BytesIO(made)).core_properties.title


def test_the_same_report_is_the_same_file_wherever_it_is_made(evidence: Evidence, tmp_path: Path) -> None:
    report = build_report(evidence)
    (tmp_path / "report.json").write_bytes(render_json(report))
    program = (
        "import sys; from pathlib import Path; from hashlib import sha256\n"
        "from hcat.core.view.renderers.json_tree import read_report\n"
        "from hcat.core.view.renderers.word.render import render_word\n"
        "print(sha256(render_word(read_report(Path(sys.argv[1]).read_text('utf-8')))).hexdigest())"
    )
    root = Path(__file__).parents[4]
    environment = {**os.environ, "TZ": "Pacific/Auckland", "LANG": "de_DE.UTF-8", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", program, str(tmp_path / "report.json")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
    assert done.stdout.strip() == sha256(render_word(report)).hexdigest()
