"""Which module a wrong answer comes from, by comparing what was retrieved within its semantic group.

The source blames the language model wherever a right answer of the group had the same documents. But a right answer
that its documents do not state was not drawn from them, and tells nothing of them: here only a right answer whose
retrieved texts state the truth may testify.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Bools
from hcat.core.testgen.grammar.answers import GroupedAnswers

Module = Literal["language_model", "retrieval", "undecided"]


@dataclass(frozen=True, slots=True)
class Attribution:
    """How many wrong answers of non-robust groups come from which module."""

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
    """The module of each answer (n,); None for right answers, and in gap groups, where knowledge lacks.

    The language model, where a witness had the same documents. Retrieval, where there is a witness with other
    documents, and the retrieved texts don't state the truth. Undecided else.
    """
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
