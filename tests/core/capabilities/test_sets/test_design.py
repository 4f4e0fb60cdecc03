import csv
import json
import tracemalloc
from collections import Counter
from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.test_sets.allocation import KINDS, DesignKind
from hcat.core.capabilities.test_sets.design import DrawnStratum, draw
from hcat.core.capabilities.test_sets.frame import frame_of
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage, iterate_passages

BANKING = Path(__file__).parents[4].parent / "shared/data/topics/banking77_train.csv"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def frame(**sizes: int) -> dict[str, tuple[str, ...]]:
    return {f"{level}{k}": (level,) for level, size in sizes.items() for k in range(size)}


def test_passages_are_drawn_without_replacement_with_their_probabilities() -> None:
    design = draw(frame(a=10, b=30, c=60), 6, kind="equal", rng=rng())
    assert [(row.levels[0], row.size, row.target, row.drawn) for row in design.strata] == [
        ("a", 10, 2, 2),
        ("b", 30, 2, 2),
        ("c", 60, 2, 2),
    ]
    assert len({unit.id for unit in design.units}) == 6
    assert {unit.stratum[0]: unit.probability for unit in design.units} == pytest.approx(
        {"a": 2 / 10, "b": 2 / 30, "c": 2 / 60}
    )
    # Inverse probabilities add up to the passages: 2 · (5 + 15 + 30).
    assert sum(1 / unit.probability for unit in design.units) == pytest.approx(100)
    assert design.is_unequal
    assert not draw(frame(a=10, b=30), 8, rng=rng()).is_unequal


def test_the_rest_of_a_stratum_is_held_in_reserve() -> None:
    design = draw(frame(a=5, b=7), 4, kind="equal", rng=rng())
    drawn = {unit.id for unit in design.units}
    assert {name for ids in design.reserve.values() for name in ids} == set(frame(a=5, b=7)) - drawn


def test_a_stratum_smaller_than_its_allocation_gives_all_it_has_and_no_more() -> None:
    design = draw(frame(a=2, b=30), 20, kind="equal", per_passage=1, rng=rng())
    assert {row.levels[0]: row.drawn for row in design.strata} == {"a": 2, "b": 18}
    assert {unit.probability for unit in design.units if unit.stratum == ("a",)} == {1.0}


def test_passages_that_give_several_cases_give_one_each_before_any_gives_two() -> None:
    # 10 places in a: 8 cases of 5 passages, each place with probability 8/10; 8 of the 60 places of b.
    design = draw(frame(a=5, b=30), 16, kind="equal", per_passage=2, rng=rng())
    cases = {unit.id: unit.cases for unit in design.units if unit.stratum == ("a",)}
    assert sorted(cases.values()) == [1, 1, 2, 2, 2]
    assert {unit.probability for unit in design.units} == {0.8, 8 / 60}
    # The cases of a passage each stand for as many places: 8/0.8 + 8/(8/60) = 10 + 60.
    assert sum(unit.cases / unit.probability for unit in design.units) == pytest.approx(70)


def test_as_many_cases_a_passage_as_n_takes() -> None:
    design = draw(frame(a=2, b=2), 10, rng=rng())
    assert design.per_passage == 3
    assert sum(unit.cases for unit in design.units) == 10


@pytest.mark.parametrize("kind", KINDS)
def test_over_many_draws_every_passage_comes_as_often_as_its_probability_says(kind: DesignKind) -> None:
    strata = {**{f"a{k}": ("a", "x") for k in range(3)}, **{f"b{k}": ("b", "xy"[k % 2]) for k in range(9)}}
    count: Counter[str] = Counter()
    probability: dict[str, float] = {}
    generator = rng(3)
    weights = {"a": 3.0} if kind == "weighted" else None
    for _ in range(3000):
        design = draw(strata, 5, kind=kind, weights=weights, per_passage=1, rng=generator)
        count.update(unit.id for unit in design.units)
        probability |= {unit.id: unit.probability for unit in design.units}
    assert set(probability) == set(strata)
    # 4 standard errors of a share at 3,000 draws are at most 0.037.
    assert max(abs(count[name] / 3000 - probability[name]) for name in strata) < 0.037


def test_a_case_that_replaced_another_has_the_probability_of_having_been_tried() -> None:
    # 2 of 10 drawn, 5 tried until 2 gave a case: each passage was tried with probability 5/10.
    assert DrawnStratum(("a",), 10, 2.0, 2, 0.2).probability_after(5) == pytest.approx(0.5)
    assert DrawnStratum(("a",), 10, 2.0, 2, 0.2).probability_after(2) == pytest.approx(0.2)
    assert DrawnStratum(("a",), 10, 0.5, 0, 0.05).probability_after(0) == pytest.approx(0.05)


