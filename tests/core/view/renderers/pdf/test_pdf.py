"""The PDF as readers and archives see it: by pikepdf its structure, by pypdfium2 its text, by veraPDF where it is."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.errors import HcatError
from hcat.core.view.renderers.json_tree import render_json, report_hash
from hcat.core.view.renderers.pdf import compile as compiling
from hcat.core.view.renderers.pdf.attachment import Attachment
from hcat.core.view.renderers.pdf.document import undrawn
from hcat.core.view.renderers.pdf.glyphs import shown
from hcat.core.view.renderers.pdf.render import render_pdf
from hcat.core.view.tree import Figure, Quantity, Report, Samples, Table
from hcat.core.view.values import show
from tests.grids import first_ones

LABELS = Attachment("labels.csv", b'"id","label"\r\n"q1","pass"\r\n', "text/csv", "The labels.", "supplement")
ACTIVE = {
    "/JavaScript",
    "/JS",
    "/Launch",
    "/URI",
    "/GoToR",
    "/SubmitForm",
    "/ImportData",
    "/RichMedia",
    "/Movie",
    "/Sound",
}


def squeezed(text: str) -> str:
    """Without spaces, line ends and marks on letters: the first two come with setting, the last have no fixed order."""
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.category(c).startswith("M"))
    return re.sub(r"[\s\u200b\ufffe\u0002]+", "", "".join(letters))


def text_of(pdf: bytes) -> str:
    """A letter and its mark are two glyphs that both read as the pair: read twice, they count once."""
    text = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))
    return re.sub(r"(\w[\u0300-\u036f]+)\1", r"\1", text)


def values_of(report: Report) -> Iterator[str]:
    """All that the report's numbers read as."""

    def within(value: object) -> Iterator[str]:
        if isinstance(value, Quantity):
            yield show(value).text
        elif isinstance(value, Table):
            for row in value.rows:
                for cell, column in zip(row, value.columns, strict=True):
                    yield from within(cell if isinstance(cell, Quantity) else Quantity(cell, column.kind))
            yield from within(value.note)
        elif isinstance(value, tuple):
            for item in value:
                yield from within(item)
        elif isinstance(value, Figure):
            yield from within(value.caption)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                yield from within(getattr(value, name))

    yield from within(report.sections)


def names_of_actions(pdf: pikepdf.Pdf) -> set[str]:
    """What its objects can do, by the types of actions and annotations."""
    found = set()
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary):
            found |= {str(item[key]) for key in ("/S", "/Subtype") if isinstance(item.get(key), pikepdf.Name)}
            found |= {key for key in ("/JS", "/JavaScript", "/AA", "/OpenAction") if key in item}
    return found


@pytest.mark.parametrize("seed", first_ones(range(20), 4))
def test_twenty_reports_are_made_for_the_archive_and_for_all_readers(
    seed: int, made_report: Callable[[int], Report], tmp_path: Path
) -> None:
    report = made_report(seed)
    made = render_pdf(report, [LABELS])
    with pikepdf.open(io.BytesIO(made)) as pdf:
        root = pdf.Root
        with pdf.open_metadata() as metadata:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
            assert metadata["pdfuaid:part"] == "1"
            assert metadata["dc:title"] == report.title
        assert root.MarkInfo.Marked == True  # noqa: E712 - a PDF's true is no Python's
        assert str(root.Lang) == "en" and "/StructTreeRoot" in root
        assert root.ViewerPreferences.DisplayDocTitle == True  # noqa: E712
        assert [str(intent.S) for intent in root.OutputIntents] == ["/GTS_PDFA1"]
        check_attachments(pdf, report)
        assert len(pdf.open_outline().root) == len(report.sections)
        assert not names_of_actions(pdf) & ACTIVE
        check_fonts(pdf)
        check_pictures(pdf, report)
    if (checker := shutil.which("verapdf")) is not None:
        path = tmp_path / "report.pdf"
        path.write_bytes(made)
        for flavour in ("3a", "ua1"):
            done = subprocess.run([checker, "-f", flavour, "--format", "text", path], capture_output=True, text=True)
            assert done.stdout.startswith("PASS"), done.stdout


