"""Sentences on samples that depend on one another: the definition of a cluster, and what to do where the data does not
say."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_number
from hcat.core.estimates.level_clusters import LevelClusters
from hcat.core.records.clusters import ClusterConflict
from hcat.core.records.samples.by_sample import distinct_levels
from hcat.core.records.samples.likely_trials import LikelyTrials

CLUSTERS = (
    "Samples that depend on one another are one cluster: trials of one test case, a variant and its origin, the texts "
    "of one semantic group. Clusters are never divided between fitting and checking, and every interval rests on them."
)


def likely_trials_warning(found: LikelyTrials) -> str:
    """Warning that samples look like trials: the sign of it, the consequence if they are, and the input to give."""
    named = " and ".join(f"“{sample_id}”" for sample_id in found.examples)
    if found.sign == "same query":
        questions = counted(found.cases, "question")
        sign = say(
            "{found.samples:,} samples ask only {questions} between them ({named} ask the same)",
            found=found,
            questions=questions,
            named=named,
        )
    else:
        sign = say(
            "The ids of {found.samples:,} samples look like those of {test_cases} ({named})",
            found=found,
            test_cases=counted(found.cases, "test case"),
            named=named,
        )
    return say(
        "{sign}, but nothing in the run says which samples belong together. If they are trials of one "
        "test case, or texts of one meaning, every interval here is too narrow and a useless metric "
        "can seem fit for use: give these samples the same test_case (or group) in the run file, and "
        "score it again.",
        sign=sign,
    )


def level_clusters_warning(found: LevelClusters) -> str:
    """The agreement of labels of one level, the pass rate if each level is a cluster, and the reason to count it as
    one."""
    return say(
        "Labels of one {found.dimension} agree more than others do: the design effect of its {levels} is {effect}. If "
        "each is a cluster, the pass rate is {rate}. Count them as clusters (“--cluster-by”) if you conclude on others "
        "than these.",
        found=found,
        levels=counted(found.levels, "level"),
        effect=format_number(found.effect, decimals=1),
        rate=format_estimate(found.rate, percent=True),
    )


def cluster_conflict_warning(conflict: ClusterConflict) -> str:
    """Statement which of two divisions into clusters is used."""
    return (
        f"The run file puts the {counted(conflict.samples, 'scored sample')} into "
        f"{counted(conflict.by_run, 'cluster')}, the score file into {conflict.by_scores}. The run file counts. If it "
        "is not the run that was scored, give that one; if it was changed since, score it again."
    )


def cluster_count(clusters: Mapping[str, str]) -> str:
    """The number of clusters of these samples, by sample id, and the definition of a cluster."""
    return f"{counted(len(clusters), 'sample')} in {counted(distinct_levels(clusters), 'cluster')}. {CLUSTERS}"
