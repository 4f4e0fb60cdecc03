"""Claims by rule, verified by entailment: sentences or clauses, compared with the premises most similar to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.claims.claim import Claim
from core.claims.split import clauses, statement
from core.claims.task import ClaimTask
from core.claims.verdict import Verdict
from core.models.nli.entailment import EntailmentModel
from core.models.nli.premises import Premise, Support, supports, top_premises
from core.text import Sentence
from core.types import JsonValue


@dataclass(frozen=True, slots=True)
class _ClaimPremises:
    """A claim of a task and the premises that it is compared with, which are sentences of the evidence."""

    claim: Sentence
    premises: tuple[Premise, ...]


@dataclass(frozen=True, eq=False)
class EntailmentClaimVerifier:
    """A claim is supported where D > 0 for the best of its premises.

    The tasks' samples must have rows of both parts: a clause is compared with the premises of its sentence.
    """

    model: EntailmentModel

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def revision(self) -> str:
        return self.model.revision

    @property
    def parameters(self) -> Mapping[str, JsonValue]:
        """None: the weights determine everything."""
        return {}

    def verify(self, tasks: Sequence[ClaimTask]) -> tuple[tuple[Verdict, ...], ...]:
        """The verdicts on each task's claims; all distinct pairs of premise and claim go into one call."""
        asked = [_asked(task) for task in tasks]
        pairs = [pair for some in asked for pair in some]
        supports_in_order = iter(
            supports(self.model, [pair.claim.text for pair in pairs], [pair.premises for pair in pairs])
        )
        return tuple(
            tuple(_verdict(task, pair.claim, next(supports_in_order)) for pair in some)
            for task, some in zip(tasks, asked, strict=True)
        )


def evidence_sentences(task: ClaimTask) -> tuple[int, ...]:
    """The positions, in the evidence's part, of the sentences that count: those of one passage, or all."""
    placed, passage = task.sample.parts[task.check.against], task.check.passage
    return tuple(place for place, sentence in enumerate(placed) if passage is None or sentence.rank == passage)


def _asked(task: ClaimTask) -> list[_ClaimPremises]:
    places = evidence_sentences(task)
    evidence = task.sample.parts[task.check.against]
    texts = [evidence[place].sentence.text for place in places]
    claiming = task.sample.parts[task.check.part]
    similarity = _similarity(task, places) if texts and claiming else None
    asked: list[_ClaimPremises] = []
    for row, placed in enumerate(claiming):
        premises = () if similarity is None else top_premises(texts, similarity[row])
        parts = clauses(placed.sentence) if task.check.unit == "claim" else (statement(placed.sentence),)
        asked += [_ClaimPremises(claim, premises) for claim in parts]
    return asked


def _similarity(task: ClaimTask, places: Sequence[int]) -> NDArray[np.float64]:
    return task.sample.similarity(task.check.part, task.check.against)[:, list(places)]


def _verdict(task: ClaimTask, claim: Sentence, support: Support | None) -> Verdict:
    stated = Claim(claim.text, claim.start, claim.end)
    if support is None:
        return Verdict(stated, False, reason="the context is blank")
    places = evidence_sentences(task)
    used = tuple(places[index] for index in support.premise.sentences)
    passages = {task.sample.parts[task.check.against][place].passage for place in used}
    return Verdict(
        stated,
        support.entailed,
        score=support.score,
        D=support.D,
        premise=support.premise.text,
        passage=passages.pop() if len(passages) == 1 else None,
        sentences=used,
    )
