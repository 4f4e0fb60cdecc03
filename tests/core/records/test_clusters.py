"""Which samples of a run are one cluster: trials, variants and semantic groups, alone and linked through each other."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from hcat.core.records.clusters import cluster_sources, clusters_across, clusters_of, shared_clusters
from hcat.core.types import Sample, Variant


def sample(name: str, *, case: str | None = None, group: str | None = None, of: str | None = None) -> Sample:
    return Sample(name, "q", "a", test_case=case, group=group, variant=None if of is None else Variant("typo", of))


def test_samples_that_nothing_ties_are_clusters_of_their_own() -> None:
    alone = [sample("a"), sample("b")]
    assert clusters_of(alone) == {"a": "a", "b": "b"}
    assert shared_clusters(clusters_of(alone)) is None and shared_clusters(None) is None
    assert cluster_sources(alone) == ()


def test_trials_variants_and_semantic_groups_are_kept_whole() -> None:
    assert clusters_of([sample("x", case="q1"), sample("y", case="q1")]) == {"x": "q1", "y": "q1"}
    assert clusters_of([sample("q1"), sample("t", of="q1")]) == {"q1": "q1", "t": "q1"}
    assert clusters_of([sample("q2", group="g"), sample("q1", group="g")]) == {"q2": "q1", "q1": "q1"}


def test_a_variant_names_a_sample_or_a_test_case_and_its_origin_need_not_be_in_the_run() -> None:
    trials = [sample("q1#0", case="q1"), sample("q1#1", case="q1")]
    assert set(clusters_of([*trials, sample("t", of="q1")]).values()) == {"q1"}
    assert set(clusters_of([*trials, sample("t", of="q1#1")]).values()) == {"q1"}
    assert clusters_of([sample("t", of="absent"), sample("u", of="absent")]) == {"t": "absent", "u": "absent"}


def test_what_is_linked_through_others_is_one_cluster() -> None:
    chain = [sample("a", group="g"), sample("b", group="g", case="c"), sample("d", case="c"), sample("e", of="d")]
    assert set(clusters_of(chain).values()) == {"a"}
    assert cluster_sources(chain) == ("test case", "variant", "semantic group")


def test_a_semantic_group_of_the_name_of_a_test_case_is_another_thing() -> None:
    assert clusters_of([sample("1", group="2"), sample("2", group="1")]) == {"1": "1", "2": "2"}


def test_two_runs_name_a_cluster_alike_also_where_one_ties_more() -> None:
    first, second = [sample("a"), sample("b")], [sample("a", group="g"), sample("b", group="g")]
    assert clusters_across(first, second) == ({"a": "a", "b": "a"}, {"a": "a", "b": "a"})


names = st.sampled_from(["a", "b", "c", "d", "e", "f"])


@given(st.lists(st.tuples(st.none() | names, st.none() | names, st.none() | names), max_size=12), st.randoms())
def test_clusters_are_the_connected_components_in_any_row_order(
    rows: list[tuple[str | None, str | None, str | None]], random: Random
) -> None:
    samples = [sample(f"s{k}", case=case, group=group, of=of) for k, (case, group, of) in enumerate(rows)]
    found = clusters_of(samples)
    nodes: dict[tuple[str, str], int] = {}

    def node(kind: str, name: str) -> int:
        return nodes.setdefault((kind, name), len(nodes))

    edges = [(node("case", one.test_case or one.id), node("case", one.test_case or one.id)) for one in samples]
    edges += [(node("case", s.test_case or s.id), node("group", s.group)) for s in samples if s.group]
    edges += [(node("case", s.test_case or s.id), node("case", s.variant.of)) for s in samples if s.variant]
    ends = ([a for a, _ in edges], [b for _, b in edges])
    size = max(len(nodes), 1)
    component = connected_components(coo_matrix(([1] * len(edges), ends), shape=(size, size)))[1]
    expected = [component[node("case", one.test_case or one.id)] for one in samples]
    for k, one in enumerate(samples):
        for j, other in enumerate(samples):
            assert (found[one.id] == found[other.id]) == (expected[k] == expected[j])
    shuffled = list(samples)
    random.shuffle(shuffled)
    assert clusters_of(shuffled) == found


NAMES = st.sampled_from(["a", "b", "c", "d", "e", "s1", "s3", "nowhere", None])


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=12))
def test_clusters_are_what_can_be_reached(ties: list[tuple[str | None, str | None, str | None]]) -> None:
    """By walking from each sample along test cases, origins and groups until nothing new is found."""
    samples = [
        sample(f"s{place}", case=case, group=group, of=origin) for place, (case, origin, group) in enumerate(ties)
    ]
    case_of = {each.id: each.test_case or each.id for each in samples}
    linked: dict[tuple[str, str], set[tuple[str, str]]] = {}

    def link(one: tuple[str, str], other: tuple[str, str]) -> None:
        linked.setdefault(one, set()).add(other)
        linked.setdefault(other, set()).add(one)

    for each in samples:
        case = ("case", case_of[each.id])
        linked.setdefault(case, set())
        if each.variant is not None:
            link(case, ("case", case_of.get(each.variant.of, each.variant.of)))
        if each.group is not None:
            link(case, ("group", each.group))
    for each in samples:
        reached = {("case", case_of[each.id])}
        while further := {node for known in reached for node in linked[known]} - reached:
            reached |= further
        assert clusters_of(samples)[each.id] == min(name for kind, name in reached if kind == "case")
