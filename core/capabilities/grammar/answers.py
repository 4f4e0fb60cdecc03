"""A run's answers by semantic group: correctness, and the documents retrieved for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.grammar.support import states_answer, supports_answer
from hcat.core.errors import HcatError
from hcat.core.records.samples.right_answers import right_answers
from hcat.core.types import Sample

VerdictSource = Literal["labels", "recorded", "verbatim"]
"""The source of verdicts: labels, the verdicts in the file itself, or the rule that the answer contains the
reference."""

_RECORDED, _RETRIEVAL = "judgement", "retrieval_judgement"
_RIGHT = {"correct": True, "incorrect": False, "pass": True, "fail": False, "1": True, "0": False}


@dataclass(frozen=True, eq=False)
class GroupedAnswers:
    """The judged answers of a run (n of them).

    `retrieved` is 1 if the documents that the query needs were retrieved, 0 if not, NaN if unknown. `supported` is 1 if
    the retrieved texts state the truth, 0 if not, NaN if no text is available."""

    group: NDArray[np.str_]
    right: Bools
    retrieved: Floats
    supported: Floats
    documents: tuple[frozenset[str], ...]
    unjudged: int = 0
    """Number of excluded answers in groups without any verdict."""
    ungrouped: int = 0
    """Number of excluded samples without a semantic group."""
    ids: tuple[str, ...] = ()


def grouped_answers(
    samples: Sequence[Sample],
    verdicts: Mapping[str, bool],
    *,
    texts: Mapping[str, str] | None = None,
    closed_domain: bool = False,
) -> GroupedAnswers:
    """The answers of a run whose samples name their semantic group.

    `verdicts` gives by sample id whether the answer is right. `texts` are documents by id, for contexts without text.
    In a closed domain an answer is right only if its documents were retrieved, because the system must not know it
    otherwise. Raises HcatError if no sample is both grouped and judged."""
    grouped = [sample for sample in samples if sample.group is not None]
    judged = [sample for sample in grouped if sample.id in verdicts]
    if not grouped:
        raise HcatError("no sample names its semantic group: give `group` (or `query_tag`) in the run file")
    if not judged:
        raise HcatError("no answer has a verdict: give labels, or a run file with `judgement`, or choose verbatim")
    right = np.array([verdicts[sample.id] for sample in judged], dtype=bool)
    retrieved = np.array([_retrieved(sample) for sample in judged])
    if closed_domain and np.isnan(retrieved).any():
        raise HcatError(
            f"{int(np.isnan(retrieved).sum())} samples don't say which documents they need: give `relevant_ids`"
        )
    return GroupedAnswers(
        group=np.array([str(sample.group) for sample in judged]),
        right=right & (retrieved == 1) if closed_domain else right,
        retrieved=retrieved,
        supported=np.array([_supported(sample, texts or {}) for sample in judged]),
        documents=tuple(frozenset(passage.id for passage in sample.contexts) for sample in judged),
        unjudged=len(grouped) - len(judged),
        ungrouped=len(samples) - len(grouped),
        ids=tuple(sample.id for sample in judged),
    )


def recorded_verdicts(samples: Sequence[Sample]) -> dict[str, bool]:
    """The verdicts of the run file itself (`judgement`), by sample id."""
    verdicts = {}
    for sample in samples:
        word = str(sample.metadata.get(_RECORDED) or "").strip().casefold()
        if word in _RIGHT:
            verdicts[sample.id] = _RIGHT[word]
    return verdicts


def verbatim_verdicts(samples: Sequence[Sample]) -> dict[str, bool]:
    """Whether each answer contains a right answer word by word, for samples that have one; a missing answer is
    wrong."""
    return {
        sample.id: states_answer(sample.answer or "", right_answers(sample))
        for sample in samples
        if right_answers(sample)
    }


def document_texts(*runs: Sequence[Sample]) -> dict[str, str]:
    """The texts of all contexts of these runs that have one, by id."""
    return {
        passage.id: passage.text
        for samples in runs
        for sample in samples
        for passage in sample.contexts
        if passage.text.strip()
    }


def _retrieved(sample: Sample) -> float:
    recorded = sample.metadata.get(_RETRIEVAL)
    if isinstance(recorded, int | float | bool) and recorded in (0, 1):
        return float(recorded)
    if not sample.relevant_ids:
        return math.nan
    needed = {name for name, grade in sample.relevant_ids.items() if grade > 0}
    return float(needed <= {passage.id for passage in sample.contexts})


def _supported(sample: Sample, texts: Mapping[str, str]) -> float:
    read = [passage.text if passage.text.strip() else texts.get(passage.id, "") for passage in sample.contexts]
    read = [text for text in read if text.strip()]
    if not read or not right_answers(sample):
        return math.nan
    return float(any(supports_answer(sample, text) for text in read))
