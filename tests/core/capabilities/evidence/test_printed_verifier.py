"""The program that an auditor checks with stands in the report, character by character, and runs as it is printed."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from pathlib import Path

import docx
import pypdfium2
import pytest
from docx.text.paragraph import Paragraph

from hcat.core.capabilities.evidence import standalone
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.sections.appendix import FENCE
from hcat.core.view.renderers.pdf.render import render_pdf
from hcat.core.view.renderers.render import render
from hcat.core.view.tree import Report

PROGRAM = Path(standalone.__file__).read_text("utf-8")


@pytest.fixture(scope="module")
def report(source: ReportSource) -> Report:
    """The usual chapters: a bank's own template may leave this one out."""
    return build_report(source.evidence, chapters=["summary", "verifier"])


def of_html(report: Report) -> str:
    [found] = re.findall(r"<pre><code[^>]*>(.*?)</code></pre>", render(report, format="html").decode(), flags=re.DOTALL)
    return unescape(found)


def of_json(report: Report) -> str:
    [section] = [each for each in json.loads(render(report, format="json"))["sections"] if each["id"] == "verifier"]
    quoted = str(section["blocks"][-1]["text"])
    return quoted.removeprefix(f"{FENCE}python\n").removesuffix(FENCE)


def of_word(report: Report) -> str:
    document = docx.Document(io.BytesIO(render(report, format="docx")))
    [found] = [
        each
        for each in document.element.body.iter()
        if each.tag.endswith("}p") and "MOST_BYTES" in str(each.xpath("string(.)"))
    ]
    return f"{Paragraph(found, document).text}\n"


@pytest.mark.parametrize("printed", [of_html, of_json, of_word])
def test_it_is_the_file_of_the_repository_and_runs(
    report: Report, pack: bytes, tmp_path: Path, printed: Callable[[Report], str]
) -> None:
    text = printed(report)
    assert text == PROGRAM
    (tmp_path / "verify_evidence.py").write_text(text, "utf-8")
    (tmp_path / "pack.zip").write_bytes(pack)
    command = [sys.executable, "-I", "verify_evidence.py", "pack.zip"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={})
    assert (ended.returncode, ended.stderr) == (3, ""), "no key was named"


def test_the_pdf_prints_every_character_and_the_hash(report: Report) -> None:
    pages = (page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(render_pdf(report)))
    body = re.sub(r"(?m)^(Validation report: bank ·|SHA-256 of this report as JSON:).*$", "", "\n".join(pages))
    printed = re.sub(r"\s+", "", body)
    assert sha256(PROGRAM.encode()).hexdigest() in printed
    lines = [re.sub(r"\s+", "", line) for line in PROGRAM.splitlines()]
    assert [line for line in lines if line not in printed] == []


def test_the_hash_stands_beside_it_and_under_reproducibility(source: ReportSource) -> None:
    whole = render(build_report(source.evidence, chapters=["reproducibility", "verifier"]), format="html").decode()
    assert whole.count(sha256(PROGRAM.encode()).hexdigest()) == 2
