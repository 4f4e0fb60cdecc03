"""Paraphrases and translations of queries by a language model; each is examined before it becomes a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.capabilities.robustness.variants.by_model.drafts import (
    TRANSLATION_SCHEMA,
    WORDINGS,
    WORDINGS_SCHEMA,
    Draft,
    names_to_keep,
    paraphrase_problem,
    translation_problem,
    words_to_keep,
)
from hcat.core.capabilities.robustness.variants.by_model.families import LANGUAGES, MODEL_PARAPHRASE
from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.guard import numbers
from hcat.core.capabilities.robustness.variants.perturb import Perturbed, Unchanged, variant_of
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.capabilities.test_sets.selection import select
from hcat.core.capabilities.test_sets.selection.marks import WORDING
from hcat.core.capabilities.test_sets.selection.question import question_problem, reference_to_unseen
from hcat.core.language import ENGLISH
from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.prompts import load_prompt
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue, OnProgress, Progress

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.selection import CorpusIndex
    from hcat.core.models.encoder.encoder import Encoder
    from hcat.core.models.nli.entailment import EntailmentModel

PARAPHRASE, TRANSLATE = "paraphrase_query", "translate_query"
LEAST_COSINE = 0.6
"""Cosine similarity to the original query below which a wording asks for something else."""

ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result for a query: drafts in the order in which they are tried, and the reasons for missing ones."""

    drafts: tuple[Draft, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelWriter:
    """Writes the families of a language model. Only queries are sent to its endpoint.

    Each variant must preserve its numbers, negations, names and units, be self-contained, and be nearer in meaning to
    its own query than to any other of the test set. With the `index` of the corpus and the `entailment` model, it must
    also pass the selection of test cases, if its origin names passages of that corpus."""

    model: LanguageModel
    encoder: Encoder
    index: CorpusIndex | None = None
    entailment: EntailmentModel | None = None
    languages: Sequence[str] = field(default_factory=lambda: tuple(LANGUAGES))

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """Settings of the writer for the record."""
        prompts: list[JsonValue] = [load_prompt(name).title for name in (PARAPHRASE, TRANSLATE)]
        return {
            "generator": self.model.name,
            **self.model.settings,
            "prompts": prompts,
            "languages": [*self.languages],
            "least_cosine": LEAST_COSINE,
            "selection": self.index is not None,
        }

    def write(
        self, cases: Sequence[TestCase], family: Family, *, seed: int, on_progress: OnProgress | None = None
    ) -> Perturbed:
        """A variant of each case, or the reason why there is none. Raises ModelError only if no request could
        succeed."""
        origins = [Origin(case, Sentence(case.query)) for case in cases]
        report = _progress_of(on_progress)
        if family.name == MODEL_PARAPHRASE.name:
            outcomes = self._paraphrases(origins, report)
        else:
            outcomes = self._translations(origins, seed, report)
        return self._examined(cases, outcomes, family, seed)

    def _paraphrases(self, origins: Sequence[Origin], report: Callable[[int, int], None]) -> list[_Outcome]:
        prompt = load_prompt(PARAPHRASE)
        requests = [
            Request(prompt, {"question": origin.case.query, "keep": words_to_keep(origin.query)}, WORDINGS_SCHEMA)
            for origin in origins
        ]
        replies = ask_all(self.model, requests, on_reply=report)
        return [_wordings(origin, reply) for origin, reply in zip(origins, replies, strict=True)]

    def _translations(self, origins: Sequence[Origin], seed: int, report: Callable[[int, int], None]) -> list[_Outcome]:
        languages = [self._language(origin.case, seed) for origin in origins]
        there = self._translated(
            [
                (origin.case.query, language, [*numbers(origin.case.query), *names_to_keep(origin.query)])
                for origin, language in zip(origins, languages, strict=True)
            ],
            report,
        )
        texts = [
            "" if reply.content is None else " ".join(str(reply.content["translation"]).split()) for reply in there
        ]
        back = iter(self._translated([(text, ENGLISH, []) for text in texts if text], report))
        return [
            _translation(origin, language, text, next(back)) if text else _Outcome(problems=(_reason(reply),))
            for origin, language, text, reply in zip(origins, languages, texts, there, strict=True)
        ]

    def _translated(
        self, asked: Sequence[tuple[str, str, Sequence[str]]], report: Callable[[int, int], None]
    ) -> tuple[Reply, ...]:
        prompt = load_prompt(TRANSLATE)
        requests = [
            Request(prompt, {"question": text, "into": language, "keep": [*keep]}, TRANSLATION_SCHEMA)
            for text, language, keep in asked
        ]
        return ask_all(self.model, requests, on_reply=report)

    def _language(self, case: TestCase, seed: int) -> str:
        drawn_by = [seed, *bytes.fromhex(sha256_of_text(case.id)[:16])]
        return self.languages[int(np.random.default_rng(drawn_by).integers(len(self.languages)))]

    def _examined(
        self, cases: Sequence[TestCase], outcomes: Sequence[_Outcome], family: Family, seed: int
    ) -> Perturbed:
        """The first draft of each case without a problem."""
        chosen: dict[int, TestCase] = {}
        problems = {at: list(outcome.problems) for at, outcome in enumerate(outcomes)}
        vectors = self._embedded([case.query for case in cases])
        for turn in range(WORDINGS):
            waiting = {
                at: outcome.drafts[turn]
                for at, outcome in enumerate(outcomes)
                if at not in chosen and turn < len(outcome.drafts)
            }
            meaning = self._other_meaning(waiting, vectors)
            selected = self._selected({at: cases[at] for at in waiting if at not in meaning}, waiting)
            for at, draft in waiting.items():
                verdict = meaning.get(at) or selected[at]
                if isinstance(verdict, str):
                    problems[at].append(verdict)
                else:
                    chosen[at] = self._variant(cases[at], family, seed, draft, verdict)
        unchanged = [
            Unchanged(case.id, family.name, f"language model: {problems[at][0]}")
            for at, case in enumerate(cases)
            if at not in chosen
        ]
        return Perturbed(tuple(chosen[at] for at in sorted(chosen)), tuple(unchanged))

    def _other_meaning(self, drafts: Mapping[int, Draft], vectors: NDArray[np.float32]) -> dict[int, str]:
        """The drafts that are nearer to another query of the test set than to their own, or far from their own."""
        if not drafts:
            return {}
        places = [*drafts]
        similarity = self._embedded([drafts[at].english for at in places]) @ vectors.T
        own = similarity[np.arange(len(places)), places]
        far = (own < LEAST_COSINE) | (own < similarity.max(axis=1) - ROUNDING)
        return {at: "asks something else" for at, is_far in zip(places, far, strict=True) if is_far}

    def _selected(self, cases: Mapping[int, TestCase], drafts: Mapping[int, Draft]) -> dict[int, TestCase | str]:
        """Each case with its draft as marked by the selection of test cases, or the reason why it is dropped."""
        asked = {at: replace(case, id=str(at), query=drafts[at].english) for at, case in cases.items()}
        verdicts: dict[int, TestCase | str] = {at: _by_wording(case) for at, case in asked.items()}
        if self.index is None or self.entailment is None:
            return verdicts
        placed = [case for at, case in asked.items() if verdicts[at] is case and self._is_placed(case)]
        selection = select(placed, self.index, entailment=self.entailment, balanced=False)
        verdicts |= {int(case.id): case for case in selection.accepted}
        return verdicts | {int(dropped.case.id): dropped.reason for dropped in selection.dropped}

    def _is_placed(self, case: TestCase) -> bool:
        """Whether the corpus contains the passages that a case names."""
        positions = {} if self.index is None else self.index.positions
        named = (*case.passages, *case.nearest)
        return bool(named) and all(passage in positions for passage in named)

    def _variant(self, case: TestCase, family: Family, seed: int, draft: Draft, examined: TestCase) -> TestCase:
        prompt = load_prompt(PARAPHRASE if family.name == MODEL_PARAPHRASE.name else TRANSLATE)
        metadata: dict[str, JsonValue] = {"written_by": f"{self.model.name}, {prompt.name} v{prompt.version}"}
        if draft.language != ENGLISH:
            metadata |= {"language": draft.language, "translated_back": draft.english}
        variant = variant_of(case, family, 1.0, seed, Change(draft.query, metadata))
        if draft.language != ENGLISH or WORDING not in examined.dimensions:
            return variant
        wording = {WORDING: examined.dimensions[WORDING]} if examined.overlap is not None else {}
        return replace(variant, overlap=examined.overlap, dimensions={**variant.dimensions, **wording})

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(self.encoder.encode(list(texts)), np.float32)


def _progress_of(on_progress: OnProgress | None) -> Callable[[int, int], None]:
    def report(done: int, of: int) -> None:
        if on_progress is not None:
            on_progress(Progress("ask", done, of))

    return report


def _wordings(origin: Origin, reply: Reply) -> _Outcome:
    if reply.content is None:
        return _Outcome(problems=(_reason(reply),))
    listed = reply.content["questions"]
    texts = dict.fromkeys(" ".join(str(text).split()) for text in listed) if isinstance(listed, list) else {}
    problems = {text: paraphrase_problem(origin, text) for text in texts}
    return _Outcome(
        tuple(Draft(text, text) for text, problem in problems.items() if problem is None),
        tuple(problem for problem in problems.values() if problem is not None),
    )


def _translation(origin: Origin, language: str, text: str, back: Reply) -> _Outcome:
    if origin.case.options:
        return _Outcome(problems=("offers options",))
    if back.content is None:
        return _Outcome(problems=(_reason(back),))
    english = " ".join(str(back.content["translation"]).split())
    problem = translation_problem(origin, text, language=language, back=english)
    if problem is not None:
        return _Outcome(problems=(problem,))
    return _Outcome((Draft(f"{text} {LANGUAGES[language]}", english, language),))


def _reason(reply: Reply) -> str:
    return (reply.reason or "no answer").removeprefix("language model: ")


def _by_wording(case: TestCase) -> TestCase | str:
    """The case, or the problem with the query itself, regardless of its corpus."""
    if question_problem(case.query) is not None:
        return "no usable question"
    return "does not stand alone" if reference_to_unseen(case.query) is not None else case