def check_attachments(pdf: pikepdf.Pdf, report: Report) -> None:
    attached = {name: pdf.attachments[name] for name in pdf.attachments}
    assert sorted(attached) == ["labels.csv", "report.json"]
    assert attached["report.json"].get_file().read_bytes() == render_json(report)
    assert attached["labels.csv"].get_file().read_bytes() == LABELS.data
    assert attached["report.json"].get_file().mime_type == "application/json"
    assert attached["labels.csv"].get_file().mime_type == "text/csv"
    relationships = {str(spec.UF): str(spec.AFRelationship) for spec in pdf.Root.AF}
    assert relationships == {"labels.csv": "/Supplement", "report.json": "/Data"}


def check_fonts(pdf: pikepdf.Pdf) -> None:
    described = [
        item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor"
    ]
    assert described and all({"/FontFile2", "/FontFile3"} & set(item.keys()) for item in described)
    fonts = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font"]
    assert all(item.Subtype in ("/Type0", "/CIDFontType0", "/CIDFontType2") for item in fonts)
    assert all("/ToUnicode" in item for item in fonts if item.Subtype == "/Type0")


def check_pictures(pdf: pikepdf.Pdf, report: Report) -> None:
    """Each figure is tagged, with its words for those who can't see it; each table is, with its heads."""
    tags = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/S" in item and "/P" in item]
    pictures = [tag for tag in tags if tag.S == "/Figure"]
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Figure)]
    tables = [block for section in report.sections for block in section.blocks if isinstance(block, Table)]
    assert all(str(tag.get("/Alt", "")) for tag in pictures)
    described = {squeezed(str(tag.Alt)) for tag in pictures}
    assert all(any(text.startswith(squeezed(shown(figure.title))) for text in described) for figure in figures)
    heads = sum(1 for tag in tags if tag.S == "/TH")
    assert heads >= sum(len(table.columns) for table in tables)


@pytest.mark.parametrize("seed", first_ones(range(5), 2))
def test_every_number_is_in_the_text(seed: int, made_report: Callable[[int], Report]) -> None:
    report = made_report(seed)
    text = squeezed(text_of(render_pdf(report)))
    values = list(values_of(report))
    assert len(values) > 50
    assert [value for value in values if not is_in(text, shown(value))] == []


def is_in(text: str, value: str) -> bool:
    """A value with digits stands in one piece; words of a text may have words of the next cell between them."""
    pieces = [value] if re.search(r"\d", value) else value.split()
    return all(squeezed(piece) in text for piece in pieces)


def test_a_real_report_has_its_numbers_titles_and_hash(evidence: Evidence) -> None:
    report = build_report(evidence)
    text = squeezed(text_of(render_pdf(report)))
    assert [value for value in values_of(report) if squeezed(shown(value)) not in text] == []
    for section in report.sections:
        assert squeezed(section.title) in text
        for block in section.blocks:
            if isinstance(block, Table | Figure | Samples):
                assert squeezed(block.title) in text
    pages = [squeezed(page.get_textpage().get_text_range()) for page in pypdfium2.PdfDocument(render_pdf(report))]
    assert all(report_hash(report) in page and f"hcat{report.version}" in page for page in pages)
    assert all(f"Page{number}/{len(pages)}" in page for number, page in enumerate(pages, start=1))


def test_the_same_report_is_the_same_file_wherever_it_is_set(evidence: Evidence, tmp_path: Path) -> None:
    report = build_report(evidence)
    (tmp_path / "report.json").write_bytes(render_json(report))
    program = (
        "import sys; from pathlib import Path; from hashlib import sha256\n"
        "from hcat.core.view.renderers.json_tree import read_report\n"
        "from hcat.core.view.renderers.pdf.render import render_pdf\n"
        "print(sha256(render_pdf(read_report(Path(sys.argv[1]).read_text('utf-8')))).hexdigest())"
    )
    hashes = [sha256(render_pdf(report)).hexdigest()]
    root = Path(__file__).parents[5]
    for zone, language in (("Pacific/Auckland", "de_DE.UTF-8"), ("America/New_York", "C")):
        environment = {**os.environ, "TZ": zone, "LANG": language, "LC_ALL": language, "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", program, str(tmp_path / "report.json")]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
        hashes.append(done.stdout.strip())
    assert len(set(hashes)) == 1


