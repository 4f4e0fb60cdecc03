"""Topics of the passages of a corpus, with the names that people gave them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hcat.core.errors import HcatError
from hcat.core.topics.cluster import NOISE
from hcat.core.topics.model import NO_TOPIC, TopicModel

MOST_CHARACTERS = 60
"""The most characters of a name, which appears on maps and in tables."""


@dataclass(frozen=True, eq=False)
class PassageTopics:
    """A topic model of the passages of a corpus that can be tested.

    `hashes` are those of their texts, by which a passage is recognised in a later version of the corpus; `names` are
    people's names of topics, by the number of the topic."""

    passage_ids: tuple[str, ...]
    hashes: tuple[str, ...]
    model: TopicModel
    names: Mapping[int, str]

    @cached_property
    def titles(self) -> Mapping[int, str]:
        """The title of each topic: its name by people, else its key terms; no two alike."""
        titles: dict[int, str] = {}
        for topic in self.model.topics:
            title = self.names.get(topic.id, topic.title)
            titles[topic.id] = title if title not in titles.values() else f"{title} ({topic.id + 1})"
        return titles

    @cached_property
    def levels(self) -> Mapping[str, str]:
        """The topic of each passage by its id; "(no topic)" for a passage between topics."""
        return {
            name: self.titles.get(number, NO_TOPIC)
            for name, number in zip(self.passage_ids, self.model.assignment.tolist(), strict=True)
        }

    @cached_property
    def strata(self) -> Mapping[str, str]:
        """The same with passages between topics given to the nearest, so that each passage has a stratum."""
        return {
            name: self.titles.get(number, NO_TOPIC)
            for name, number in zip(self.passage_ids, self.model.nearest.tolist(), strict=True)
        }

    def renamed(self, topic: int, name: str) -> PassageTopics:
        """The same with another name of a topic; an empty one restores its key terms.

        HcatError for a name that is in use or too long, and if there is no such topic."""
        if topic not in self.titles:
            raise HcatError(f"there is no topic {topic}: there are {len(self.titles)}")
        name = " ".join(name.split())
        others = {title for number, title in self.titles.items() if number != topic}
        if name in {*others, NO_TOPIC}:
            raise HcatError(f"another topic is called {name!r} already: choose another name")
        if len(name) > MOST_CHARACTERS:
            raise HcatError(f"a name has at most {MOST_CHARACTERS} characters, not {len(name)}")
        names = {number: given for number, given in self.names.items() if number != topic}
        return replace(self, names={**names, topic: name} if name else names)


def carried_names(before: PassageTopics, hashes: Sequence[str], model: TopicModel) -> dict[int, str]:
    """The names that topics of a new clustering inherit from an earlier one.

    A topic inherits the name of the earlier one with the same members: more than half of the earlier topic's members
    are its own, and they are more than half of its members. Only passages in both count, matched by their text;
    passages between topics belong to none. So no name goes to two topics, and none to a topic of other passages."""
    earlier = _members(before.hashes, before.model)
    later = _members(hashes, model)
    shared = Counter((earlier[text], later[text]) for text in earlier.keys() & later.keys())
    both = set(before.hashes) & set(hashes)
    sizes_before = Counter(topic for text, topic in earlier.items() if text in both)
    sizes_after = Counter(topic for text, topic in later.items() if text in both)
    return {
        new: before.names[old]
        for (old, new), count in shared.items()
        if old in before.names and 2 * count > sizes_before[old] and 2 * count > sizes_after[new]
    }


def _members(hashes: Sequence[str], model: TopicModel) -> dict[str, int]:
    """The topic of each text that has one."""
    return {text: number for text, number in zip(hashes, model.assignment.tolist(), strict=True) if number != NOISE}
