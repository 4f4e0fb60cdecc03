"""A judge's verdicts on a run, as stored in a project or a file, with its rubric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.judges.manipulations import ScoreBias
from hcat.core.capabilities.judges.rubric import Rubric
from hcat.core.capabilities.judges.verdict import JudgeVerdict, mean_scores
from hcat.core.errors import HcatError
from hcat.core.records.judging import JudgeFacts


@dataclass(frozen=True, slots=True)
class StoredJudgement:
    """The verdicts of a judge, with the version of its rubric."""

    facts: JudgeFacts
    rubric: Rubric
    verdicts: tuple[JudgeVerdict, ...]

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that were judged, in the rubric's order."""
        judged = {verdict.criterion for verdict in self.verdicts}
        return tuple(each.name for each in self.rubric.criteria if each.name in judged)

    def unscored(self, criterion: str) -> Mapping[str, int]:
        """The number of samples without a score on the criterion, by reason, the most frequent first."""
        scores = mean_scores(self.verdicts, criterion).values()
        return dict(Counter(score.reason or "" for score in scores if score.value is None).most_common())


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """The results of a check of a judge for bias."""

    facts: JudgeFacts
    biases: ScoreBias


def of_one_version(judged: Sequence[StoredJudgement]) -> Rubric:
    """The rubric by which all of them judged. HcatError if they are not of one version of a judge."""
    if len({each.facts.version for each in judged}) > 1:
        raise HcatError(
            "these runs were judged by different versions of the judge (rubric, model or settings): judge them alike, "
            "without examples"
        )
    return judged[0].rubric
