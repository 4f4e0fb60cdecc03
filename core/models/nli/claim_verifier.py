"""Claims by rule, verified by entailment: sentences, or clauses and their facts, each with premises of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.claim import Claim
from hcat.core.claims.facts import facts
from hcat.core.claims.query import SCOPED, Hypothesis, stated, without_scope
from hcat.core.claims.split import clauses, statement
from hcat.core.claims.task import ClaimTask
from hcat.core.claims.verbatim import VERBATIM_D, verbatim_place
from hcat.core.claims.verdict import Verdict
from hcat.core.models.nli.entailment import EntailmentModel
from hcat.core.models.nli.geometry import boundary_score
from hcat.core.models.nli.premises import (
    PREMISE_PIECES,
    READING,
    SPECIAL_PIECES,
    Comparison,
    Evidence,
    Support,
    premises_for,
    supports,
)
from hcat.core.text import Sentence, estimated_pieces
from hcat.core.types import JsonValue


@dataclass(frozen=True, eq=False)
class _TaskEvidence:
    """The evidence for a task's claims: sentences by their positions in the evidence's part, and their texts.

    `similarity` (claiming sentences, sentences of the evidence)."""

    task: ClaimTask
    places: tuple[int, ...]
    texts: tuple[str, ...]
    passages: tuple[int, ...]
    similarity: NDArray[np.float64]


@dataclass(frozen=True)
class _Question:
    """A claim or fact to verify: the text compared with the evidence, and the row of its sentence."""

    evidence: _TaskEvidence
    row: int
    claim: Claim
    hypothesis: Hypothesis | None = None

    @property
    def text(self) -> str:
        return self.claim.text if self.hypothesis is None else self.hypothesis.text


@dataclass(frozen=True, eq=False)
class EntailmentClaimVerifier:
    """A claim is supported if D > 0 for the best of its premises, or for each of its facts with premises of its own.

    A claim that is verbatim in the evidence is not compared. The tasks' samples must have rows of both parts: a clause
    and a fact have the similarity of their sentence."""

    model: EntailmentModel

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def revision(self) -> str:
        return self.model.revision

    @property
    def parameters(self) -> Mapping[str, JsonValue]:
        """The parameters for reading evidence; the weights determine everything else."""
        return READING

    def verify(self, tasks: Sequence[ClaimTask]) -> tuple[tuple[Verdict, ...], ...]:
        """The verdicts on each task's claims.

        All distinct pairs of premise and claim are in one call, and those of the facts of unsupported claims in a
        second one."""
        questions = [_questions(task) for task in tasks]
        flat = [question for asked in questions for question in asked]
        wholes = self._answers(flat)
        split = {place: _facts(flat[place]) for place, whole in enumerate(wholes) if whole.supported is False}
        of_facts = iter(self._answers([fact for several in split.values() for fact in several]))
        for place, several in split.items():
            wholes[place] = _in_parts(wholes[place], tuple(next(of_facts) for _ in several))
        verdicts = iter(wholes)
        return tuple(tuple(next(verdicts) for _ in asked) for asked in questions)

    def _answers(self, questions: Sequence[_Question]) -> list[Verdict]:
        plain = [_without_model(question) for question in questions]
        open_ = [question for question, verdict in zip(questions, plain, strict=True) if verdict is None]
        compared = iter(supports(self.model, [self._comparisons(question) for question in open_]) if open_ else ())
        return [
            _verdict(question, next(compared)) if verdict is None else verdict
            for question, verdict in zip(questions, plain, strict=True)
        ]

    def _comparisons(self, question: _Question) -> list[Comparison]:
        source = question.evidence
        evidence = Evidence(source.texts, source.passages, source.similarity[question.row])
        room = self.model.pieces - SPECIAL_PIECES - estimated_pieces(question.text)
        query = source.task.sample.sample.query
        return [
            Comparison(premise, without_scope(query, question.text, premise.text) or question.text)
            for premise in premises_for(evidence, question.text, pieces=min(PREMISE_PIECES, room))
        ]


def evidence_places(task: ClaimTask) -> tuple[int, ...]:
    """The positions, in the evidence's part, of the relevant sentences: those of one passage, or all."""
    placed, passage = task.sample.parts[task.check.against], task.check.passage
    return tuple(place for place, sentence in enumerate(placed) if passage is None or sentence.rank == passage)


