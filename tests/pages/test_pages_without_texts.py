"""Pages on numbers open a run without decoding the texts of its samples."""

from __future__ import annotations

import pytest

from core.storage.sample_texts import PlainTexts
from tests.core.analysis.counted_calls import calls_of
from tests.pages.small_project import small_samples
from tests.pages.test_pages import OpenPage, assert_sound


@pytest.mark.parametrize("page", ["weaknesses", "estimates", "calibration", "labelling"])
def test_no_text_is_decoded_for_numbers(open_page: OpenPage, page: str) -> None:
    with calls_of(texts=PlainTexts.texts) as counted:
        assert_sound(open_page(page, "calibrated"))
    assert counted == {}


def test_the_overview_decodes_each_sample_once_at_most(open_page: OpenPage) -> None:
    """Whether a machine's verdict is within its domain is told by the texts, where there are such verdicts."""
    with calls_of(texts=PlainTexts.texts) as counted:
        assert_sound(open_page("overview", "calibrated"))
    assert counted["texts"] <= len(small_samples())
