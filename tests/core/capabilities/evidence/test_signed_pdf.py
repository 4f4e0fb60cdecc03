"""A PDF from a pack proves itself: its manifest, the report and label log attached to it, and its pages."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace

import pikepdf
import pytest

from hcat.core.capabilities.evidence import verify as verification
from hcat.core.capabilities.evidence.layout import PDF, REPORT, TYPESETTER, VERIFIER
from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.evidence.signed_pdf import signed_pdf
from hcat.core.capabilities.evidence.source import ReportSource
from hcat.core.capabilities.evidence.standalone import ENVELOPE, LOG, MANIFEST
from hcat.core.capabilities.evidence.verify import verify
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.view.renderers.json_tree import read_report
from hcat.core.view.renderers.pdf.render import render_pdf
from tests.core.capabilities.evidence.packed import KEY, OTHER_KEY, Files, signed_anew, unzipped

CASES = 200


@pytest.fixture(scope="module")
def files(source: ReportSource) -> Files:
    return unzipped(make_pack(source, KEY, formats=["pdf"]))


def changed(pdf: bytes, name: str, content: bytes | None) -> bytes:
    """The PDF with another file of this name attached, or without it."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        if name in document.attachments:
            del document.attachments[name]
        if content is not None:
            document.attachments[name] = pikepdf.AttachedFileSpec(document, content, filename=name)
        buffer = io.BytesIO()
        document.save(buffer)
        return buffer.getvalue()


def test_a_pdf_of_a_pack_is_intact_and_its_pages_are_those_of_the_signed_report(files: Files) -> None:
    found = verify(files[PDF], key=KEY.public)
    assert found.intact, found.problems
    said = " ".join(found.proved)
    assert f"signed by the key that you named: {KEY.public.fingerprint}" in said
    assert "Of 5 attached files none was changed or added." in said
    assert "The label log has all its" in said
    assert "set again, the PDF has the same bytes" in said
    assert "the files that the numbers follow from" in found.not_proved[0]


def test_the_pack_and_its_pdf_carry_the_same_files(files: Files) -> None:
    with pikepdf.open(io.BytesIO(files[PDF])) as document:
        attached = {name: item.get_file().read_bytes() for name, item in document.attachments.items()}
    assert attached == {name: files[name] for name in (REPORT, MANIFEST, ENVELOPE, LOG, VERIFIER)}


def test_a_key_that_nobody_named_is_said_to_be_one(files: Files) -> None:
    assert "a key that you did not name" in verify(files[PDF]).proved[0]
    [first, *_] = verify(files[PDF], key=OTHER_KEY.public).problems
    assert "it names another key than you did" in first


@pytest.mark.parametrize("name", [REPORT, MANIFEST, LOG, VERIFIER])
@pytest.mark.parametrize("lost", [True, False])
def test_an_attached_file_that_was_changed_or_removed_is_named(files: Files, name: str, lost: bool) -> None:
    found = verify(changed(files[PDF], name, None if lost else files[name] + b"\n"))
    assert [each for each in found.problems if each.startswith(f"{name}: it is {'missing' if lost else 'not'}")]


def test_a_file_that_somebody_attached_is_named(files: Files) -> None:
    assert verify(changed(files[PDF], "more.txt", b"more")).problems == ("more.txt: it was not signed",)


def test_pages_of_another_report_are_found_with_all_attached_files_in_place(files: Files) -> None:
    report = read_report(files[REPORT].decode())
    other = signed_pdf(replace(report, title="Fit for use"), files)
    with pikepdf.open(io.BytesIO(other)) as document:
        assert json.loads(document.attachments[REPORT].get_file().read_bytes())["title"] == "Fit for use"
    assert "pages: " in " ".join(verify(changed(other, REPORT, files[REPORT])).problems)


def test_a_report_signed_with_another_key_is_found_by_the_key(files: Files) -> None:
    forged = signed_anew(files, OTHER_KEY)
    pdf = signed_pdf(read_report(files[REPORT].decode()), forged)
    assert verify(pdf).unchecked == ("who signed, since you named no key",)
    assert verify(pdf, key=KEY.public).problems


def test_any_byte_that_is_changed_added_or_cut_is_found(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typst is asked once: what it sets for the signed report is known, and a changed report is found before it."""
    monkeypatch.setattr("hcat.core.capabilities.evidence.signed_pdf.signed_pdf", lambda report, attached: files[PDF])
    rng, pdf = random.Random(7), files[PDF]
    missed = []
    for case in range(CASES):
        place = rng.randrange(len(pdf))
        content = (
            pdf[:place] + bytes([pdf[place] ^ rng.randint(1, 255)]) + pdf[place + 1 :],
            pdf[:place] + bytes([rng.randrange(256)]) + pdf[place:],
            pdf[: max(place, 5)],
            pdf + bytes([rng.randrange(256)]),
        )[case % 4]
        try:
            if not verify(content).problems:
                missed.append(case)
        except FileFormatError:
            continue
    assert missed == []


def test_where_another_version_set_the_pages_they_are_said_not_to_be_compared(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = changed(files[PDF], "x", None)  # the same content in other bytes, as another typesetter writes it
    assert verify(other).problems == ("pages: they are not those that follow from the signed report",)
    monkeypatch.setattr(verification, "__version__", "99.0")
    found = verify(other, key=KEY.public)
    assert not found.intact and not found.problems
    assert re.match(r"Not checked: the pages, which hcat \S+ and typst \S+ set", found.headline)


def test_the_manifest_names_the_typesetter(files: Files) -> None:
    assert json.loads(files[MANIFEST])["predicate"][TYPESETTER].startswith("typst ")


def test_texts_that_are_withheld_are_not_in_the_pdf(source: ReportSource) -> None:
    files = unzipped(make_pack(source, KEY, formats=["pdf"], withhold=True))
    found = verify(files[PDF], key=KEY.public)
    assert found.intact
    assert "Texts of samples are withheld" in " ".join(found.not_proved)


def test_a_label_log_without_rows_is_not_attached_and_not_missed(source: ReportSource) -> None:
    files = unzipped(make_pack(replace(source, label_log=()), KEY, formats=["pdf"]))
    assert verify(files[PDF], key=KEY.public).intact
    assert "4 attached files" in " ".join(verify(files[PDF]).proved)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda source: b"%PDF-1.7 ...", "this PDF can't be read"),
        (lambda source: render_pdf(source.report), "carries no signed manifest: make the report with"),
    ],
    ids=["broken", "unsigned"],
)
def test_a_pdf_that_proves_nothing_is_refused_with_what_to_do(
    source: ReportSource, made: Callable[[ReportSource], bytes], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said):
        verify(made(source))


def test_numbers_are_computed_again_from_the_pack_only(files: Files) -> None:
    with pytest.raises(HcatError, match="give the pack that it came in"):
        verify(files[PDF], recompute=True)


def test_the_report_names_the_hash_of_the_verifier(files: Files) -> None:
    assert sha256_of_bytes([files[VERIFIER]]) in files[REPORT].decode()
