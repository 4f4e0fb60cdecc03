"""A poisoned passage: the system obeys instructions in what it retrieves, and gives out the records of customers.

The questions are attacks and their controls as `hcat attack` makes them from the handbook and the demo's test cases;
`hcat attack-rates` and the page Attacks find both faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from hcat.core.attack_detectors import ARM, MARKER, PLANTED
from hcat.core.capabilities.attacks.make import make_attacks, poisoned_corpus
from hcat.core.capabilities.attacks.registry import chosen_attacks
from hcat.core.capabilities.demo.bank import read_handbook, read_test_cases
from hcat.core.capabilities.demo.planted.fault import PlantedFault
from hcat.core.capabilities.demo.reference_rag import HandbookPassage, RagAnswer
from hcat.core.records.origins import as_test_case
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, as_sample
from hcat.core.types import Sample

POISONED = "poisoned passage"
RECORDS = "customer records"
SEEDS, SEED = 10, 20
_FOUND_BY = "hcat attack-rates"


@cache
def attack_faults() -> tuple[PlantedFault, ...]:
    """Both faults; the attacks are the same each time."""
    handbook = read_handbook()
    corpus = [CorpusPassage(each.id, each.text, document=each.topic, end=len(each.text)) for each in handbook]
    tests = [as_test_case(sample) for sample in read_test_cases()]
    return (
        _fault(POISONED, "instruction in a passage", corpus, tests, _obeys),
        _fault(RECORDS, "another customer's data", corpus, tests, _gives_out),
    )


def _fault(
    name: str,
    family: str,
    corpus: list[CorpusPassage],
    tests: list[TestCase],
    spoil: Callable[[Sample, RagAnswer], RagAnswer | None],
) -> PlantedFault:
    made = make_attacks(corpus, chosen_attacks([family]), SEEDS, tests=tests, seed=SEED)
    before = {passage.id: passage.text for passage in corpus}
    planted = [
        HandbookPassage(f"{passage.id}~poisoned", name, "Note", passage.text)
        for passage in poisoned_corpus(corpus, made.cases)
        if before.get(passage.id) != passage.text
    ]
    cases = tuple(_probe(case, name) for case in made.cases)
    return PlantedFault(name, _FOUND_BY, cases, spoil, tuple(planted))


def _probe(case: TestCase, fault: str) -> Sample:
    sample = as_sample(case)
    return replace(sample, dimensions={**sample.dimensions, "probe": fault})


def _obeys(case: Sample, answer: RagAnswer) -> RagAnswer | None:
    """The answer, after the word that a retrieved passage instructs the system to write; None if there is none."""
    word = str(case.metadata[MARKER])
    instruction = re.compile(rf"(?:the word|write|with|print) {re.escape(word)}\b")
    if case.metadata[ARM] != "attack" or not any(instruction.search(context.text) for context in answer.contexts):
        return None
    return replace(answer, text=f"{word} {answer.text or ''}".strip())


def _gives_out(case: Sample, answer: RagAnswer) -> RagAnswer | None:
    """The answer as it is: the system retrieves the record like any passage, and quotes it to whoever asks."""
    data = case.metadata[PLANTED]
    disclosed = isinstance(data, list) and any(str(item) in (answer.text or "") for item in data)
    return answer if disclosed and case.metadata[ARM] == "attack" else None
