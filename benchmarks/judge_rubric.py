"""What a distilled rubric gains on answers that people rated: `python -m benchmarks.judge_rubric DATA --endpoint URL
--model NAME --journal FILE`.

Two public sets: how useful people find answers (ALCE), and how they rate replies in a conversation (USR). Nobody wrote
down why. What is noted of an answer besides its rating stands for a reason: in ALCE how many facts that a full answer
has are in it, found by a rule, and its length; in USR what people say of five properties of the reply. A rubric is
distilled from that on one half of the questions; on the other the judge is asked by both rubrics.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.journal import JournalledModel, add_model, opened
from benchmarks.judge import print_fitness
from hcat.core.capabilities.judges.distil import Distilled, LabelledRun, distil
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.judge import Judge, judge_samples
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.scores import judge_score_table
from hcat.core.capabilities.judges.wording.verdicts import gain_sentence, usage_sentence
from hcat.core.display.numbers import counted, format_estimate
from hcat.core.errors import ModelError
from hcat.core.types import Criterion, Label, Progress, Sample

HELD_OUT, SEED, TOKENS = 60, 11, 700
RATINGS = ("1", "2", "3", "4", "5")
PASSING = 3
"""The level from which a rating passes: 4 of 5."""
_PROPERTIES = (
    ("understandability", 1), ("naturalness", 3), ("coherence", 3), ("engagingness", 3), ("groundedness", 1),
)  # fmt: skip


@dataclass(frozen=True)
class RatedSet:
    """Answers with people's ratings, and the criterion by which a judge is asked about them at first."""

    name: str
    samples: tuple[Sample, ...]
    labels: tuple[Label, ...]
    clusters: dict[str, str]
    criterion: RubricCriterion

    def run(self, *, most: int) -> LabelledRun:
        """Its labels in two halves, of which at most `most` answers of the second are judged."""
        by_id = {sample.id: sample for sample in self.samples}
        return LabelledRun(self.labels, by_id, self.clusters, Criterion("rating", RATINGS, passing=PASSING), SEED, most)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=HELD_OUT, help="held-out answers of each set, each judged twice")
    parser.add_argument("--set", choices=("ALCE", "USR"), help="one of the sets; both where it is left out")
    add_model(parser)
    arguments = parser.parse_args()
    model = opened(arguments, tokens=TOKENS)
    for rated in rated_sets(arguments.data):
        if arguments.set in (None, rated.name):
            report(rated, model, most=arguments.most)


def rated_sets(data: Path) -> tuple[RatedSet, RatedSet]:
    """Both sets of the folder."""
    return _alce(data / "ordinal/alce_utility.jsonl"), _usr(data / "ordinal/topical_chat_usr.jsonl")


def report(rated: RatedSet, model: JournalledModel, *, most: int) -> None:
    """Distil, and print the gain with its interval and whether the judge is fit for use by either rubric."""
    judge = Judge(Rubric(rated.name, FUNNEL.role, (rated.criterion,)), (model,), order="verdict first")
    run = rated.run(most=most)
    held_out = run.held_out(judge)
    passed = sum(run.levels[sample.id] >= PASSING for sample in held_out)
    print(f"{rated.name}: {counted(len(held_out), 'held-out answer')}, {passed} of them rated {PASSING + 1} or more")
    try:
        distilled = distil(judge, run, on_progress=_show)
    except ModelError as error:
        print(f"  {error}")
        return
    _print_gain(distilled)
    second = Judge(distilled.rubric, (model,), order="verdict first")
    for what, by in (("first", judge), ("distilled", second)):
        scores = judge_score_table(judge_samples(by, held_out).verdicts, held_out, by)
        judged = {sample.id for sample in held_out}
        labels = [label for label in run.labels if label.sample_id in judged]
        print(f"  By the {what} rubric. ", end="")
        print_fitness(held_out, labels, scores, people=run.people)


def _print_gain(distilled: Distilled) -> None:
    measured = distilled.measured
    print(f"  Distilled from {counted(measured.critiques, 'note')}: {measured.second.question}")
    if measured.second == measured.first:
        print("  The model gave the first rubric back word for word.")
    for score, level in zip(measured.second.scores, measured.second.levels, strict=True):
        print(f"    {score} = {level}")
    for what, kappa in (("first", measured.gain.first), ("distilled", measured.gain.second)):
        print(f"  κ with people by the {what} rubric {format_estimate(kappa)}")
    print(f"  {gain_sentence(measured.gain)}")
    print(f"  {usage_sentence(distilled.usage.record())}")


def _alce(file: Path) -> RatedSet:
    rows = [json.loads(line) for line in _lines(file)]
    samples, labels, clusters = [], [], {}
    for row in rows:
        name, facts = f"{row['run']}/{row['id']}", row["automatic_correctness_scores"]
        noted = f"It has {sum(map(bool, facts))} of the {len(facts)} facts of a full answer, in {_words(row)} words."
        samples.append(Sample(name, row["question"], row["output"]))
        labels.append(Label(name, "rating", int(row["utility_score"]) - 1, "people", rationale=noted))
        clusters[name] = str(row["id"])
    criterion = RubricCriterion(
        "utility",
        "Utility",
        "How useful is the answer to somebody who asked the question?",
        (
            "Useless: it does not answer the question.",
            "Of little use: it answers a small part of the question.",
            "Of some use: it answers part of the question, or is hard to follow.",
            "Useful: it answers the question, and little is missing.",
            "Very useful: it answers the question fully and clearly.",
        ),
    )
    return RatedSet("ALCE", tuple(samples), tuple(labels), clusters, criterion)


def _usr(file: Path) -> RatedSet:
    rows = [json.loads(line) for line in _lines(file)]
    samples, labels, clusters = [], [], {}
    for number, row in enumerate(rows):
        name, scores = f"reply-{number}", row["scores"]
        noted = "; ".join(f"{each} {scores[each]:.1f} of {top}" for each, top in _PROPERTIES)
        samples.append(Sample(name, row["source"].strip(), row["system_output"].strip()))
        labels.append(Label(name, "rating", round(scores["overall"]) - 1, "people", rationale=f"{noted}."))
        clusters[name] = row["source"]
    criterion = RubricCriterion(
        "quality",
        "Quality of the reply",
        "How good is the answer as the next line of the conversation that the question holds?",
        (
            "Very bad: it does not belong to the conversation.",
            "Bad: it hardly belongs to the conversation, or is hard to read.",
            "Neither good nor bad: it belongs, and adds little.",
            "Good: it belongs, reads naturally and adds something.",
            "Very good: it belongs, reads naturally and is interesting.",
        ),
    )
    return RatedSet("USR", tuple(samples), tuple(labels), clusters, criterion)


def _lines(file: Path) -> Iterator[str]:
    return iter(file.read_text("utf-8").splitlines())


def _words(row: dict[str, str]) -> int:
    return len(row["output"].split())


def _show(progress: Progress) -> None:
    print(f"\r{progress.done} of {progress.total}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
