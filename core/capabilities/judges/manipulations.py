"""Changes of an answer that should change no verdict: a judge's gain in score by them is bias."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.capabilities.judges.judge import Judge, judge_samples
from hcat.core.capabilities.judges.pairs import FLAGGED_AT, MINIMUM_PAIRS
from hcat.core.capabilities.judges.verdict import mean_scores
from hcat.core.models.llm.language import Usage, total
from hcat.core.records.clusters import clusters_of
from hcat.core.refusals.detection import answering
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.mean_score import difference_score
from hcat.core.statistics.multiplicity import holm
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate, Progress, Sample, Score, Verdict

PADDING = (
    "To put this in perspective, it is worth considering the question as a whole. The points above have been set out "
    "with care and in full. As always, it is important to read them together and in their proper context. In summary, "
    "the above covers what was asked."
)
AUTHORITY = (
    "This answer has been reviewed and confirmed by the head of the department and by an independent professor of "
    "the field."
)
REFUSALS = (
    "I'm sorry, but I can't answer this question from the documents that I have.",
    "The documents provided do not contain this information.",
    "I do not have enough information to answer that.",
)
"""Different wordings of the same refusal."""
LEVEL = 0.95
MANIPULATED = Verdict(
    name="scores moved by a manipulation",
    words=("flagged",),
    claim="A change that leaves what the answer says moves the judge's mean score.",
    error=FLAGGED_AT,
    family="all manipulations and criteria of one call (Holm)",
    decides="hcat.core.capabilities.judges.manipulations:score_biases",
    carried_by="hcat.core.capabilities.judges.manipulations:ScoreShift.is_flagged",
)


@dataclass(frozen=True, slots=True)
class Manipulation:
    """A change of a sample that preserves its meaning; None if the sample can't be changed in this way."""

    name: str
    title: str
    change: Callable[[Sample], Sample | None]


def _padded(sample: Sample) -> Sample:
    return replace(sample, answer=f"{sample.answer}\n\n{PADDING}")


def _with_authority(sample: Sample) -> Sample:
    return replace(sample, answer=f"{sample.answer}\n\n{AUTHORITY}")


def _reordered(sample: Sample) -> Sample | None:
    return replace(sample, contexts=sample.contexts[::-1]) if len(sample.contexts) > 1 else None


MANIPULATIONS: Mapping[str, Manipulation] = {
    each.name: each
    for each in (
        Manipulation("verbosity", "Sentences without content at the end of the answer", _padded),
        Manipulation("authority", "A claim that experts confirmed the answer", _with_authority),
        Manipulation("position", "The contexts in reverse order", _reordered),
    )
}


@dataclass(frozen=True, slots=True)
class ScoreShift:
    """The shifts of scores and pass rate by a manipulation on one criterion, over the `n` samples scored both ways.

    `p` is of no change of the scores, by the test that belongs to the interval of the shift (`difference_score`);
    `p_holm` is adjusted by Holm over all that were tried. NaN below 10 clusters."""

    manipulation: str
    criterion: str
    n: int
    shift: Estimate
    pass_rate: Estimate
    p: float
    p_holm: float

    @property
    def is_flagged(self) -> bool:
        """Whether the effect is significant."""
        return self.p_holm <= FLAGGED_AT


@dataclass(frozen=True, slots=True)
class RefusalConsistency:
    """The consistency of a judge on one refusal in several wordings, on one criterion.

    The share of samples that it passes or fails for all wordings, and the mean range of the scores of one sample."""

    criterion: str
    n: int
    same_verdict: Estimate
    spread: Estimate


@dataclass(frozen=True, slots=True)
class ScoreBias:
    """The shifts by all manipulations, and the tokens used."""

    shifts: tuple[ScoreShift, ...]
    refusals: tuple[RefusalConsistency, ...]
    usage: Usage


