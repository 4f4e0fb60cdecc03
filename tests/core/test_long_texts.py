"""Texts of the greatest length that a cell may have, of one sign again and again: read in a time that grows with their
length. With its square, each of these would take minutes and run into the limit of a test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hcat.core.numbers.parsing import parse_numbers
from hcat.core.privacy.leaks import quick_hits
from hcat.core.settings import Settings
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample

CHARACTERS = Settings.model_fields["max_cell_characters"].default


def personal_data(answer: str) -> object:
    return quick_hits(Sample("a", "Who?", answer, (Passage("p", "Nobody."),)))


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("sign", "read"),
    [("a@", parse_numbers), (".", sentences), ("…", sentences), ("1", personal_data), ("\n", personal_data)],
)
def test_a_text_of_one_sign(sign: str, read: Callable[[str], object]) -> None:
    read(sign * (CHARACTERS // len(sign)))


def test_addresses_hold_no_numbers() -> None:
    assert parse_numbers("Write to anna.7@bank12.com, ben@b9.co.uk;x2@y3.de or <a@b1@c2.org>.") == ()
