"""The PDFs of twenty projects that differ: for archives, for all readers, without a thing that acts."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from hcat.core.settings import Settings
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.view.renderers.pdf.glyphs import shown
from hcat.core.view.renderers.pdf.render import render_pdf
from hcat.core.workspace import Workspace
from tests.core.view.renderers.pdf.projects import NAME, PROJECTS
from tests.core.view.renderers.pdf.test_pdf import (
    ACTIVE,
    LABELS,
    check_attachments,
    check_fonts,
    check_pictures,
    is_in,
    names_of_actions,
    squeezed,
    text_of,
    values_of,
)
from tests.pages.conftest import word_models

TWICE = ("hostile texts", "findings")
"""Set again, to the same bytes."""
ALWAYS = (
    "no run at all",
    "hostile texts",
    "texts in many scripts",
    "many slices",
    "a calibration",
    "frameworks, opinion and risks",
)
"""Their PDFs are made by `make test`, too: the least, the worst, the longest, and all kinds of parts together."""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("twenty")
    chosen = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    with word_models(), Workspace.open(chosen, actor="lee") as opened:
        yield opened


def test_there_are_twenty() -> None:
    assert len(PROJECTS) == 20


@pytest.mark.parametrize(
    "name", [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in PROJECTS]
)
def test_the_pdf_of_a_project_is_whole(name: str, workspace: Workspace, tmp_path: Path) -> None:
    project = workspace.projects.create(name if name != "hostile texts" else NAME)
    template = PROJECTS[name](workspace, project)
    report = workspace.reports.build(project, author="lee", template=template)
    made = render_pdf(report, [LABELS])
    if name in TWICE:
        assert render_pdf(report, [LABELS]) == made
    with pikepdf.open(io.BytesIO(made)) as pdf:
        with pdf.open_metadata() as metadata:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
            assert metadata["pdfuaid:part"] == "1"
            assert metadata["dc:title"] == shown(report.title)
        assert [str(intent.S) for intent in pdf.Root.OutputIntents] == ["/GTS_PDFA1"]
        check_attachments(pdf, report)
        assert len(pdf.open_outline().root) == len(report.sections)
        assert not names_of_actions(pdf) & ACTIVE
        check_fonts(pdf)
        check_pictures(pdf, report)
    pages = [squeezed(page.get_textpage().get_text_range()) for page in pypdfium2.PdfDocument(made)]
    for number, page in enumerate(pages, start=1):
        assert report_hash(report) in page and f"Page{number}/{len(pages)}" in page
        assert f"{report.created_at:%Y-%m-%d}" in page and f"hcat{report.version}" in page
        assert f"version{report.facts['Version']}" in page
    text = squeezed(text_of(made))
    numbers = [value for value in values_of(report) if re.match(r"[−+<>]?\s?\d", value)]
    assert numbers and [value for value in numbers if not is_in(text, shown(value))] == []
    if (checker := shutil.which("verapdf")) is not None:
        path = tmp_path / "report.pdf"
        path.write_bytes(made)
        for flavour in ("3a", "ua1"):
            done = subprocess.run([checker, "-f", flavour, "--format", "text", path], capture_output=True, text=True)
            assert done.stdout.startswith("PASS"), done.stdout
