"""What people see of topics."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.topics.view import topics_view
from hcat.core.topics.describe import Term
from hcat.core.topics.model import Topic, TopicModel
from hcat.core.types import JsonValue
from tests.views import snapshots

TOPICS = (
    Topic(0, "loan, rate", (Term("loan", 0.9), Term("rate", 0.4)), 3),
    Topic(1, "card, fee", (Term("card", 0.8), Term("fee", 0.5)), 2),
)


def model(**settings: JsonValue) -> TopicModel:
    numbers = np.array([0, 0, 0, 1, 1, -1])
    return TopicModel(np.zeros((6, 2)), numbers, numbers, TOPICS, "umap + hdbscan", settings)


def test_topics(capsys: pytest.CaptureFixture[str]) -> None:
    snapshots.check("topics", lambda: topics_view(model(), "run 1"), capsys)


def test_topics_with_names_found_by_landmarks(capsys: pytest.CaptureFixture[str]) -> None:
    by_landmarks = model(landmarks=4, agreement_ari=0.934, agreement_n=6)
    snapshots.check("topics-named", lambda: topics_view(by_landmarks, "terms", {0: "Loans", 1: "card, fee"}), capsys)
