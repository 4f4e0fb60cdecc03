"""Test sets from a corpus: the number and the types asked for, or why not; probabilities by design; the same again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
import pytest

from hcat.core.capabilities.test_sets.design import draw
from hcat.core.capabilities.test_sets.generate import counts_by_share, generate
from hcat.core.capabilities.test_sets.generated import Generated
from hcat.core.capabilities.test_sets.places import Place, Places, replace_passages, share_out
from hcat.core.capabilities.test_sets.query_source import Ask, Written
from hcat.core.capabilities.test_sets.selection import CorpusIndex, index_corpus
from hcat.core.capabilities.test_sets.wording.test_sets import generated_sentences
from hcat.core.errors import HcatError
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.entailment import EntailmentResult, Pair
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase, case_id
from hcat.core.types import JsonValue, Progress

TOWNS = ("Lindau", "Bregenz", "Konstanz", "Rorschach", "Arbon", "Romanshorn", "Meersburg", "Hagnau")
GOODS = ("apples", "bicycles", "candles", "dictionaries", "envelopes", "flutes")
PASSAGES = tuple(
    CorpusPassage(f"{town}-{thing}", f"In {town} the shop sells {thing} for {3 * t + 7 * g + 5} crowns a dozen.", town)
    for t, town in enumerate(TOWNS)
    for g, thing in enumerate(GOODS)
)  # fmt: skip


class NeverAsked:
    """Entailment where every answer stands in its passage word for word."""

    name, revision, pieces = "none", "0", 256

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        raise AssertionError("no answer here is left to entailment")


@dataclass
class Scripted:
    """Writes one query a passage and type; `silent` passages give none, and `bad` ones what selection refuses."""

    silent: frozenset[str] = frozenset()
    bad: frozenset[str] = frozenset()
    lacking: frozenset[QueryType] = frozenset()
    types_at_once: int = 7
    asked: list[Ask] = field(default_factory=list)
    name = "scripted"
    settings: Mapping[str, JsonValue] = field(default_factory=dict)

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        self.asked += asks
        return tuple(self._written(ask) for ask in asks)

    def _written(self, ask: Ask) -> Written:
        if ask.passage.id in self.silent:
            return Written(problems=("language model: an answer that is not JSON",))
        if ask.type in self.lacking:
            return Written()
        town, thing = ask.passage.id.split("-")
        start = {"simple factual": "What do", "yes/no": "Is it true that", "open": "Please explain why"}[ask.type]
        query = f"{start} {thing} of {town} {'cost' if start == 'What do' else 'cost crowns'}?"
        if ask.passage.id in self.bad:
            query = f"According to the passage, what do {thing} of {town} cost?"
        answer = "Yes" if len(town) % 2 else "No"
        price = ask.passage.text.split()[-4]
        case = TestCase(
            id=case_id(query, [ask.passage.id]),
            query=query,
            reference=answer if ask.type == "yes/no" else f"{price} crowns a dozen",
            passages=(ask.passage.id,),
            type=ask.type,
            generator="scripted",
            key_fact=ask.passage.text,
        )
        return Written((case,))


@pytest.fixture(scope="module")
def index() -> CorpusIndex:
    return index_corpus(PASSAGES, encoder=load_encoder(), store=MemoryEmbeddings())


SHARES: Mapping[QueryType, float] = {"simple factual": 2, "open": 1}


def generated(index: CorpusIndex, n: int, source: Scripted, shares: Mapping[QueryType, float] = SHARES, seed: int = 1,
              **design: object) -> Generated:  # fmt: skip
    strata = {passage.id: (passage.document,) for passage in index.passages}
    rng = np.random.default_rng(seed)
    drawn = draw(strata, n, rng=rng, dimensions=("document",), **design)  # type: ignore[arg-type]
    topics = {passage.id: passage.id.split("-")[1] for passage in index.passages}
    return generate(index, drawn, source=source, entailment=NeverAsked(), shares=shares, topics=topics, rng=rng)


def test_shares_become_whole_numbers_that_add_up() -> None:
    # 10 of shares 1 : 1 : 1 are 3.33 each; the first takes the remainder.
    assert counts_by_share({"open": 1, "yes/no": 1, "inference": 1}, 10) == {"open": 4, "yes/no": 3, "inference": 3}
    assert counts_by_share({"open": 2, "yes/no": 0}, 3) == {"open": 3, "yes/no": 0}
    for bad in ({}, {"open": 0.0}, {"open": -1.0, "yes/no": 2.0}, {"open": float("nan")}):
        with pytest.raises(HcatError, match="shares"):
            counts_by_share(bad, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("at_once", [1, 7])
def test_the_number_and_the_types_asked_for_are_made(index: CorpusIndex, at_once: int) -> None:
    result = generated(index, 24, Scripted(types_at_once=at_once))
    assert len(result.cases) == result.asked == 24
    assert Counter(case.type for case in result.cases) == {"simple factual": 16, "open": 8}
    assert [stratum.made for stratum in result.strata] == [3] * 8
    assert {case.probability for case in result.cases} == {0.5}
    assert all(case.topic in GOODS and case.dimensions["document"] in TOWNS for case in result.cases)
    assert result.candidates == len(result.cases) + result.spare + len(result.dropped)


def test_the_same_seed_makes_the_same_set(index: CorpusIndex) -> None:
    first, again, other = (generated(index, 12, Scripted(), seed=seed).cases for seed in (3, 3, 4))
    assert first == again
    assert [case.id for case in first] != [case.id for case in other]


def test_a_passage_that_gives_nothing_is_replaced_within_its_stratum(index: CorpusIndex) -> None:
    silent = frozenset(f"Lindau-{thing}" for thing in GOODS[:3])
    result = generated(index, 16, Scripted(silent=silent))
    assert len(result.cases) == 16
    assert [stratum.made for stratum in result.strata] == [2] * 8
    lindau = next(stratum for stratum in result.strata if stratum.levels == ("Lindau",))
    tried = lindau.passages
    # Two of six were to be drawn; each one that gave nothing made it one more.
    probability = {case.probability for case in result.cases if case.dimensions["document"] == "Lindau"}
    assert list(probability) == [pytest.approx(tried / 6)]
    assert (tried > 2) == bool(result.unwritten)


def test_what_is_lacking_is_said(index: CorpusIndex) -> None:
    nothing = frozenset(f"Lindau-{thing}" for thing in GOODS)
    refused = frozenset(f"Arbon-{thing}" for thing in GOODS)
    result = generated(index, 16, Scripted(silent=nothing, bad=refused))
    lacking = {stratum.levels[0]: stratum.why for stratum in result.strata if stratum.made < stratum.asked}
    assert set(lacking) == {"Lindau", "Arbon"}
    assert lacking["Lindau"] == "all 6 passages gave no further candidate"
    assert lacking["Arbon"].startswith("all 6 passages gave no further case; dropped: ")
    assert "does not stand alone" in lacking["Arbon"]
    assert result.reasons["language model: an answer that is not JSON"] == next(iter(result.unwritten.values()))


@pytest.mark.parametrize("at_once", [1, 7])
def test_what_a_stratum_cannot_give_others_give_in_its_place(index: CorpusIndex, at_once: int) -> None:
    """Lindau and Arbon were to give 2 each of 16: the six others take the 4, each 2/3 in expectation."""
    nothing = frozenset(f"{town}-{thing}" for town in ("Lindau", "Arbon") for thing in GOODS)
    result = generated(index, 16, Scripted(silent=nothing, types_at_once=at_once))
    assert len(result.cases) == result.asked == 16
    made = {stratum.levels[0]: stratum.made for stratum in result.strata}
    assert made["Lindau"] == made["Arbon"] == 0
    assert Counter(made.values()) == {0: 2, 2: 2, 3: 4}
    assert [case.probability for case in result.cases] == pytest.approx([(2 + 4 / 6) / 6] * 16)
    said = " ".join(generated_sentences(result))
    assert said.startswith("All 16 test cases were made. Some strata gave fewer test cases than their share")
    assert "Lindau: 2 fewer, since all 6 passages gave no further candidate" in said


def test_what_no_stratum_can_give_is_lacking_and_said(index: CorpusIndex) -> None:
    """Of the 48 passages only Bregenz's six give anything, and of one type."""
    silent = frozenset(passage.id for passage in PASSAGES if passage.document != "Bregenz")
    lacking: frozenset[QueryType] = frozenset({"open"})
    result = generated(index, 16, Scripted(silent=silent, lacking=lacking))
    assert len(result.cases) == 6
    assert {case.probability for case in result.cases} == {1.0}
    said = generated_sentences(result)
    assert said[0] == "10 test cases of 16 could not be made:"
    assert len([sentence for sentence in said if "2 fewer, since all 6 passages" in sentence]) == 7


