"""Method by which topics were found, in words, for the note below a map, a table or a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hcat.core.display.messages import say
from hcat.core.topics.landmarks import MOST_TEXTS, VOTES

if TYPE_CHECKING:
    from hcat.core.topics.model import TopicModel


def landmarks_sentence(model: TopicModel) -> str:
    """Sentence on the number of texts from which topics were found, the assignment of the others, and its agreement
    with the full method; "" where all texts were clustered."""
    landmarks, texts = model.settings.get("landmarks"), model.settings.get("agreement_n")
    index = model.settings.get("agreement_ari")
    if not (isinstance(landmarks, int) and isinstance(texts, int) and isinstance(index, int | float)):
        return ""
    return say(
        "More than {most:,} texts: topics were found among {landmarks:,} of the {texts:,}, drawn in proportion from "
        "strata of similar texts. {rule} On {compared:,} texts drawn at random this agrees with the full method to an "
        "adjusted Rand index of {index:.2f} (1: the same topics, 0: as by chance).",
        most=MOST_TEXTS,
        landmarks=landmarks,
        texts=model.n,
        rule=_rule(model),
        compared=texts,
        index=index,
    )


def _rule(model: TopicModel) -> str:
    if model.method == "pca + k-means":
        return say("Every other text belongs to the topic whose mean is nearest to its principal components.")
    return say(
        "Every other text belongs to the topic that most of its {votes} nearest among these have, and to none where "
        "most of them have none.",
        votes=VOTES,
    )
