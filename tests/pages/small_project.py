"""A small system under validation, made by rule: what the tests of pages and of the browser look at."""

from __future__ import annotations

import random

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace

PROJECT, RUN = "Harbour Bank assistant", "first-run"
GUIDELINE = "Pass an answer that states what the reference states."
PRODUCTS = (
    "current account",
    "savings account",
    "credit card",
    "car loan",
    "home loan",
    "student loan",
    "travel card",
    "pension plan",
    "share depot",
    "safe deposit box",
    "joint account",
)
KINDS = ("amount", "yes or no")
CUSTOMERS = ("business", "private")
CRITERION = Criterion("correctness", guideline=GUIDELINE)


def small_samples() -> list[Sample]:
    """44 samples: 11 products, two kinds of question, two kinds of customer, so 11 samples a pair of levels.

    Answers to business customers on amounts are mostly wrong: that cell is the weak one.
    """
    chance = random.Random(7)
    return [
        _sample(number, product, kind, customer, chance)
        for number, (product, kind, customer) in enumerate(
            (product, kind, customer) for product in PRODUCTS for kind in KINDS for customer in CUSTOMERS
        )
    ]


def _sample(number: int, product: str, kind: str, customer: str, chance: random.Random) -> Sample:
    fee = 3 + (7 * number) % 40
    wrong = chance.random() < (0.85 if (kind, customer) == ("amount", "business") else 0.2)
    if kind == "amount":
        query = f"What does the {product} cost a {customer} customer each month?"
        reference = f"The {product} costs {fee} euros each month for {customer} customers."
        answer = "Please visit a branch, where the staff will gladly answer." if wrong else reference
    else:
        query = f"May a {customer} customer cancel the {product} online?"
        reference = f"Yes, {customer} customers may cancel the {product} online at any time."
        answer = "The bank was founded by fishermen in a small harbour town." if wrong else reference
    contexts = (
        Passage(f"handbook#{number}", f"{reference} The rule holds for every branch.", 0.9),
        Passage("handbook#about", "Harbour Bank serves the coast. It has nine branches.", 0.4),
    )
    return Sample(
        id=f"s{number:02d}",
        query=query,
        answer=answer,
        contexts=contexts,
        reference=reference,
        dimensions={"kind": kind, "customer": customer},
    )


def label_level(sample: Sample) -> int:
    """The rule by which samples are labelled: by the reference, and the other way round for every ninth."""
    return int((sample.answer == sample.reference) != (int(sample.id[1:]) % 9 == 4))


def add_project(workspace: Workspace) -> None:
    """A project with a criterion and no run."""
    project = workspace.projects.create(PROJECT, description="Answers questions about a bank that does not exist.")
    workspace.criteria.add(project, CRITERION)


def add_run(workspace: Workspace) -> RunInfo:
    """The run, not scored yet."""
    return workspace.runs.add(PROJECT, RUN, small_samples(), source="first-run.jsonl")


def add_results(workspace: Workspace, run: RunInfo, *, people: int = 44, topics: bool = True) -> None:
    """Scores, topics, labels by a person on the first `people` samples, and a kept calibration of the answer F1."""
    workspace.scoring.score(run, "all")
    if topics:
        workspace.topics.find(run)
    criterion = workspace.criteria.get(PROJECT, CRITERION.name)
    labels = [
        Label(sample.id, criterion.name, label_level(sample), annotator="ann") for sample in small_samples()[:people]
    ]
    workspace.labels.add(run, criterion, labels)
    workspace.calibrations.save(
        run, calibrate(workspace.run_data.open(run), criterion, metrics=["answer_f1"]), reason="a test"
    )
