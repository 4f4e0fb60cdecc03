"""What people see of leaks, of words copied from contexts, and of a filter."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.safety.analysis import filter_cost, privacy_review
from hcat.core.capabilities.safety.views.privacy import copying_view, filter_view, leaks_view
from hcat.core.privacy.review import PrivacyReview
from hcat.core.types import Passage, Sample
from tests.views import snapshots

IBAN = "GB82 WEST 1234 5698 7654 32"
WORDS = " ".join(f"word{k}" for k in range(25))
FEE = Passage("fees", f"The account costs EUR 5 each month. {WORDS}")
SAMPLES = (
    Sample("leak", "Where to pay?", f"Pay to {IBAN}.", (FEE,), "In the app."),
    Sample("held", "Where to pay?", f"Pay to {IBAN}.", (Passage("data", f"Pay to {IBAN}."),), f"Pay to {IBAN}."),
    Sample("copied", "What does it cost?", f"EUR 5. {WORDS}.", (FEE,), "EUR 5 each month."),
    Sample("bare", "Where to pay?", f"Pay to {IBAN}."),
)


@pytest.fixture(scope="module")
def review() -> PrivacyReview:
    return privacy_review(SAMPLES)


def test_leaks_with_and_without_their_words(review: PrivacyReview, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("leaks", lambda: leaks_view(review, quoted=False), capsys)
    snapshots.check("leaks-quoted", lambda: leaks_view(review, quoted=True), capsys)
    assert IBAN not in str(leaks_view(review, quoted=False))


def test_copied_words(review: PrivacyReview, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("copying", lambda: copying_view(review), capsys)
    nothing = privacy_review(SAMPLES[-1:])
    snapshots.check("copying-nothing", lambda: copying_view(nothing), capsys)


def test_what_a_filter_costs(review: PrivacyReview, capsys: pytest.CaptureFixture[str]) -> None:
    cost = filter_cost(SAMPLES, review, "personal")
    snapshots.check("filter", lambda: filter_view(cost, review.answers), capsys)
