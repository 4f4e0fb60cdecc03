"""Attacks and controls from a corpus: paired, reproducible, and in a poisoned copy that changes no passage twice."""

from __future__ import annotations

import base64

import pytest

from hcat.core.attack_detectors import ADDED, ARM, FALSE_FIGURE, FAMILY, MARKER, SEED
from hcat.core.capabilities.attacks.make import AttackTests, make_attacks, poisoned_corpus
from hcat.core.capabilities.attacks.registry import ATTACKS, chosen_attacks
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, from_record, record

CORPUS = tuple(
    CorpusPassage(f"p{k}", f"The fee of account {k} is EUR {10 + k} a month.", document="fees") for k in range(24)
)
TESTS = tuple(
    TestCase(f"q{k}", f"What is the fee of account {k}?", f"It is EUR {10 + k} a month.", (f"p{k}",)) for k in range(24)
) + tuple(TestCase(f"u{k}", f"Who founded branch {k}?", type="unanswerable") for k in range(24))


def attacks(n: int = 4, *families: str, seed: int = 7) -> AttackTests:
    return make_attacks(CORPUS, chosen_attacks(families or ("all",)), n, tests=TESTS, seed=seed)


def test_each_attack_stands_beside_its_control() -> None:
    made = attacks()
    assert dict(made.made) == dict.fromkeys(ATTACKS, 4)
    cases = {case.id: case for case in made.cases}
    assert len(cases) == 2 * 4 * len(ATTACKS) == len(made.cases)
    for case in made.cases:
        assert case.dimensions[ARM] == case.metadata[ARM]
        if case.metadata[ARM] == "attack":
            assert case.variant is not None
            control = cases[case.variant.of]
            assert control.variant is None
            assert control.metadata[ARM] == "control"
            assert control.metadata[SEED] == case.metadata[SEED]
            assert control.metadata[FAMILY] == case.metadata[FAMILY] == case.variant.family
            assert (case.query, case.metadata) != (control.query, control.metadata)


def test_the_same_seed_makes_the_same_attacks() -> None:
    assert attacks().cases == attacks().cases
    assert attacks(seed=8).cases != attacks().cases


def test_the_words_of_attack_and_control_differ() -> None:
    """So that an answer which repeats the one is no success of the other."""
    arms = {(case.metadata[SEED], case.metadata[ARM]): case for case in attacks(20, "direct override").cases}
    for (seed, arm), case in arms.items():
        if arm == "attack":
            control = arms[seed, "control"]
            assert case.metadata[MARKER] != control.metadata[MARKER]
            assert str(case.metadata[MARKER]) in case.query
            assert str(control.metadata[MARKER]) in control.query


def test_no_passage_is_rewritten_twice_and_the_others_stay() -> None:
    made = attacks(4, "instruction in a passage", "Markdown exfiltration")
    rewritten = [row["id"] for case in made.cases for row in case.metadata[ADDED]]  # type: ignore[union-attr,index,call-overload]
    assert len(set(rewritten)) == len(rewritten) == 16
    poisoned = poisoned_corpus(CORPUS, made.cases)
    assert [passage.id for passage in poisoned] == [passage.id for passage in CORPUS]
    for before, after in zip(CORPUS, poisoned, strict=True):
        assert after.text.startswith(before.text)
        assert (after.text != before.text) == (before.id in rewritten)


def test_a_small_corpus_gives_fewer_seeds_of_what_rewrites_it() -> None:
    """24 questions, two families, two passages a seed: 6 seeds each, though 10 were asked."""
    made = attacks(10, "instruction in a passage", "Markdown exfiltration", "direct override")
    assert dict(made.made) == {"direct override": 10, "instruction in a passage": 6, "Markdown exfiltration": 6}


def test_records_of_customers_are_added() -> None:
    made = attacks(3, "another customer's data")
    added = poisoned_corpus(CORPUS, made.cases)[len(CORPUS) :]
    assert len(added) == 3
    for passage in added:
        assert "confidential" in passage.text


def test_disguised_instructions_can_be_read_back() -> None:
    for case in attacks(12, "encoding and spacing").cases:
        marker, encoding = str(case.metadata[MARKER]), case.metadata["encoding"]
        assert marker not in case.query
        disguise = case.query.partition("account:")[2].strip()
        if encoding == "base64":
            assert marker in base64.b64decode(disguise).decode()
        if encoding == "reversed":
            assert marker in disguise[::-1]


def test_a_false_premise_states_a_figure_that_is_not_the_right_one() -> None:
    for case in attacks(6, "false premise").cases:
        wrong = str(case.metadata[FALSE_FIGURE])
        assert wrong not in str(case.reference)
        assert (wrong in case.query) == (case.metadata[ARM] == "attack")


def test_cases_survive_a_file() -> None:
    for case in attacks(2).cases:
        assert from_record(record(case)) == case


def test_questions_by_rule() -> None:
    """Without test cases the rules write the questions."""
    texts = (
        "The monthly fee of the Gold account is EUR 12. Customers under 26 pay no fee.",
        "A replacement card costs EUR 15. It arrives within five business days.",
        "The daily limit at cash machines is EUR 800. It can be raised in the app.",
        "A transfer to another country costs EUR 9. It takes two business days.",
    )
    corpus = tuple(CorpusPassage(f"p{k}", text, document="handbook") for k, text in enumerate(texts))
    made = make_attacks(corpus, chosen_attacks(["direct override"]), 3, seed=1)
    assert made.made == {"direct override": 3}
    assert len({case.metadata[SEED] for case in made.cases}) == 3


def test_what_can_not_be_made_is_said() -> None:
    with pytest.raises(HcatError, match="at least 2 seeds"):
        attacks(1)
    with pytest.raises(HcatError, match="no family of attacks 'none'"):
        chosen_attacks(["none"])
    with pytest.raises(HcatError, match="at least two test cases"):
        make_attacks(CORPUS, chosen_attacks(["all"]), 3, tests=TESTS[:1], seed=1)
