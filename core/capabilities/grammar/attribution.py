"""Attribution of wrong answers to modules, by comparing retrieved documents within a semantic group.

The source blames the language model whenever a right answer of the group had the same documents. But a right answer
that its documents do not state was not derived from them and is no evidence about them. Here, only right answers whose
retrieved texts state the truth count as evidence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Bools
from hcat.core.capabilities.grammar.answers import GroupedAnswers

Module = Literal["language_model", "retrieval", "undecided"]


@dataclass(frozen=True, slots=True)
class Attribution:
    """Numbers of wrong answers of non-robust groups, by module."""

    language_model: int
    retrieval: int
    undecided: int

    @property
    def total(self) -> int:
        return self.language_model + self.retrieval + self.undecided


def attribute(answers: GroupedAnswers, competent: Bools) -> Attribution:
    """The counts of `modules`."""
    named = [module for module in modules(answers, competent) if module is not None]
    return Attribution(named.count("language_model"), named.count("retrieval"), named.count("undecided"))


def modules(answers: GroupedAnswers, competent: Bools) -> tuple[Module | None, ...]:
    """The module to which each answer (n,) is attributed; None for right answers, and in gap groups, which lack
    knowledge.

    The language model, if a witness (a supported right answer of the group) had the same documents. Retrieval, if there
    is a witness with other documents and the retrieved texts don't state the truth. Undecided otherwise."""
    witnesses: dict[str, set[frozenset[str]]] = defaultdict(set)
    for place in np.flatnonzero(answers.right & (answers.supported == 1)):
        witnesses[str(answers.group[place])].add(answers.documents[place])
    return tuple(
        _module(answers, place, witnesses[str(answers.group[place])])
        if competent[place] and not answers.right[place]
        else None
        for place in range(len(answers.right))
    )


def _module(answers: GroupedAnswers, place: int, witnesses: set[frozenset[str]]) -> Module:
    if answers.documents[place] and answers.documents[place] in witnesses:
        return "language_model"
    if witnesses and answers.supported[place] == 0:
        return "retrieval"
    return "undecided"