def _questions(task: ClaimTask) -> list[_Question]:
    evidence, query = _evidence(task), task.sample.sample.query
    asked: list[_Question] = []
    for row, placed in enumerate(task.sample.parts[task.check.part]):
        parts = clauses(placed.sentence) if task.check.unit == "claim" else (statement(placed.sentence),)
        asked += [_Question(evidence, row, _claim(part), stated(query, part.text)) for part in parts]
    return asked


def _evidence(task: ClaimTask) -> _TaskEvidence:
    placed, places = task.sample.parts[task.check.against], evidence_places(task)
    texts = [placed[place].sentence.text for place in places]
    if task.check.against != "contexts":
        texts = [_as_stated(task.sample.sample.query, text) for text in texts]
    claiming = bool(places and task.sample.parts[task.check.part])
    similarity = task.sample.similarity(task.check.part, task.check.against)[:, list(places)] if claiming else None
    return _TaskEvidence(
        task,
        places,
        tuple(texts),
        tuple(placed[place].rank or 0 for place in places),
        np.zeros((0, 0)) if similarity is None else similarity,
    )


def _as_stated(query: str, text: str) -> str:
    hypothesis = stated(query, text)
    return text if hypothesis is None else hypothesis.text


def _claim(part: Sentence) -> Claim:
    return Claim(part.text, part.start, part.end)


def _facts(question: _Question) -> list[_Question]:
    """The facts of a claim; none of a sentence that is to be verified as a whole. A fact is worded by rule."""
    if question.evidence.task.check.unit != "claim":
        return []
    place = question.claim
    return [
        _Question(question.evidence, question.row, Claim(fact, place.start, place.end)) for fact in facts(question.text)
    ]


def _in_parts(whole: Verdict, of_facts: tuple[Verdict, ...]) -> Verdict:
    """The verdict on a claim that is not supported as a whole, from those on its facts."""
    if not of_facts or not all(fact.supported for fact in of_facts):
        return replace(whole, facts=of_facts)
    weakest = min(of_facts, key=lambda fact: fact.D or 0.0)
    return replace(
        whole, supported=True, D=weakest.D, score=weakest.score, reason="each of its facts is supported", facts=of_facts
    )


def _without_model(question: _Question) -> Verdict | None:
    """The verdict on a claim without evidence, or with verbatim evidence; None if the model is needed."""
    evidence = question.evidence
    if not evidence.texts:
        return Verdict(question.claim, False, reason="the context is blank", hypothesis=question.hypothesis)
    place = verbatim_place(question.text, evidence.texts)
    if place is None:
        return None
    return _placed(
        Verdict(
            question.claim,
            True,
            score=float(boundary_score(np.array([VERBATIM_D]))[0]),
            D=VERBATIM_D,
            premise=evidence.texts[place],
            reason=f"word for word in the {evidence.task.check.against}, without a model: D is set to {VERBATIM_D:g}",
            hypothesis=question.hypothesis,
        ),
        evidence,
        (place,),
    )


def _verdict(question: _Question, support: Support | None) -> Verdict:
    if support is None:  # no premise for a claim without evidence, and such a claim is not compared
        return Verdict(question.claim, False, reason="the context is blank", hypothesis=question.hypothesis)
    premise, compared = support.comparison.premise, support.comparison.hypothesis
    hypothesis = question.hypothesis if compared == question.text else Hypothesis(compared, SCOPED)
    verdict = Verdict(
        question.claim,
        support.entailed,
        score=support.score,
        D=support.D,
        premise=premise.text,
        hypothesis=hypothesis,
    )
    return _placed(verdict, question.evidence, premise.sentences)


def _placed(verdict: Verdict, evidence: _TaskEvidence, indices: Sequence[int]) -> Verdict:
    """The verdict with the positions of its premise's sentences, and their passage if it is one."""
    used = tuple(evidence.places[index] for index in indices)
    placed = evidence.task.sample.parts[evidence.task.check.against]
    passages = {placed[place].passage for place in used}
    return replace(verdict, passage=passages.pop() if len(passages) == 1 else None, sentences=used)
