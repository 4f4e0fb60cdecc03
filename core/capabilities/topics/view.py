"""Topics of texts."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capabilities.topics.wording import landmarks_sentence
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.topics.model import TopicModel
from hcat.core.view.telling import column
from hcat.core.view.tree import Table
from hcat.core.view.view import View


def topics_view(model: TopicModel, of: str, names: Mapping[int, str] | None = None) -> View:
    """Each topic with its size and key terms, and how topics were found. `names` are those that people gave."""
    given = names or {}
    title = say(
        "{of}: {topics}, {texts}",
        topics=counted(len(model.topics), "topic"),
        texts=counted(model.n, "text"),
        of=of,
    )
    rows = tuple(
        (given.get(topic.id, topic.title), topic.size, ", ".join(term.text for term in topic.terms))
        for topic in model.topics
    )
    note = say(
        "{without} between topics, assigned to none. Method: {method}; key terms by class-based TF-IDF. The same "
        "texts give the same topics. {landmarks}",
        without=counted(model.without_topic, "text"),
        method=model.method,
        landmarks=landmarks_sentence(model),
    )
    columns = (column("Topic"), column("Texts", "count"), column("Key terms"))
    return View((Table(title, columns, rows, (note.rstrip(),)),))
