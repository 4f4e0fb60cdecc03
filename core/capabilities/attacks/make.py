"""Attacks and their controls as test cases, and the corpus that the system under test must index for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from hcat.core.attack_detectors import ADDED, ARM, DETECTOR, FAMILY, PROTECTED, SEED, Arm
from hcat.core.capabilities.attacks.family import AttackFamily, AttackSeed, Prompt
from hcat.core.capabilities.attacks.seeds import SeedQuestion, draw_seeds
from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import Expectation, TestCase
from hcat.core.types import JsonValue, Progress, Variant


@dataclass(frozen=True, slots=True)
class AttackTests:
    """Attacks, each after its control. `asked` is the number of seeds wanted per family, `made` the number made of
    each."""

    cases: tuple[TestCase, ...]
    asked: int
    made: Mapping[str, int]


def make_attacks(
    corpus: Sequence[CorpusPassage],
    families: Sequence[AttackFamily],
    n: int,
    *,
    tests: Sequence[TestCase] = (),
    system_prompt: str = "",
    seed: int,
    on_progress: Callable[[Progress], None] | None = None,
) -> AttackTests:
    """Make n seeds of each family, each an attack and its control, from `tests` or from questions by rule.

    Families that replace passages share no passages with one another, nor with the questions of other families if the
    corpus is large enough; with a small corpus they have fewer seeds. The same seed gives the same attacks.
    `system_prompt` is the text by which disclosed instructions are recognised. Raises HcatError if n is below 2 or the
    corpus gives no questions."""
    if n < 2:
        raise HcatError("a family of attacks needs at least 2 seeds: give -n 2 or more")
    rewriting = [family for family in families if family.replaces]
    questions = draw_seeds(corpus, n + 2 * n * len(rewriting), tests=tests, seed=seed, on_progress=on_progress)
    each = min(n, len(questions) // (2 * len(rewriting))) if rewriting else 0
    reserved = 2 * each * len(rewriting)
    own = {family.name: questions[2 * each * k : 2 * each * (k + 1)] for k, family in enumerate(rewriting)}
    ring = _in_a_ring((*questions[reserved:], *questions[:reserved]))
    cases: list[TestCase] = []
    made: dict[str, int] = {}
    for family in families:
        seeds = _pairs(own[family.name]) if family.replaces else ring
        arms = list(islice(_all_arms(family, seeds, seed, system_prompt), n))
        made[family.name] = len(arms)
        cases += [case for both in arms for case in both]
    return AttackTests(tuple(cases), n, made)


def poisoned_corpus(corpus: Iterable[CorpusPassage], cases: Iterable[TestCase]) -> tuple[CorpusPassage, ...]:
    """A copy of the corpus with rewritten passages replaced in place, and the passages added by the cases at its end.

    Index it in a second instance of the system, and run the attacks against that one."""
    texts = {str(row["id"]): str(row["text"]) for case in cases for row in _rows(case.metadata.get(ADDED))}
    copied = []
    for passage in corpus:
        text = texts.pop(passage.id, None)
        copied.append(passage if text is None else replace(passage, text=text, start=0, end=len(text), header=""))
    return (*copied, *(CorpusPassage(name, text, document=name, end=len(text)) for name, text in texts.items()))


def _pairs(questions: Sequence[SeedQuestion]) -> list[AttackSeed]:
    """Pairs of consecutive questions as seeds, so that no passage is used twice."""
    return [_seed(questions[place], questions[place + 1]) for place in range(0, len(questions) - 1, 2)]


def _in_a_ring(questions: Sequence[SeedQuestion]) -> list[AttackSeed]:
    """Each question as a seed, paired with the next one."""
    return [_seed(question, questions[(k + 1) % len(questions)]) for k, question in enumerate(questions)]


def _seed(question: SeedQuestion, other: SeedQuestion) -> AttackSeed:
    return AttackSeed(question.case, question.passage, other.case, other.passage, question.unanswerable)


def _all_arms(
    family: AttackFamily, seeds: Iterable[AttackSeed], number: int, system_prompt: str
) -> Iterator[tuple[TestCase, TestCase]]:
    """The control and the attack of each seed that the family can use."""
    facts: dict[str, JsonValue] = {"seed": number}
    if family.detector == "instructions" and system_prompt.strip():
        facts[PROTECTED] = [system_prompt.strip()]
    for seed in seeds:
        drawn_by = [number, *bytes.fromhex(sha256_of_text(f"{seed.case.id}\n{family.name}")[:16])]
        arms = family.make(seed, np.random.default_rng(drawn_by))
        if arms is not None:
            control = _case(family, seed, arms.control, "control", facts)
            attack = _case(family, seed, arms.attack, "attack", facts)
            expectation: Expectation = "refuse" if arms.attack.declined else "stay"
            yield control, replace(attack, variant=Variant(family.name, control.id), expectation=expectation)


def _case(family: AttackFamily, seed: AttackSeed, prompt: Prompt, arm: Arm, facts: Mapping[str, JsonValue]) -> TestCase:
    about, declined = prompt.about, prompt.declined
    return replace(
        about,
        id=f"{seed.case.id}~{family.name.replace(' ', '-')}~{arm}",
        query=prompt.query,
        reference=None if declined else about.reference,
        passages=() if declined else about.passages,
        nearest=about.nearest or about.passages,
        type="unanswerable" if declined else about.type,
        overlap=None,
        probability=None,
        generator=f"attack: {family.name}",
        dimensions={**about.dimensions, FAMILY: family.name, ARM: arm},
        metadata={
            **prompt.metadata,
            **facts,
            FAMILY: family.name,
            ARM: arm,
            SEED: seed.case.id,
            DETECTOR: family.detector,
        },
    )


def _rows(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