def test_cases_taken_over_from_other_strata_add_to_the_probability() -> None:
    # 2 of 10, and 1.5 more in expectation: each with probability 3.5/10, whether they came to 1 or to 2.
    stratum = DrawnStratum(("a",), 10, 2.0, 2, 0.2)
    assert stratum.probability_after(3, extra=1, expected_extra=1.5) == pytest.approx(0.35)
    assert stratum.probability_after(4, extra=2, expected_extra=1.5) == pytest.approx(0.35)
    # 6 tried for 3 cases double it.
    assert stratum.probability_after(6, extra=1, expected_extra=1.5) == pytest.approx(0.7)
    assert DrawnStratum(("a",), 10, 0.5, 0, 0.05).probability_after(1, extra=1, expected_extra=0.5) == pytest.approx(
        0.1
    )


def test_the_same_seed_draws_the_same() -> None:
    strata = frame(a=20, b=50)
    assert draw(strata, 9, rng=rng(4)) == draw(strata, 9, rng=rng(4))
    assert draw(strata, 9, rng=rng(4)).units != draw(strata, 9, rng=rng(5)).units


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(HcatError, match="no passage"):
        draw({}, 1, rng=rng())
    with pytest.raises(HcatError, match="at least one case"):
        draw(frame(a=2), 1, per_passage=0, rng=rng())
    with pytest.raises(HcatError, match="each of the 1 dimensions"):
        draw({"p": ("a",), "q": ("a", "x")}, 1, rng=rng())


def passage(name: str, document: str, words: int, *heading: str) -> CorpusPassage:
    return CorpusPassage(name, "word " * words, document, heading=heading)


def test_strata_are_the_levels_of_the_passages() -> None:
    passages = [
        passage("p1", "fees.md", 10, "Fees", "Cards"),
        passage("p2", "fees.md", 20),
        passage("p3", "loans.md", 30, "Loans"),
    ]
    topics = {"p1": "cards", "p2": "cards", "p3": "loans"}
    assert frame_of(passages, by=("topic", "document"), topics=topics).strata["p3"] == ("loans", "loans.md")
    by_shape = frame_of(passages, by=("heading", "length")).strata
    assert list(by_shape.values()) == [("Fees", "short"), ("(no heading)", "medium"), ("Loans", "long")]


def test_passages_that_cannot_be_tested_are_left_out_with_their_reason() -> None:
    passages = [passage("p1", "d", 5), passage("area", "d", 4), passage("p2", "e", 9)]
    frame = frame_of(passages, by=("topic",), topics={"p1": "cards", "p2": "cards"})
    assert frame.strata == {"p1": ("cards",), "p2": ("cards",)}
    assert frame.left_out == {"area": "it has fewer than 5 words"}
    assert draw(frame.strata, 1, rng=rng(), left_out=frame.left_out).document()["left_out"] == frame.left_out
    with pytest.raises(HcatError, match="every one has fewer than 5 words"):
        frame_of([passage("area", "d", 4)], by=("document",))


def test_strata_that_are_not_there_are_refused() -> None:
    passages = [passage("p1", "d", 5)]
    with pytest.raises(HcatError, match="no dimension 'mood'"):
        frame_of(passages, by=("mood",))
    with pytest.raises(HcatError, match="each dimension once"):
        frame_of(passages, by=("document", "document"))
    with pytest.raises(HcatError, match="take the topics"):
        frame_of(passages, by=("topic",))
    with pytest.raises(HcatError, match="has no topic"):
        frame_of(passages, by=("topic",), topics={"q": "t"})
    with pytest.raises(HcatError, match="no passage"):
        frame_of([], by=("document",))


@pytest.mark.realdata
@pytest.mark.skipif(not BANKING.exists(), reason="needs the Banking77 training set beside the repository")
def test_at_two_cases_a_topic_no_topic_of_banking77_is_missed(record_property: Callable[[str, object], None]) -> None:
    with BANKING.open(encoding="utf-8", newline="") as file:
        intents = [row["category"] for row in csv.DictReader(file)]
    strata = {f"q{k}": (intent,) for k, intent in enumerate(intents)}
    sizes, n = Counter(intents), 2 * len(set(intents))
    missed_by_chance = sum(comb(len(intents) - size, n) / comb(len(intents), n) for size in sizes.values())
    for kind in ("proportional", "equal"):
        design = draw(strata, n, kind=kind, rng=rng())
        missed = sum(row.drawn == 0 for row in design.strata)
        off = max(abs(row.drawn - row.target) for row in design.strata)
        record_property(f"A-7 {kind}", f"n {n}: {missed} of {len(sizes)} intents missed, {off:.2f} from target at most")
        assert missed == 0
        assert off < 1
    record_property("A-7 random", f"{missed_by_chance:.1f} of {len(sizes)} intents missed in expectation")
    assert missed_by_chance == pytest.approx(11.7, abs=0.05)


def test_the_texts_of_a_large_corpus_are_never_in_memory_together(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for k in range(2000):
            file.write(json.dumps({"id": f"p{k}", "text": "word " * 2000, "document": f"d{k % 50}"}) + "\n")
    tracemalloc.start()
    design = draw(frame_of(iterate_passages(path), by=("document",)).strata, 200, rng=rng())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(design.units) == 200
    assert peak < path.stat().st_size / 5
