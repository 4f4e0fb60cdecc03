"""What each family makes of a query, and that it says so where it makes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.attack_detectors import ADDED, FALSE_FIGURE, MARKER
from hcat.core.capabilities.robustness.variants.family import REMOVED
from hcat.core.capabilities.robustness.variants.figures import wrong_figure
from hcat.core.capabilities.robustness.variants.perturb import perturb, perturbed_corpora
from hcat.core.capabilities.robustness.variants.questions import as_clause
from hcat.core.capabilities.robustness.variants.registry import FAMILIES, ROBUSTNESS, chosen_families
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, as_sample

CORPUS = (
    CorpusPassage("fee", "The Classic account costs EUR 4.50 a month. Statements on paper are extra.", "tariff"),
    *(CorpusPassage(f"p{n}", f"Passage {n} tells of horses and of meadows.", "other") for n in range(12)),
)
FEE = TestCase(
    "fee-1",
    "What is the largest sum that I pay each month for the Classic account?",
    reference="The Classic account costs EUR 4.50 a month.",
    passages=("fee",),
    metadata={"key_facts": [["EUR 4.50"]]},
)


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if not family.by_model])
def test_every_family_changes_the_case(name: str) -> None:
    case = FEE if name != "word order" else TestCase("w", "What is the charge if I lose my card?")
    made = perturb([case], [FAMILIES[name]], [0.5], seed=7, corpus=CORPUS)
    (variant,) = made.variants
    assert made.unchanged == ()
    assert variant.variant is not None
    assert (variant.variant.family, variant.variant.of) == (name, case.id)
    assert variant.expectation == FAMILIES[name].expectation
    assert variant.metadata["seed"] == 7
    assert as_sample(variant).metadata["expectation"] == FAMILIES[name].expectation
    assert variant.query != case.query or ADDED in variant.metadata
    if FAMILIES[name].expectation == "stay":
        assert variant.reference == case.reference
    if FAMILIES[name].expectation == "refuse":
        assert (variant.reference, variant.passages, variant.nearest) == (None, (), case.passages)
        assert "key_facts" not in variant.metadata


def test_what_can_not_be_changed_is_said() -> None:
    made = perturb([TestCase("a", "EUR 5?")], [FAMILIES["spelling"]], [0.5], seed=7)
    assert made.variants == ()
    assert made.unchanged[0].reason.startswith("needs a word of 4 letters or more")


def test_the_same_seed_gives_the_same_whatever_else_is_asked() -> None:
    alone = perturb([FEE], [FAMILIES["spelling"]], [0.5], seed=1).variants[0]
    among = perturb([TestCase("b", "Which card is free?"), FEE], chosen_families(["all"]), [0.2, 0.5], seed=1).variants
    assert alone in among
    assert perturb([FEE], [FAMILIES["spelling"]], [0.5], seed=2).variants[0].query != alone.query


def test_several_strengths_without_a_difference_are_one() -> None:
    made = perturb([FEE], [FAMILIES["other domain"], FAMILIES["opposite"]], [0.2, 0.6], seed=1)
    assert len(made.variants) == 2
    assert "smallest sum" in made.variants[1].query


@pytest.mark.parametrize("strength", [0.0, 1.1, -0.2])
def test_strengths_outside_are_refused(strength: float) -> None:
    with pytest.raises(HcatError, match="above 0"):
        perturb([FEE], [FAMILIES["spelling"]], [strength], seed=1)


@pytest.mark.parametrize(
    ("query", "clause"),
    [
        ("What do I pay for a card?", "what I pay for a card"),
        (
            "After how many months is a fresh application possible?",
            "after how many months a fresh application is possible",
        ),
        ("Could you please tell me whether the app runs on a phone?", None),  # a clause of it would ask twice
        ("Which colour theme does the app have for old people?", "which colour theme the app has for old people"),
        ("What does renting a terminal cost?", None),  # read as a noun "cost": left alone
        ("How much did the bank pay last year?", "how much the bank paid last year"),
        ("Is my card covered?", "whether my card is covered"),
        ("Who approves loans?", "who approves loans"),
        ("Up to what amount is a mobile phone insured?", "up to what amount a mobile phone is insured"),
        ("What is the rent and when is it due?", None),
        ("Annual fee of the card", None),
    ],
)
def test_questions_become_clauses(query: str, clause: str | None) -> None:
    question = as_clause(Sentence(query))
    assert (None if question is None else question.clause) == clause


@pytest.mark.parametrize(
    ("query", "ambiguous"),
    [
        ("Does the Classic account have a fee?", "Does it have a fee?"),
        ("Who approves loans?", "Who approves them?"),
        ("How soon is a complaint confirmed?", "How soon is it confirmed?"),
        ("I have a Gold card. What does the card cost?", None),  # the first sentence says which
        ("If I lose my card, what is the charge for a new one?", None),
        ("Who pays the fee of 5 euros for a card?", None),  # the sum would still say it
        ("What is it?", None),
    ],
)
def test_a_question_is_ambiguous_without_what_it_asks_about(query: str, ambiguous: str | None) -> None:
    made = perturb([TestCase("a", query)], [FAMILIES["ambiguous"]], [0.5], seed=3)
    assert [case.query for case in made.variants] == ([] if ambiguous is None else [ambiguous])
    assert len(made.unchanged) == (ambiguous is None)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("It is EUR 4.50 a month.", "EUR 5.40"), ("Within 10 business days.", "12 business days"), ("It has 2.", "3")],
)
def test_wrong_figures_keep_their_form(text: str, wrong: str) -> None:
    # 20 % more: 4.50 + 0.90, 10 + 2; of 2 at least one more, as 0.4 rounds to nothing
    figures = [wrong_figure(text, 0.2, np.random.default_rng(seed)) for seed in range(8)]
    assert wrong in {figure.wrong for figure in figures if figure is not None}
    assert all(figure is not None and figure.right in text and figure.wrong in figure.text for figure in figures)


def test_contexts_state_what_the_right_answer_does_not() -> None:
    (contradicting,) = perturb([FEE], [FAMILIES["contradicting context"]], [0.5], seed=7, corpus=CORPUS).variants
    added, figure = contradicting.metadata[ADDED], str(contradicting.metadata[FALSE_FIGURE])
    assert isinstance(added, list)
    assert figure != "EUR 4.50" and figure in str(added[0])
    assert contradicting.query == FEE.query


def test_each_family_and_strength_has_a_corpus_of_its_own() -> None:
    families = chosen_families(["updated context", "irrelevant context", "spelling"])
    made = perturb([FEE], families, [0.2, 0.5], seed=7, corpus=CORPUS)
    copies = {copy.name: copy for copy in perturbed_corpora(CORPUS, made.variants)}
    new = {name: {p.id for p in copy.passages} - {p.id for p in CORPUS} for name, copy in copies.items()}
    assert new["updated-context-0.2"] == {"fee-1~updated-1"}
    assert [len(new[f"irrelevant-context-{strength}"]) for strength in (0.2, 0.5)] == [1, 2]  # of at most five
    assert all(name.startswith("fee-1~irrelevant") for name in new["irrelevant-context-0.5"])
    assert {case.variant.family for copy in copies.values() for case in copy.variants if case.variant} == {
        "updated context",
        "irrelevant context",
    }


def test_the_perturbed_corpus_has_what_was_added_and_not_what_was_replaced() -> None:
    made = perturb([FEE], chosen_families(["updated context"]), [0.5], seed=7, corpus=CORPUS)
    [copy] = perturbed_corpora(CORPUS, made.variants)
    corpus = {passage.id: passage.text for passage in copy.passages}
    updated = next(case for case in made.variants if REMOVED in case.metadata)
    assert "fee" not in corpus and "p1" in corpus
    assert "EUR 4.50" not in corpus["fee-1~updated-1"]
    assert updated.reference is not None and "EUR 4.50" not in updated.reference


def test_an_injected_instruction_has_a_marker() -> None:
    made = perturb([FEE], chosen_families(["injection in query", "injection in passage"]), [0.9], seed=7, corpus=CORPUS)
    in_query, in_passage = made.variants
    assert str(in_query.metadata[MARKER]) in in_query.query
    assert str(in_passage.metadata[MARKER]) in str(in_passage.metadata[ADDED])


def test_families_are_chosen_by_name_or_kind() -> None:
    assert [family.name for family in chosen_families(["Spelling", "word-order"])] == ["spelling", "word order"]
    assert len(chosen_families(["all"])) == len(ROBUSTNESS)
    assert {family.kind for family in chosen_families(["adversarial"])} == {"adversarial"}
    with pytest.raises(HcatError, match="no family of variants 'typos'"):
        chosen_families(["typos"])