def score_biases(
    judge: Judge,
    samples: Sequence[Sample],
    *,
    manipulations: Sequence[Manipulation] = tuple(MANIPULATIONS.values()),
    refusals: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
) -> ScoreBias:
    """The score bias: each sample is judged as it is and changed, paired. Samples without a verdict on either side are
    left out."""
    cluster_of = clusters_of(samples)
    plain = judge_samples(judge, samples, on_progress=on_progress)
    usages, rows = [plain.usage], []
    for manipulation in manipulations:
        changed = [copy for sample in samples if (copy := manipulation.change(sample)) is not None]
        other = judge_samples(judge, changed, on_progress=on_progress)
        usages.append(other.usage)
        for criterion in judge.rubric.criteria:
            before = mean_scores(plain.verdicts, criterion.name)
            after = mean_scores(other.verdicts, criterion.name)
            rows.append(
                score_shift(
                    *(manipulation.name, criterion.name, before, after, cluster_of),
                    within=criterion.range,
                    passing=criterion.passing,
                )
            )
    consistency: list[RefusalConsistency] = []
    if refusals:
        consistency, usage = _refusals(judge, samples, cluster_of, on_progress)
        usages.append(usage)
    adjusted = holm([row.p for row in rows]).tolist()
    shifts = tuple(replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True))
    return ScoreBias(shifts, tuple(consistency), total(usages))


def score_shift(
    name: str,
    criterion: str,
    before: Mapping[str, Score],
    after: Mapping[str, Score],
    cluster_of: Mapping[str, str],
    *,
    within: tuple[float, float],
    passing: int,
) -> ScoreShift:
    """The shifts of scores and pass rate by a change, over the samples with a score before and after it.

    Intervals are by cluster. `within` are the least and the largest score; `p_holm` is p until others are tested."""
    pairs = [
        (sample_id, score.value, after[sample_id].value) for sample_id, score in before.items() if sample_id in after
    ]
    usable = [(cluster_of[name], a, b) for name, a, b in pairs if a is not None and b is not None]
    first, second = (np.array([pair[side] for pair in usable], dtype=np.float64) for side in (1, 2))
    codes = np.unique([cluster for cluster, _, _ in usable], return_inverse=True)[1] if usable else np.zeros(0, int)
    shift = difference_score(second, first, codes, within=within)
    passed, passed_before = (np.asarray(each >= passing, dtype=np.float64) for each in (second, first))
    passes = difference_score(passed, passed_before, codes, within=(0.0, 1.0))
    p = shift.p() if shift.clusters >= MINIMUM_PAIRS else math.nan
    n = len(usable)
    return ScoreShift(name, criterion, n, shift.interval(LEVEL, n), passes.interval(LEVEL, n), p, p)


def _refusals(
    judge: Judge,
    samples: Sequence[Sample],
    cluster_of: Mapping[str, str],
    on_progress: Callable[[Progress], None] | None,
) -> tuple[list[RefusalConsistency], Usage]:
    """The consistency on refusals, which are judged here although they otherwise are not, and the tokens used."""
    asked = [sample for sample in samples if answering(sample.answer).kind == "answered"]
    as_judged = replace(judge, judges_refusals=True)
    usages, by_wording = [], []
    for wording in REFUSALS:
        result = judge_samples(as_judged, [replace(s, answer=wording) for s in asked], on_progress=on_progress)
        usages.append(result.usage)
        by_wording.append(result.verdicts)
    consistency = []
    for criterion in judge.rubric.criteria:
        scores = [mean_scores(verdicts, criterion.name) for verdicts in by_wording]
        values = {
            sample.id: [each[sample.id].value for each in scores if each[sample.id].value is not None]
            for sample in asked
        }
        full = {
            name: [value for value in of if value is not None]
            for name, of in values.items()
            if len(of) == len(REFUSALS)
        }
        clusters = [cluster_of[name] for name in full]
        same = [len({value >= criterion.passing for value in of}) == 1 for of in full.values()]
        width = criterion.range[1] - criterion.range[0]
        consistency.append(
            RefusalConsistency(
                criterion.name,
                len(full),
                weighted_proportion(same, clusters=clusters),
                mean_interval([max(of) - min(of) for of in full.values()], clusters=clusters, within=(0.0, width)),
            )
        )
    return consistency, total(usages)
