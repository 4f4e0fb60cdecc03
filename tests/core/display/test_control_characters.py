"""No text of a file acts on a terminal or in a log, and what programs read stays what it was."""

from __future__ import annotations

import io
import json
import logging
import sys

import pytest

from hcat.core.display.control_characters import LONGEST_MESSAGE, one_line, terminal, visible, visible_output

HOSTILE = "a\x1b]0;PWNED\x07b\x9bc\x00d\u202ee\u2066f\u2028g\rh\x7fi\ud800j"


def test_what_acts_is_shown_as_an_escape() -> None:
    expected = "a\\u001b]0;PWNED\\u0007b\\u009bc\\u0000d\\u202ee\\u2066f\\u2028g\\u000dh\\u007fi\\ud800j"
    assert visible(HOSTILE) == expected


@pytest.mark.parametrize("text", ["plain", "two\nlines\tand a tab", "Größe – 你好 שלום 👩\u200d💻", ""])
def test_other_texts_stay(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
def test_a_console_that_lacks_letters_is_given_them_spelled_out(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding=encoding, errors="strict"))
    with visible_output():
        print("κ = −0.5 → q̂ ≥ “α” …中")
        sys.stdout.flush()
    text = written.getvalue().decode(encoding)
    assert text.startswith(("kappa = -0.5 -> q", "κ = -0.5"))
    assert ">=" in text or "≥" in text
    assert text.rstrip().endswith("?")


def test_a_message_is_one_line_that_keeps_its_end() -> None:
    line = one_line(f"there is no column {'x' * 500_000}\x1b[2J:\n write --map query=COLUMN")
    assert len(line) <= LONGEST_MESSAGE + 3
    assert line.startswith("there is no column xxx") and line.endswith("x\\u001b[2J: write --map query=COLUMN")
    assert one_line("short\n and\tplain") == "short and plain"


def test_output_and_logs_are_visible_and_json_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    handler = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("hostile")
    logger.addHandler(handler)
    try:
        with visible_output():
            with visible_output():
                sys.stdout.write(json.dumps({"name": HOSTILE}, ensure_ascii=False))
            logger.error("read %s", HOSTILE)
            terminal(sys.stdout).write("\n\x1b[1mbold")
            assert not sys.stdout.isatty()
    finally:
        logger.removeHandler(handler)
    printed = capsys.readouterr()
    document, bold = printed.out.split("\n")
    assert sys.stdout is before
    assert document.isascii() and json.loads(document) == {"name": HOSTILE}
    assert bold == "\x1b[1mbold"
    assert printed.err == f"read {visible(HOSTILE)}\n" * printed.err.count("\n")


def test_a_log_whose_stream_is_closed_is_left_alone() -> None:
    closed = io.StringIO()
    handler = logging.StreamHandler(closed)
    logging.getLogger("of a library").addHandler(handler)
    closed.close()
    try:
        with visible_output():
            assert handler.stream is closed
    finally:
        logging.getLogger("of a library").removeHandler(handler)
