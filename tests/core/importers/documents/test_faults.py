"""Broken and hostile files: one clear line each, and the files beside them are read."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from pathlib import Path

import pytest

from hcat.core.errors import HcatError, LimitError
from hcat.core.importers.documents import process as process_module
from hcat.core.importers.documents import read_documents, read_files, uploaded_files
from hcat.core.importers.documents.parse import parse_file
from hcat.core.importers.documents.process import DocumentProcess
from hcat.core.importers.limits import Limits
from hcat.core.types import Progress
from tests.core.importers.documents.small_files import billion_laughs, pdf, rewritten, word_file, zip_of

SMALL = Limits(max_file_mb=3, max_rows=50)
TEXT = [[(11, "Some text.")]]


def broken_zip() -> bytes:
    """A zip archive with a file whose bytes were changed."""
    return zip_of({"a.txt": b"text that is stored"}).replace(
        b"PK\x03\x04\x14\x00\x00\x00\x08\x00", b"PK\x03\x04junkjunk"
    )


def lying_word() -> bytes:
    """A Word file whose main part says that it is shorter than it is."""
    data = bytearray(word_file())
    at = data.rindex(b"word/document.xml") - 46  # its entry in the directory of the archive, which ends with the name
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    return bytes(data)


FAULTS = {
    "empty.txt": (b"", "the file is empty"),
    "blank.md": (b" \n\n ", "the file is empty"),
    "no-text.html": (b"<html><head><script>1</script></head></html>", "it holds no text"),
    "binary.txt": (os.urandom(4000), "it is not text, whatever its name says"),
    "half.txt": ("text".encode("utf-16") + b"\x00", "it begins like UTF-16 text but is not"),
    "undefined.txt": (b"caf\x81 \xe9", "its encoding is neither UTF-8 nor Windows-1252"),
    "lying.html": (b'<meta charset="utf-16le">caf\xe9', "it says that it is utf-16le, and is not"),
    "unknown.html": (b'<meta charset="x-none">caf\xe9', "it says that it is x-none, and is not"),
    "deep.html": (b"<div>" * 9000 + b"text", "the page is nested too deeply to be read whole"),
    "locked.pdf": (pdf(TEXT, locked=True), "it has a password: save it without one"),
    "scanned.pdf": (pdf([[], [], []]), "it holds no text, only pictures of pages"),
    "cut.pdf": (pdf(TEXT)[:100], "the PDF is broken or cut off"),
    "words.pdf": (b"These are only words.", "it is not a PDF, whatever its name says"),
    "long.pdf": (pdf([[]] * 10_000), "it has 10,000 pages, and at most 5,000 are read: split it"),
    "bomb.docx": (rewritten(word_file(), "word/media/a.bin", bytes(30_000_000)), "it unpacks to more than 3 MB"),
    "laughs.docx": (rewritten(word_file(), "word/document.xml", billion_laughs()), "its XML is broken or hostile"),
    "cut.docx": (word_file()[:2000], "it is not a Word document, or is cut off"),
    "other.docx": (zip_of({"a.txt": b"x"}), "it is not a whole Word document"),
    "lying.docx": (lying_word(), "it is not a whole Word document"),
    "old.docx": (b"\xd0\xcf\x11\xe0" + bytes(600), "it has a password, or is a Word file of before 2007"),
    "quotes.csv": (b'a,b\n1,"2', "row 2 is not CSV"),
    "long.csv": (b"a,b\n" + b"1,2\n" * 60, "it has more than 50 rows"),
    "bad.jsonl": (b'{"text": "x"}\n{', "line 2 is not JSON"),
    "list.jsonl": (b"[1]", "line 1: expected an object with a text"),
    "names.jsonl": (b'{"id": 1}', "line 1: expected an object with one of text, content"),
    "twice.jsonl": (b'{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}', "line 2: the id '1' occurs twice"),
    "large.txt": (b"word " * 700_000, "it has 3.5 MB, and at most 3 MB are read"),
    "picture.png": (b"\x89PNG", ".png are not read: .md"),
    "noending": (b"text", "without a type are not read"),
}


def test_each_broken_file_is_one_line_and_the_rest_is_read(tmp_path: Path):
    for name, (content, _) in FAULTS.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "good.md").write_text("# Cards\n\nAll cards.")
    (tmp_path / "z-last.docx").write_bytes(word_file())
    documents, problems = read_documents([tmp_path], limits=SMALL)
    assert [document.id for document in documents] == ["sub/good.md", "z-last.docx"]
    lines = {problem.document: problem.message for problem in problems}
    assert len(lines) == len(problems) == len(FAULTS)
    for name, (_, expected) in FAULTS.items():
        assert expected in lines[name], (name, lines[name])
        assert "\n" not in lines[name] and len(lines[name]) < 200
    assert all(problem.left_out for problem in problems)


def test_windows_1252_is_read_and_said():
    [document], [problem] = read_files(uploaded_files([("a.txt", "Café für 5 €".encode("cp1252"))]), limits=SMALL)
    assert document.text == "Café für 5 €"
    assert not problem.left_out
    assert "read as Windows-1252" in problem.message


def test_links_and_what_is_no_file_are_not_read(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("A secret.")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "good.txt").write_text("Text.")
    (folder / "link.txt").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    (folder / ".hidden.txt").write_text("No.")
    os.mkfifo(folder / "pipe.txt")
    documents, problems = read_documents([folder], limits=SMALL)
    assert [document.text for document in documents] == ["Text."]
    assert {problem.document: problem.message for problem in problems} == {
        "link.txt": "it is a link, and links are not followed: import what it points to",
        "linked": "it is a link, and links are not followed: import what it points to",
        "pipe.txt": "it is no file that can be read",
    }


def test_zip_archives_are_read_and_lead_nowhere():
    inner = {
        "docs/a.md": b"# A\n\nText.",
        "../../etc/b.txt": b"b",
        "/c.txt": b"c",
        "d.zip": b"PK",
        "__MACOSX/._a": b"x",
    }
    documents, problems = read_files(uploaded_files([("up.zip", zip_of(inner))]), limits=SMALL)
    assert [document.id for document in documents] == ["up.zip/docs/a.md"]
    assert {problem.document: problem.message for problem in problems} == {
        "up.zip/etc/b.txt": "its path leads out of the archive: pack it again",
        "up.zip/c.txt": "its path leads out of the archive: pack it again",
        "up.zip/d.zip": "it is an archive within an archive: unpack it first",
    }


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (zip_of({"a.txt": bytes(4_000_000)}), "it unpacks to more than 3 MB"),
        (b"PK\x03\x04 and no more", "it is not a whole zip archive"),
        (broken_zip(), "it is damaged within the archive"),
    ],
)
def test_broken_and_hostile_archives(data: bytes, expected: str):
    documents, [problem] = read_files(uploaded_files([("a.zip", data)]), limits=SMALL)
    assert not documents
    assert expected in problem.message


def test_names_of_uploads_are_cleaned_and_told_apart():
    files = uploaded_files([("../a.txt", b"1"), ("a.txt", b"2"), ("x\\y\x07.txt", b"3"), (".DS_Store", b"4")])
    assert [file.name for file in files] == ["a.txt", "a (2).txt", "x/y?.txt"]


def test_the_same_text_twice_is_said():
    _, [problem] = read_files(uploaded_files([("a.txt", b"Text."), ("b.txt", b"Text.\n")]))
    assert problem.document == "b.txt"
    assert problem.message == "it has the same text as a.txt: its passages are in the corpus twice"


def test_a_path_where_nothing_is(tmp_path: Path):
    with pytest.raises(HcatError, match="is not a file or folder"):
        read_documents([tmp_path / "none"])


def test_several_folders_are_told_apart(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.txt").write_text(f"Text {name}.")
    documents, problems = read_documents([tmp_path / "a", tmp_path / "b"])
    assert [document.id for document in documents] == ["a/x.txt", "b/x.txt"]
    assert not problems


def test_a_file_that_ends_the_process_or_holds_it_up_harms_no_other(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process_module, "PROGRAM", "hostile_program")  # which stands beside this file
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    with DocumentProcess(SMALL, timeout=120) as process:
        with pytest.raises(HcatError, match="the program that reads it broke off"):
            process.parse("crash.txt", b"x")
        assert process.parse("a.txt", b"Text.")[0][0].text == "Text."
        with pytest.raises(LimitError, match="more memory"):
            process.parse("greedy.txt", b"x")
        process.timeout = 0.3
        with pytest.raises(LimitError, match=r"more than 0\.3 seconds"):
            process.parse("slow.txt", b"x")
        process.timeout = 120
        assert process.parse("b.txt", b"Text.")[0][0].text == "Text."


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt", "a.csv", "a.pdf", "a.docx", "a.jsonl"])
def test_every_cut_of_a_good_file_is_read_or_named(name: str):
    """Files are cut off on the way: what then comes out is a text, or a message."""
    good = {"a.pdf": pdf(TEXT), "a.docx": word_file(), "a.jsonl": b'{"text": "Some text."}\n'}.get(
        name, b"# A\n\n|x|y|\n"
    )
    for share in range(1, 20):
        try:
            documents, _ = parse_file(name, good[: len(good) * share // 20], SMALL)
        except HcatError as error:
            assert str(error)
        else:
            assert documents[0].text


def test_zipfile_is_bounded_by_what_an_entry_states():
    """What the checks of archives rest on: Python gives no more bytes than an entry says that it has."""
    data = bytearray(zip_of({"a": bytes(100_000)}))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (50).to_bytes(4, "little")
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive, pytest.raises(zipfile.BadZipFile):
        archive.read("a")


def test_reading_stops_within_a_file(monkeypatch: pytest.MonkeyPatch):
    """A file that takes long is left at the next look, and not when it is done."""
    monkeypatch.setattr(process_module, "PROGRAM", "hostile_program")  # which stands beside this file
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    looks: list[Progress] = []

    class EnoughError(Exception):
        pass

    def look(progress: Progress) -> None:
        looks.append(progress)
        if len(looks) == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        read_files(uploaded_files([("slow.txt", b"x")]), limits=SMALL, on_progress=look)
    assert set(looks) == {Progress("documents", 0, 1)}
