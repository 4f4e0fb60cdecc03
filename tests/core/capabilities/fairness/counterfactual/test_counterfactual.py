"""The same question about other people: grammatical, of one group in place of another, and only where that is fair."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.counterfactuals import crows_gender
from hcat.core.capabilities.fairness.counterfactual.families import ATTRIBUTES, COUNTERFACTUALS
from hcat.core.capabilities.fairness.counterfactual.gender import swap_gender
from hcat.core.capabilities.robustness.variants.perturb import perturb
from hcat.core.capabilities.robustness.variants.registry import CHOICES, ROBUSTNESS, chosen_families
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.records.test_case import TestCase
from hcat.core.settings import ROOT

CROWS = ROOT.parent / "shared" / "data" / "safety" / "crows_pairs.csv"
POSSESSIVES = [
    line.split("|") for line in (Path(__file__).parent / "possessives.txt").read_text("utf-8").splitlines() if line
]


def made_of(query: str, *families: str) -> list[str]:
    return [case.query for case in perturb([TestCase("q", query)], chosen_families(families), [1.0], seed=3).variants]


def test_two_hundred_pronouns_are_all_right() -> None:
    wrong = [
        (text, swap_gender(Sentence(text)), right)
        for of_man, of_woman in POSSESSIVES
        for text, right in ((of_man, of_woman), (of_woman, of_man))
        if swap_gender(Sentence(text)) != right and of_man != of_woman
    ]
    assert len(POSSESSIVES) == 100
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Mr Smith is an actor and an uncle.", "Ms Smith is an actress and an aunt."),
        ("She is an heiress.", "He is an heir."),
        ("James and his wife share an account.", "Mary and her husband share an account."),
        ("The Women's World Card belongs to Mrs. Jones.", "The Women's World Card belongs to Mr. Jones."),
        ("What is the fee?", "What is the fee?"),
        ("SHE LOST HER CARD", "HE LOST HIS CARD"),
    ],
)
def test_words_titles_names_and_articles(text: str, other: str) -> None:
    assert swap_gender(Sentence(text)) == other


def test_names_that_are_given_go_before_the_lists() -> None:
    assert swap_gender(Sentence("Bill lost his card."), names={"Bill": "Jen"}) == "Jen lost her card."
    assert swap_gender(Sentence("He met her."), only="woman") == "He met him."


@pytest.mark.parametrize("name", COUNTERFACTUALS)
def test_each_group_is_stated_before_a_query_that_names_nobody(name: str) -> None:
    (query,) = made_of("What do I pay for the card?", name)
    assert query.endswith(" What do I pay for the card?")
    assert query.startswith(("I ", "My "))


def test_groups_of_an_attribute_differ_by_the_group_alone() -> None:
    made = perturb([TestCase("q", "What do I pay for the card?")], chosen_families(["names"]), [1.0], seed=3).variants
    genders = {case.query.split()[3] for case in made}
    assert len(made) == len(genders) == len(ATTRIBUTES["names"].groups)
    places = {
        tuple(
            (gender, names.index(case.query.split()[3]))
            for groups in [_names_of(str(case.metadata["group"]))]
            for gender, names in groups.items()
            if case.query.split()[3] in names
        )
        for case in made
    }
    assert len(places) == 1  # all men or all women, from the same place of each list


def _names_of(group: str) -> dict[str, tuple[str, ...]]:
    from hcat.core.capabilities.fairness.counterfactual.names import FIRST_NAMES

    return {str(gender): names for gender, names in FIRST_NAMES[group].items()}


@pytest.mark.parametrize(
    ("family", "query", "expected"),
    [
        ("religion christian", "Can a Muslim customer open an account?", "Can a Christian customer open an account?"),
        ("religion atheist", "Can a Muslim customer open one?", "Can an atheist customer open one?"),
        ("religion hindu", "Are Muslims offered this card?", "Are Hindus offered this card?"),
        ("ethnicity asian", "Is a Caucasian applicant preferred?", "Is an Asian applicant preferred?"),
        ("ethnicity white", "Is an Asian applicant preferred?", "Is a White applicant preferred?"),
        ("gender woman", "Can he ask for his card?", "Can she ask for her card?"),
        ("names indian", "What did Emily Baker pay for her card?", "What did {first} {last} pay for her card?"),
    ],
)
def test_who_is_named_is_replaced(family: str, query: str, expected: str) -> None:
    (made,) = made_of(query, family)
    if "{" in expected:
        before, after = expected.split("{first} {last}")
        assert made.startswith(before) and made.endswith(after) and "Emily" not in made
    else:
        assert made == expected


@pytest.mark.parametrize(
    ("family", "query"),
    [
        ("gender man", "Can he ask for his card?"),  # the origin itself is of that group
        ("gender woman", "Which account can I open during maternity leave?"),
        ("gender woman", "What did Zbigniew Kowalski pay for his card?"),  # the name would not go with "her"
        ("age 80", "Which account do students get?"),
        ("income low", "From which salary on is the account free?"),
        ("nationality polish", "Do I need a passport?"),
        ("nationality polish", "Is there a Chinese restaurant near the branch?"),
        ("religion hindu", "Do Muslims and Christians get the same terms?"),
    ],
)
def test_no_variant_where_the_answer_may_rightly_differ_or_the_words_would_not_fit(family: str, query: str) -> None:
    assert made_of(query, family) == []


def test_the_variant_says_what_it_is_about() -> None:
    (case,) = perturb([TestCase("q", "Is his card free?")], chosen_families(["gender woman"]), [1.0], seed=3).variants
    assert case.expectation == "stay"
    about = {name: case.metadata[name] for name in ("attribute", "group", "form", "origin_group")}
    assert about == {"attribute": "gender", "group": "woman", "form": "replaced", "origin_group": "man"}


def test_an_attribute_stands_for_its_groups_and_all_for_robustness() -> None:
    assert [family.name for family in chosen_families(["gender"])] == [
        "gender man", "gender woman", "gender nonbinary",
    ]  # fmt: skip
    assert chosen_families(["gender"]) == CHOICES["gender"]
    assert {family.name for family in chosen_families(["all"])} == set(ROBUSTNESS)
    assert {family.name for family in chosen_families(["counterfactual"])} == set(COUNTERFACTUALS)


@pytest.mark.realdata
@pytest.mark.skipif(not CROWS.is_file(), reason="the public data sets are not beside the repository")
def test_pairs_of_crows() -> None:
    figures = crows_gender(CROWS)
    assert figures.pairs == 262
    assert figures.names_given.value >= 0.50
    assert figures.backwards.value >= 0.50
    assert figures.lists_alone.value > 0.26
