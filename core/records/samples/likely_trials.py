"""Samples that look like several of one test case, though the run does not link them."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hcat.core.types import Sample

NOTABLE_DESIGN_EFFECT = 1.1
"""The design effect above which standard errors would be 5% too small if similar samples were equal. Source: Kish
1965."""
MOST_TRIALS = 50
"""Above this number per prefix, ids are numbers of samples, such as train-1 to train-250, not trials."""
LEAST_SHARE = 0.5
"""The least share of ids that share their beginning with another one, if these are trials of test cases."""
READ_CHARACTERS = 200
"""The number of characters at the end of an id that are matched: the time grows with the square of its length."""

_MARKED = re.compile(
    r"(?P<case>.*\w)(?:\s*#|(?:(?<=\d)|[\s_.:/-]+)"
    r"(?:trial|repetition|repeat|rep|run|attempt|try|seed|variant|paraphrase|t|v)[\s_.:-]*)\d{1,3}",
    re.IGNORECASE,
)
"""q1#2, q1_trial3, q1-run-2, q1v2."""
_NUMBERED = re.compile(r"(?P<case>.*\d(?=[_:/-])|.*[^\W\d].*\d)[_:/.-]\d{1,2}")
"""q1-2, 17_3, q1.2; but not q-2, in which one number counts the samples, nor 3.2, which may be a section."""
_MONTH = re.compile(r"(.*\D)?\d{4}[-_/]\d{1,2}")
"""The part before the day of a date."""


@dataclass(frozen=True, slots=True)
class LikelyTrials:
    """The kind of similarity of the samples: their queries, or their ids. `samples` look like trials of `cases`.

    `examples` are the ids of some that look like one test case."""

    sign: Literal["same query", "ids"]
    samples: int
    cases: int
    examples: tuple[str, ...]


def likely_trials(samples: Iterable[Sample]) -> LikelyTrials | None:
    """Samples that look like trials of one test case, among those without a stated test case.

    The same query with the same reference is the strongest sign, unless no context is shared: "Summarise this" means
    something else for each document."""
    finder = LikelyTrialsFinder()
    for sample in samples:
        finder.add(sample)
    return finder.found()


class LikelyTrialsFinder:
    """The same for samples one at a time: it stores the id of each, and eight bytes instead of each text.

    For a million texts, two look alike by mistake with a probability of 3e-8."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._unsaid: list[int] = []
        self._asked, self._contexts, self._ends = array("Q"), array("Q"), array("Q", [0])

    def add(self, sample: Sample) -> None:
        """Add one more sample of the run."""
        if all(each is None for each in (sample.test_case, sample.group, sample.variant, sample.erased)):
            self._unsaid.append(len(self._ids))
            reference = "" if sample.reference is None else f"+{sample.reference}"
            self._asked.append(_digest(f"{' '.join(sample.query.casefold().split())}\0{reference}"))
            self._contexts.extend({_digest(passage.text) for passage in sample.contexts})
            self._ends.append(len(self._contexts))
        self._ids.append(sample.id)

    def found(self) -> LikelyTrials | None:
        """The similar samples so far."""
        times = Counter(self._ids)  # samples of one id are told to be trials when they are stored
        unsaid = [k for k, row in enumerate(self._unsaid) if times[self._ids[row]] == 1]
        by_query: dict[int, list[int]] = {}
        for k in unsaid:
            by_query.setdefault(self._asked[k], []).append(k)
        several = (group for group in by_query.values() if len(group) > 1)
        alike = [[self._id(k) for k in group] for group in several if not self._on_contexts_of_their_own(group)]
        return _notable("same query", alike, len(self._ids)) or likely_trials_by_id(
            [self._id(k) for k in unsaid], among=len(self._ids)
        )

    def _id(self, k: int) -> str:
        return self._ids[self._unsaid[k]]

    def _on_contexts_of_their_own(self, group: Sequence[int]) -> bool:
        texts = [self._contexts[self._ends[k] : self._ends[k + 1]] for k in group]
        return all(texts) and len(set().union(*texts)) == sum(map(len, texts))


def likely_trials_by_id(sample_ids: Sequence[str], *, among: int | None = None) -> LikelyTrials | None:
    """The same by the ids alone, if these are of one form: q1-1, q1-2, q2-1; q1#2; q1_trial3."""
    for form in (_MARKED, _NUMBERED):
        cases = [ids for ids in _cases(sample_ids, form).values() if 2 <= len(ids) <= MOST_TRIALS]
        if len(cases) > 1 and sum(map(len, cases)) >= LEAST_SHARE * len(sample_ids):
            return _notable("ids", cases, len(sample_ids) if among is None else among)
    return None


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _notable(sign: Literal["same query", "ids"], cases: Iterable[Sequence[str]], samples: int) -> LikelyTrials | None:
    """The similar samples, if ignoring them would matter: by the design effect of samples that agree fully."""
    several = [case for case in cases if len(case) > 1]
    alike = sum(map(len, several))
    if not several or (sum(len(case) ** 2 for case in several) + samples - alike) / samples < NOTABLE_DESIGN_EFFECT:
        return None
    return LikelyTrials(sign, alike, len(several), tuple(several[0][:2]))


def _cases(sample_ids: Iterable[str], form: re.Pattern[str]) -> dict[str, list[str]]:
    """The ids of this form by the test case that they seem to name."""
    cases: dict[str, list[str]] = {}
    for sample_id in sample_ids:
        match = form.fullmatch(sample_id[-READ_CHARACTERS:])
        if match is not None and not _MONTH.fullmatch(match["case"]):
            cases.setdefault(sample_id[:-READ_CHARACTERS] + match["case"], []).append(sample_id)
    return cases