def test_a_type_of_which_nothing_can_be_written_is_named_as_untested(index: CorpusIndex) -> None:
    untested = "Of open not one candidate could be written of these passages: this test set does not test them."
    assert untested not in generated_sentences(generated(index, 16, Scripted()))
    assert untested in generated_sentences(generated(index, 16, Scripted(lacking=frozenset({"open"}))))


def test_a_case_moves_to_the_nearest_strata_first() -> None:
    """Of (topic, document) the other documents of the topic, as far as they have passages, then the other topics."""
    places = [Place(("cards", "a"), "none") for _ in range(3)]
    reserve: dict[tuple[str, ...], list[str]] = {
        ("cards", "a"): [],
        ("cards", "b"): ["b1"],
        ("loans", "a"): ["l1", "l2", "l3"],
    }
    work = Places(needed=Counter({"open": 3}), places=places, reserve=reserve)
    assert share_out(work, dict.fromkeys(reserve, 3.0), np.random.default_rng(1))
    assert Counter(place.levels for place in places) == {("cards", "b"): 1, ("loans", "a"): 2}
    assert {place.passage for place in places} == {"b1", "l1", "l2"}
    assert work.expected_extra == {("cards", "b"): 1.0, ("loans", "a"): 2.0}


def test_passages_that_cannot_be_tested_are_accounted_for(index: CorpusIndex) -> None:
    result = generated(index, 8, Scripted(), left_out={"area": "it has fewer than 5 words"})
    assert result.untestable == {"area": "it has fewer than 5 words"}
    assert result.document()["left_out"] == 1
    assert generated_sentences(result)[-1] == (
        "1 passage has fewer than 5 words and can't be tested: it is in no topic, and no test case is drawn there."
    )


