"""What stands below topics: nothing where all texts were clustered, else how landmarks stood for them."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.topics.wording import landmarks_sentence
from hcat.core.display.edition import edition
from hcat.core.topics.model import TopicModel
from hcat.core.types import JsonValue


def _model(method: str, settings: dict[str, JsonValue]) -> TopicModel:
    n = 1_000_000
    return TopicModel(np.zeros((n, 2)), np.zeros(n, np.int64), np.zeros(n, np.int64), (), method, settings)


def test_nothing_is_said_where_all_texts_were_clustered() -> None:
    assert landmarks_sentence(_model("umap + hdbscan", {"seed": 7})) == ""


@pytest.mark.parametrize(
    ("method", "rule"),
    [
        ("umap + hdbscan", "most of its 5 nearest"),
        ("umap + k-means", "most of its 5 nearest"),
        ("pca + k-means", "mean"),
    ],
)
def test_landmarks_are_told_with_their_rule_and_what_they_agree_with(method: str, rule: str) -> None:
    said = landmarks_sentence(_model(method, {"landmarks": 10_000, "agreement_ari": 0.934, "agreement_n": 20_000}))
    assert "among 10,000 of the 1,000,000" in said
    assert "On 20,000 texts drawn at random" in said
    assert "adjusted Rand index of 0.93" in said
    assert rule in said


def test_a_german_report_tells_it_in_german() -> None:
    model = _model("umap + hdbscan", {"landmarks": 10_000, "agreement_ari": 0.934, "agreement_n": 20_000})
    with edition("de"):
        said = landmarks_sentence(model)
    assert "unter 10.000 von 1.000.000 Texten" in said
    assert "Rand-Index von 0,93" in said
    assert "seiner 5 nächsten" in said
