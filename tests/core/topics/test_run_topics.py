"""The topics of a run by sample, as a column and as a dictionary."""

from __future__ import annotations

import numpy as np

from hcat.core.records.samples.columns import Levels
from hcat.core.topics.model import NO_TOPIC, Topic, TopicModel
from hcat.core.topics.run_topics import RunTopics, read_topics, topics_table


def test_levels_are_those_of_each_text_in_the_order_in_which_they_appear() -> None:
    assignment = np.array([3, -1, 0, 3, 2, 0])
    topics = tuple(Topic(number, title, (), 1) for number, title in ((0, "fees"), (2, "cards"), (3, "fees")))
    model = TopicModel(np.zeros((6, 2)), assignment, np.abs(assignment), topics, "made", {})
    assert model.levels() == ("fees", NO_TOPIC, "fees", "fees", "cards", "fees")
    found, expected = model.level_codes(), Levels.of(model.levels())
    assert (found.codes.tolist(), found.names) == (expected.codes.tolist(), expected.names)
    of_run = RunTopics(tuple("abcdef"), model)
    assert of_run.levels == dict(zip("abcdef", model.levels(), strict=True))
    again = read_topics(topics_table(of_run))
    assert again is not None
    assert (again.sample_ids, again.levels) == (of_run.sample_ids, of_run.levels)
