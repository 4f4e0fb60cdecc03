"""Pages on numbers open a run without decoding the texts of its samples, and others decode those that they show."""

from __future__ import annotations

import pytest

from core.storage.sample_texts import PlainTexts
from core.storage.texts.sealed_form import SealedTexts
from tests.core.analysis.counted_calls import calls_of
from tests.pages.small_project import small_samples
from tests.pages.test_pages import OpenPage, assert_sound

OPENERS = {"sealed": SealedTexts.texts, "plain": PlainTexts.texts}
"""What turns the stored texts of one sample into texts."""


@pytest.mark.parametrize("page", ["weaknesses", "estimates", "calibration", "policy"])
def test_no_text_is_decoded_for_numbers(open_page: OpenPage, page: str) -> None:
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page(page, "calibrated"))
    assert counted == {}


@pytest.mark.parametrize("page", ["overview", "metrics", "trials", "samples", "labelling", "agreement"])
def test_other_pages_decode_each_sample_once_at_most(open_page: OpenPage, page: str) -> None:
    """Whether a machine's verdict is within its domain is told by the texts, where there are such verdicts; trials are
    compared by their texts; the page Samples opens one besides, to show it, to explain its scores, and to
    tell what erasing takes."""
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page(page, "calibrated"))
    assert counted.total() <= len(small_samples()) + 3 * (page == "samples")


def test_the_count_sees_a_page_that_shows_texts(open_page: OpenPage) -> None:
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page("samples", "calibrated"))
    assert counted["sealed"] > 0
