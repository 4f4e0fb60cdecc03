"""Which candidates become test cases: each check alone, and all over a small corpus with the packaged models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hcat.core.capabilities.test_sets.selection import CorpusIndex, Selection, index_corpus, select
from hcat.core.capabilities.test_sets.selection.balance import surplus
from hcat.core.capabilities.test_sets.selection.duplicates import near_duplicates
from hcat.core.capabilities.test_sets.selection.marks import content_overlap, gives_away
from hcat.core.capabilities.test_sets.selection.question import (
    named_by_heading_only,
    question_problem,
    reference_to_unseen,
)
from hcat.core.capabilities.test_sets.selection.support import polarity, statement, support_by_words
from hcat.core.errors import HcatError
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase

TEXTS = {
    "gold": "The Gold card costs 60 euros a year. It includes travel insurance for trips of up to 45 days.",
    "basic": "The Basic card costs 12 euros a year. Cash withdrawals at our own machines are free of charge.",
    "transfer": "Transfers within the euro area arrive on the next working day. Urgent transfers cost 7.50 euros each.",
    "dormant": "An account without any transaction for 24 months becomes dormant and is closed to new payments.",
    "mortgage": "Borrowers may repay up to 5 per cent of a mortgage each year without a fee.",
    "branch": "Branches open at 9:00 on weekdays. The branch in Lindau also opens on Saturday mornings.",
    "complaint": "Complaints are answered in writing within 15 working days. The ombudsman may be asked afterwards.",
    "fraud": "Report a stolen card at once by telephone. Liability before the report is limited to 50 euros.",
    "loan": "Personal loans run from 12 to 84 months. The rate is fixed for the whole term.",
    "savings": "Interest on savings is credited on 31 December. Notice of three months applies above 2,000 euros.",
    "young": "Customers under 27 pay no monthly account fee. A student card replaces the ordinary one.",
    "app": "The app asks for a fingerprint or a code at each start. Push messages tell of every payment.",
}


@pytest.fixture(scope="module")
def index() -> CorpusIndex:
    others = {f"room {k}": f"Safe {k} at the branch in Lindau rents for {k} euros." for k in range(101, 113)}
    texts = {**TEXTS, **others}
    passages = [CorpusPassage(name, text, "handbook", end=len(text)) for name, text in texts.items()]
    return index_corpus(passages, encoder=load_encoder(), store=MemoryEmbeddings())


def selected(index: CorpusIndex, *cases: TestCase, existing: tuple[TestCase, ...] = ()) -> Selection:
    return select(cases, index, entailment=load_entailment(), existing=existing)


def case(query: str, reference: str | None, *passages: str, **fields: object) -> TestCase:
    return TestCase(id=query[:60], query=query, reference=reference, passages=passages, **fields)  # type: ignore[arg-type]


GOOD = case(
    "What does the Gold card cost per year?", "60 euros", "gold", key_fact="The Gold card costs 60 euros a year."
)


@pytest.mark.parametrize(
    "query",
    [
        "According to the document, what is the fee?",
        "What does the passage say about cards?",
        "Based on the given text, who may repay?",
        "What is mentioned above about loans?",
        "Which fee is stated in this section?",
        "What does it cost?",
        "How are they protected?",
        "What is its yearly fee?",
        "Who can use this card?",
        "What is described in the text?",
        "Where did the author go?",
    ],
)
def test_what_only_a_reader_of_the_passage_understands_does_not_stand_alone(query: str) -> None:
    assert reference_to_unseen(query) is not None


@pytest.mark.parametrize(
    "query",
    [
        "How long does it take to open an account?",
        "Is it possible to repay a mortgage early?",
        "If a card is stolen, how is it blocked?",
        "How do customers change their address?",
        "Which document must I bring to open an account?",
        "What happens when the identity document expires?",
        "overdraft fee?",
        "When it comes to loans, is the rate fixed?",
        "What does article 5 of the statutes say?",
        "What does it cost to send money abroad?",
    ],
)
def test_what_anybody_can_ask_stands_alone(query: str) -> None:
    assert reference_to_unseen(query) is None


def test_a_question_has_between_two_and_eighty_words() -> None:
    assert question_problem("Fees?") == "it has fewer than two words"
    assert question_problem("  ?! ") is not None
    assert question_problem("overdraft fee?") is None
    assert question_problem("why " * 81) == "it has more than 80 words"


@pytest.mark.parametrize(
    ("reference", "query_type", "problem"),
    [
        ("60 euros", "simple factual", None),
        ("EUR 60", "simple factual", None),
        ("61 euros", "simple factual", "61 euros is not there"),
        ("5 euros", "inference", None),  # 60 / 12 from the passage and the query
        ("5 euros", "simple factual", "5 euros is not there"),
        ("", "simple factual", "it has no answer"),
    ],
)
def test_numbers_of_the_answer_stand_in_the_passage_or_follow_from_it(
    reference: str, query_type: str, problem: str | None
) -> None:
    asked = case("What does the Gold card cost in each of 12 months?", reference, "gold", type=query_type)
    assert support_by_words(asked, TEXTS["gold"]).problem == problem


def test_an_answer_of_yes_is_read_as_the_fact_it_rests_on() -> None:
    assert statement(case("Is it?", "Yes", key_fact="The fee is 3 euros.")) == "The fee is 3 euros."
    assert statement(case("Is it?", "No, the fee is 3 euros.")) == "the fee is 3 euros."
    assert [polarity(text) for text in ("Yes.", "no", "None", "Not so", None)] == ["yes", "no", None, None, None]


def test_more_yes_than_no_is_cut_to_three_fifths() -> None:
    cases = [case(f"q{k}", "Yes" if k < 8 else "No", type="yes/no") for k in range(10)]
    # Two "no" allow three "yes"; the last five of eight go.
    assert surplus(cases) == dict.fromkeys([3, 4, 5, 6, 7], "yes")
    assert surplus(cases[8:], existing=cases[:8]) == {}
    assert surplus(cases[:1]) == {}


def test_queries_that_mean_the_same_repeat_each_other_unless_their_numbers_differ() -> None:
    queries = ["What was the profit in 2021?", "What was the profit in 2022?", "what was the profit, in 2021"]
    same = np.ones((3, 1), dtype=np.float32)
    assert near_duplicates(queries, same) == {2: 0}
    assert near_duplicates(queries, same, first=3) == {}
    # A cosine of 0.9 leaves it to the wording.
    vectors = np.array([[1, 0], [0.9, np.sqrt(0.19)]], dtype=np.float32)
    assert near_duplicates(["What does a Gold card cost?", "What does the Gold card cost?"], vectors) == {}
    assert near_duplicates(["What does a Gold card cost now?", "What does a Gold card cost now"], vectors) == {1: 0}


def test_overlap_is_the_share_of_content_words() -> None:
    # gold, card, cost, month: the passage says card, Gold and "costs", not month.
    assert content_overlap("What does the Gold card cost a month?", TEXTS["gold"]) == pytest.approx(3 / 4)
    assert content_overlap("What is it?", TEXTS["gold"]) is None
    assert gives_away(case("Is the Gold card with travel insurance a good card?", "the Gold card"))
    assert not gives_away(GOOD)


def test_each_candidate_is_accepted_or_dropped_for_one_reason(index: CorpusIndex) -> None:
    candidates = {
        "accepted": GOOD,
        "near-duplicate": replace(GOOD, id="again", query="What does the Gold card cost per year"),
        "does not stand alone": case("According to the passage, what does the card cost?", "60 euros", "gold"),
        "no usable question": case("Cost?", "60 euros", "gold"),
        "names a passage that the corpus lacks": case("What does the Iron card cost?", "1 euro", "iron"),
        "does not find its passage": case("What does a safe at the branch in Lindau rent for?", "60 euros", "app"),
        "answer not in its passage": case("What does the Basic card cost each year?", "13 euros", "basic"),
        "a single passage is enough": case(
            "How long may a personal loan run?", "12 to 84 months", "loan", "savings", type="multi-hop"
        ),
        "the corpus may answer it": case("What does the Gold card cost?", None, type="unanswerable"),
        "options are not distinct": case(
            "How high is the liability for a stolen card?", "50 euros", "fraud", type="multiple choice",
            options=("50 euros", "50 Euros", "15 euros"),
        ),
        "too many with the same answer": case(
            "Is the rate of personal loans fixed for the whole term?", "Yes", "loan", type="yes/no",
            key_fact="The rate is fixed for the whole term.",
        ),
    }  # fmt: skip
    first = case(
        "Do customers under 27 pay no monthly account fee?", "Yes", "young", type="yes/no",
        key_fact="Customers under 27 pay no monthly account fee.",
    )  # fmt: skip
    selection = selected(index, first, *candidates.values())
    assert {dropped.reason: dropped.case.query for dropped in selection.dropped} == {
        reason: candidate.query for reason, candidate in candidates.items() if reason != "accepted"
    }
    assert [accepted.query for accepted in selection.accepted] == [first.query, GOOD.query]
    assert selection.examined == len(candidates) + 1
    assert sum(selection.reasons.values()) == len(candidates) - 1


def test_what_is_accepted_carries_its_overlap_wording_and_ranks(index: CorpusIndex) -> None:
    accepted = selected(index, GOOD).accepted[0]
    assert accepted.overlap == 0.8  # gold, card, cost and year are there, "per" is not
    assert accepted.dimensions["wording"] == "copied"
    assert accepted.metadata["round_trip"] == {"gold": {"words": 1, "meaning": 1}}


def test_an_answer_in_other_words_is_left_to_entailment(index: CorpusIndex) -> None:
    right, other = "After 24 months without any transaction it becomes dormant.", "The ombudsman closes it at death."
    fitting = case("When does an account become dormant?", right, "dormant")
    wrong = case("When is a dormant account closed?", other, "dormant")
    selection = selected(index, fitting, wrong)
    assert selection.accepted[0].query == fitting.query
    assert [dropped.detail for dropped in selection.dropped] == ["it does not follow from the passage"]


def test_an_unanswerable_query_shows_its_nearest_passages(index: CorpusIndex) -> None:
    asked = case("What does the Platinum card cost per year?", None, type="unanswerable")
    accepted = selected(index, asked).accepted[0]
    assert len(accepted.nearest) == 5
    assert "gold" in accepted.nearest[:2]


def test_existing_cases_are_not_repeated(index: CorpusIndex) -> None:
    assert selected(index, GOOD, existing=(GOOD,)).reasons == {"near-duplicate": 1}


def test_hostile_texts_are_examined_like_any(index: CorpusIndex) -> None:
    queries = [
        "\x00\x01 ?",
        "𝕬" * 3000,
        "ein zwei \ud800 drei",
        "a " * 79,
        "{}[]()*+?.\\^$ |",
        "<script>alert(1)</script>",
    ]
    selection = selected(index, *(case(query, "60 euros", "gold") for query in queries))
    assert selection.examined == len(queries)


def test_a_corpus_of_one_passage_can_be_searched() -> None:
    passage = CorpusPassage("gold", TEXTS["gold"], "handbook")
    alone = index_corpus([passage], encoder=load_encoder(), store=MemoryEmbeddings())
    assert selected(alone, GOOD).accepted
    blank = index_corpus([replace(passage, text=" ")], encoder=load_encoder(), store=MemoryEmbeddings())
    assert selected(blank, GOOD).reasons == {"answer not in its passage": 1}


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(HcatError, match="no passage"):
        index_corpus([], encoder=load_encoder(), store=MemoryEmbeddings())


@pytest.mark.parametrize(
    ("query", "heading", "lean"),
    [
        ("What is the most that can be loaded onto the card?", ("Cards", "Skiff Prepaid"), "the card"),
        ("How much is the fee?", ("Cards", "Harbour Credit: fees"), "the fee"),
        ("How much is the fee for Harbour Credit?", ("Cards", "Harbour Credit: fees"), None),
        ("How much is the annual fee of the credit card?", ("Cards", "Harbour Credit: fees"), None),
        ("If a card is stolen, who blocks the card?", ("Cards", "Lost and stolen cards"), None),
        ("How much is the fee?", (), None),
    ],
)
def test_a_thing_that_only_the_heading_names_is_no_query(
    query: str, heading: tuple[str, ...], lean: str | None
) -> None:
    assert named_by_heading_only(query, heading) == lean


def test_a_query_that_leans_on_its_heading_is_dropped() -> None:
    text = "The card can be loaded with up to 500 euros at any machine."
    passages = [
        CorpusPassage("skiff", text, "cards", heading=("Cards", "Skiff Prepaid"), end=len(text)),
        CorpusPassage("other", TEXTS["branch"], "cards", end=10),
    ]
    index = index_corpus(passages, encoder=load_encoder(), store=MemoryEmbeddings())
    leaning = case("With how much can the card be loaded?", "500 euros", "skiff", key_fact=text)
    alone = case("With how much can the Skiff Prepaid be loaded?", "500 euros", "skiff", key_fact=text)
    chosen = selected(index, leaning, alone)
    assert [one.query for one in chosen.accepted] == [alone.query]
    assert chosen.dropped[0].reason == "does not stand alone"
    assert "only the heading says which" in chosen.dropped[0].detail