HOSTILE = {
    "typst markup": '#read("/etc/passwd") $x$ *b* _i_ @ref <label> #import "@preview/x:1.0.0": * \\u{41} ] } #image("http://evil.example/a.png")',
    "office markup": "<w:p><w:r><w:t>x</w:t></w:r></w:p> ]]> &amp; <!ENTITY x SYSTEM 'file:///etc/passwd'>",
    "formula": '=HYPERLINK("http://evil.example","x") @SUM(1) +1 -1',
    "terminal": "\x1b[31mred\x1b]0;title\x07 \x00 \x7f",
    "directions": "abc \u202edef\u202c \u2066ghi\u2069 \u200f שלום \u0645\u0631\u062d\u0628\u0627",
    "scripts": "中文 русский ελληνικά हिन्दी ไทย 한국어 e\u0301\u0327 Z͑ͫ̓a̴l̵g̶o̷",
    "pictures": "😀 👩‍👩‍👧 🇩🇪 \ufe0f \ue000 \ud800 \U0010ffff",
    "spaces": "a\u2009b\u3000c\u00a0d\u200be\tf\r\ng",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_in_every_field_shows_as_text(
    text: str, made_report: Callable[[int], Report], report_with_texts: Callable[[Report, Callable[[str], str]], Report]
) -> None:
    report = report_with_texts(made_report(3), lambda old: f"{text} {old}")
    made = render_pdf(report)
    with pikepdf.open(io.BytesIO(made)) as pdf:
        assert not names_of_actions(pdf) & ACTIVE
        assert list(pdf.attachments) == ["report.json"]
    printed = squeezed(text_of(made))
    visible = squeezed(shown(" ".join(text.split()))).replace(squeezed("שלום"), "")
    assert visible in printed.replace(squeezed("שלום"), "").replace(squeezed("שלום")[::-1], "")
    assert "root:x:0" not in printed


def test_letters_that_no_font_draws_are_named_once(made_report: Callable[[int], Report]) -> None:
    report = replace(made_report(1), title="中 문 😀 中 русский \u202e")
    assert undrawn(report) == ("中", "문", "😀")
    assert undrawn(replace(report, title="Überblick")) == ()


def test_a_word_of_a_million_letters_is_set(made_report: Callable[[int], Report]) -> None:
    report = made_report(4)
    word = "x" * 1_000_000
    first = report.sections[0]
    long = Report(
        report.title,
        word[:5000],
        report.created_at,
        "0.1.0",
        (type(first)(first.id, first.title, (type(samples_of(report))("Long", (long_sample(word),)),)),),
    )
    made = render_pdf(long)
    assert squeezed(text_of(made)).count("x") >= 1_005_000


def samples_of(report: Report) -> Samples:
    return next(block for section in report.sections for block in section.blocks if isinstance(block, Samples))


def long_sample(word: str) -> object:
    from hcat.core.view.tree import SampleExcerpt

    return SampleExcerpt("q1", "short", word)


def test_a_pdf_that_takes_too_long_or_is_refused_is_one_clear_line(
    made_report: Callable[[int], Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HcatError, match=r"the PDF can't be set: .*unknown variable: nothing.* as HTML"):
        compiling.compile_pdf({"a.typ": b"#nothing"}, main="a.typ", created_at=made_report(1).created_at)
    monkeypatch.setattr(compiling, "TIMEOUT_SECONDS", 0.001)
    with pytest.raises(HcatError, match=r"takes more than 0\.001 seconds"):
        render_pdf(made_report(1))


@pytest.mark.parametrize("name", ["", "../x", "a/b", "printed/document.json", "a\n", ".hidden", "x" * 101])
def test_a_name_that_is_no_plain_file_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="can't be named"):
        Attachment(name, b"", "text/plain", "")


def test_two_attachments_of_one_name_are_refused(made_report: Callable[[int], Report]) -> None:
    with pytest.raises(ValueError, match="same name"):
        render_pdf(made_report(1), [LABELS, LABELS])
    with pytest.raises(ValueError, match="media type"):
        Attachment("a", b"", "text", "")
