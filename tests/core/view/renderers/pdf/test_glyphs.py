import pytest

from hcat.core.view.renderers.pdf.glyphs import COVERAGE, shown
from training.font_coverage import text


def test_the_table_is_that_of_the_fonts_in_the_typesetter() -> None:
    assert COVERAGE.read_text("utf-8") == text()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("plain text, 0.71", "plain text, 0.71"),
        ("Überweisung ≥ 1.5 − q̂ é русский שלום", "Überweisung ≥ 1.5 − q̂ é русский שלום"),
        ("中", "[U+4E2D]"),
        ("😀!", "[U+1F600]!"),
        ("a\u202eb", "a[U+202E]b"),
        ("\x00\x1b\ud800", "[U+0000][U+001B][U+D800]"),
        ("a\tb\r\nc\rd", "a    b\nc\nd"),
        ("1\u2009000\u3000x\u00a0y", "1 000 x\u00a0y"),
        ("中\u0301", "[U+4E2D][U+0301]"),
    ],
)
def test_what_has_no_glyph_or_acts_is_shown_by_its_code_point(given: str, expected: str) -> None:
    assert shown(given) == expected
