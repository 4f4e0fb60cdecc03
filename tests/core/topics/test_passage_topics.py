import numpy as np
import pytest

from hcat.core.errors import HcatError
from hcat.core.topics.choice import TopicChoice
from hcat.core.topics.model import NO_TOPIC, Topic, TopicModel
from hcat.core.topics.passage_topics import PassageTopics, carried_names


def model(assignment: list[int]) -> TopicModel:
    numbers = np.array(assignment, dtype=np.int64)
    topics = tuple(Topic(k, f"terms {k}", (), int((numbers == k).sum())) for k in range(int(numbers.max()) + 1))
    return TopicModel(np.zeros((len(numbers), 2)), numbers, np.maximum(numbers, 0), topics, "pca + k-means", {})


def topics(assignment: list[int], names: dict[int, str] | None = None) -> PassageTopics:
    ids = tuple(f"p{k}" for k in range(len(assignment)))
    return PassageTopics(ids, tuple(f"h{k}" for k in range(len(assignment))), model(assignment), names or {})


HASHES = tuple(f"h{k}" for k in range(9))
BEFORE = topics([0, 0, 0, 0, 1, 1, 1, 2, 2], {0: "Fees", 1: "Loans"})


def test_names_stand_in_for_key_terms() -> None:
    found = topics([0, 0, 1, -1], {1: "Loans"})
    assert found.levels == {"p0": "terms 0", "p1": "terms 0", "p2": "Loans", "p3": NO_TOPIC}
    assert found.strata["p3"] == "terms 0"


def test_two_topics_are_never_called_the_same() -> None:
    clash = topics([0, 1], {1: "terms 0"})
    assert list(clash.titles.values()) == ["terms 0", "terms 0 (2)"]


def test_a_name_follows_its_members_to_another_number() -> None:
    # Fees (h0–h3) is topic 1 now, and has lost h3; Loans is topic 0.
    assert carried_names(BEFORE, HASHES, model([1, 1, 1, 2, 0, 0, 0, 2, 2])) == {1: "Fees", 0: "Loans"}


def test_a_name_is_lost_where_the_members_part_or_drown() -> None:
    # Fees falls into two halves: 2 of 4 is not more than half. Loans (3) is swallowed by a topic of 7.
    assert carried_names(BEFORE, HASHES, model([0, 0, 1, 1, 1, 1, 1, 1, 1])) == {}


def test_only_passages_that_both_have_count() -> None:
    # h0 and h1 are gone and three passages new: of what both have, h2 and h3 are all of Fees.
    hashes = ("h2", "h3", "n1", "n2", "n3", "h4", "h5", "h6")
    assert carried_names(BEFORE, hashes, model([0, 0, 0, 0, 0, 1, 1, 1])) == {0: "Fees", 1: "Loans"}


def test_passages_between_topics_carry_no_name() -> None:
    assert carried_names(BEFORE, HASHES, model([-1, -1, -1, 0, 1, 1, 1, 1, 1])) == {1: "Loans"}


def test_renaming() -> None:
    assert BEFORE.renamed(2, "  Cards \n and more ").names[2] == "Cards and more"
    assert BEFORE.renamed(0, "").names == {1: "Loans"}
    for topic, name, problem in ((0, "Loans", "already"), (0, "x" * 61, "at most 60"), (9, "x", "no topic 9")):
        with pytest.raises(HcatError, match=problem):
            BEFORE.renamed(topic, name)


def test_choices_with_parameters() -> None:
    choice = TopicChoice.of(reduction="pca", clustering="dbscan", radius=0.3, least=4, dimensions=8)
    assert TopicChoice.read(choice.written()) == choice
    assert TopicChoice.of(clustering="kmeans", k=3) == TopicChoice(clustering="k-means", k=3)
    assert TopicChoice.of(radius=0.5).clustering == "dbscan"
    assert TopicChoice.of(least=9).clustering == "hdbscan"
    assert TopicChoice.of(neighbours=9).reduction == "umap"


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"clustering": "hdbscan", "radius": 0.5}, "a radius takes"),
        ({"clustering": "k-means", "least": 5}, "a smallest topic takes"),
        ({"reduction": "pca", "neighbours": 5}, "a number of neighbours takes"),
        ({"reduction": "umap", "neighbours": 1}, "at least 2 neighbours"),
        ({"clustering": "dbscan", "radius": 0.0}, "positive number"),
        ({"dimensions": 0}, "at least 1 dimension"),
        ({"clustering": "hdbscan", "least": 1}, "at least 2 text"),
    ],
)
def test_parameters_of_other_methods_are_refused(choice: dict[str, object], problem: str) -> None:
    with pytest.raises(HcatError, match=problem):
        TopicChoice.of(**choice)  # type: ignore[arg-type]