@pytest.mark.parametrize("at_once", [1, 7])
def test_a_type_that_nobody_writes_is_made_up_for_by_others(index: CorpusIndex, at_once: int) -> None:
    result = generated(index, 24, Scripted(lacking=frozenset({"open"}), types_at_once=at_once))
    assert len(result.cases) == 24
    assert {count.type: (count.asked, count.made) for count in result.types} == {
        "simple factual": (16, 24),
        "open": (8, 0),
    }


def test_yes_and_no_are_balanced(index: CorpusIndex) -> None:
    result = generated(index, 40, Scripted(), {"yes/no": 3, "simple factual": 1})
    answers = Counter(case.reference for case in result.cases if case.type == "yes/no")
    assert max(answers.values()) <= np.ceil(1.5 * min(answers.values()))


def test_more_cases_than_passages(index: CorpusIndex) -> None:
    result = generated(index, 80, Scripted())
    assert len(result.cases) == 80
    assert len({case.query for case in result.cases}) == 80


def test_no_passage_gives_more_than_the_limit_that_was_set(index: CorpusIndex) -> None:
    """Every third of 48 passages is silent, so that the others are asked for more."""
    silent = frozenset(passage.id for k, passage in enumerate(index.passages) if k % 3 == 0)
    for n, limit, made in ((40, 1, 32), (60, 2, 60)):
        result = generated(index, n, Scripted(silent=silent), per_passage=limit)
        assert max(Counter(case.metadata["drawn_from"] for case in result.cases).values()) == limit
        assert len(result.cases) == made  # 32 passages are not silent: they give 32, or 60 of 64


def test_nothing_is_given_up_while_a_type_is_left_over(index: CorpusIndex) -> None:
    """Half of the passages give nothing, the others three types each: 24 of each type for 60 places."""
    silent = frozenset(passage.id for k, passage in enumerate(index.passages) if k % 2)
    result = generated(index, 60, Scripted(silent=silent), {"simple factual": 4, "yes/no": 1, "open": 1})
    assert len(result.cases) == 60


def test_a_place_moves_to_a_passage_that_has_any_type_left() -> None:
    """Whatever the order in which the types of a passage were asked for."""
    case = TestCase("c", "What does it cost?", "2 crowns", ("full",), type="open")
    types: tuple[QueryType, ...] = ("simple factual", "open", "yes/no")
    for order in permutations(types):
        places = [Place(("a",), "empty"), Place(("a",), "full", case)]
        work = Places(needed=Counter({"yes/no": 1}), places=places, reserve={})
        for name in order:
            work.pool["full", name] = [case] if name == "open" else []
        assert replace_passages(work)
        assert places[0].passage == "full"


def test_progress_can_end_the_work(index: CorpusIndex) -> None:
    strata = {passage.id: (passage.document,) for passage in index.passages}
    rng = np.random.default_rng(1)

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(index, draw(strata, 8, rng=rng, dimensions=("document",)), source=Scripted(), entailment=NeverAsked(),
                 shares=SHARES, rng=rng, on_progress=stop)  # fmt: skip


def test_a_design_of_another_corpus_is_refused(index: CorpusIndex) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(HcatError, match="not in the corpus"):
        generate(index, draw({"other": ("a",)}, 1, rng=rng), source=Scripted(), entailment=NeverAsked(), rng=rng)
