from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.agreement.ratings import ratings
from hcat.core.capabilities.agreement.summary import agreement
from hcat.core.capabilities.findings.view import FindingEvidence
from hcat.core.capabilities.report.evidence.excerpts import worst_samples
from hcat.core.capabilities.report.evidence.gather import calibration_evidence, label_evidence, run_evidence
from hcat.core.capabilities.report.evidence.records import (
    AgreementEvidence,
    Evidence,
    MetricNote,
    PassRateEvidence,
    TopicEvidence,
    WeaknessEvidence,
)
from hcat.core.capabilities.report.sections.reproducibility import installed_versions
from hcat.core.display.edition import edition
from hcat.core.display.messages import say
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.estimates.slices import estimate_slices
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.slices.table import find_weaknesses
from hcat.core.topics.model import find_topics
from hcat.core.types import Criterion, Label, Passage, Sample, Score

N = 400
HOSTILE = '<script>alert("x")</script><img src=http://evil.example/a.png onerror=alert(1)> [link](http://evil.example)'
TOPICS = ("mortgage, fixed rate", "card, lost", "transfer, abroad", "account, opening")
TYPES = ("simple factual", "multi-hop", "yes/no")
CRITERION = Criterion("groundedness", guideline="Every statement of the answer follows from the retrieved contexts.")


@pytest.fixture(scope="session")
def samples() -> tuple[Sample, ...]:
    """400 samples, of which the first is hostile and every fortieth has no answer."""
    rng = np.random.default_rng(11)
    made = []
    for i in range(N):
        topic, kind = TOPICS[rng.integers(4)], TYPES[rng.integers(3)]
        query = HOSTILE if i == 0 else f"What does the handbook say on {topic} in case {i}?"
        answer = None if i % 40 == 39 else (HOSTILE if i == 0 else f"The handbook says on {topic} that case {i} holds.")
        contexts = (Passage(f"d{i}", HOSTILE if i == 0 else f"On {topic}: case {i} holds. " * 30),)
        made.append(Sample(f"q{i:03d}", query, answer, contexts, dimensions={"topic": topic, "query_type": kind}))
    return tuple(made)


@pytest.fixture(scope="session")
def scores(samples: tuple[Sample, ...]) -> ScoreTable:
    """Scores that are low for multi-hop questions on mortgages; answers that are absent are unscored."""
    rng = np.random.default_rng(12)
    rows: dict[str, list[Score]] = {"groundedness": [], "answer_length": []}
    for position, sample in enumerate(samples):
        weak = sample.dimensions["topic"] == TOPICS[0] and sample.dimensions["query_type"] == "multi-hop"
        value = 0.0 if position == 0 else float(np.clip(rng.normal(0.45 if weak else 0.68, 0.16), 0.01, 1))
        absent = sample.answer is None
        rows["groundedness"].append(Score(None, "no answer") if absent else Score(value))
        rows["answer_length"].append(Score(None, "no answer") if absent else Score(float(rng.integers(5, 90))))
    provenance = Provenance(
        "0.1.0", content_hash(samples), ("groundedness", "answer_length"), {"all-MiniLM-L6-v2": "53aa"}
    )
    return score_table([sample.id for sample in samples], rows, provenance)


@pytest.fixture(scope="session")
def labels(scores: ScoreTable) -> tuple[Label, ...]:
    """300 labels of two people that follow the score, and 40 of a rule."""
    rng = np.random.default_rng(13)
    values = scores.frame["groundedness"].dropna().head(340)
    passed = rng.random(len(values)) < 1 / (1 + np.exp(-14 * (values.to_numpy() - 0.58)))
    return tuple(
        Label(str(i), "groundedness", int(p), "reference-rule", source="rule")
        if k >= 300
        else Label(str(i), "groundedness", int(p), ("ada", "ben")[k % 2])
        for k, (i, p) in enumerate(zip(values.index, passed, strict=True))
    )


@pytest.fixture(scope="session")
def evidence(samples: tuple[Sample, ...], scores: ScoreTable, labels: tuple[Label, ...]) -> Evidence:
    return evidence_of(samples, scores, labels)


@pytest.fixture(scope="session")
def german_evidence(samples: tuple[Sample, ...], scores: ScoreTable, labels: tuple[Label, ...]) -> Evidence:
    """The same as a report in German takes it: what is said of samples is German."""
    with edition("de"):
        return evidence_of(samples, scores, labels)


def evidence_of(samples: tuple[Sample, ...], scores: ScoreTable, labels: tuple[Label, ...]) -> Evidence:
    made = calibrate(labels, scores, criterion=CRITERION, metrics=["groundedness"])
    dimensions = pd.DataFrame([dict(s.dimensions) for s in samples], index=[s.id for s in samples])
    weaknesses = find_weaknesses(
        dimensions, scores.frame["groundedness"], metric="groundedness", direction="higher", pairs=True
    )
    directions = np.repeat(np.eye(8, dtype=np.float32), 5, axis=0) + np.arange(40)[:, None] * 1e-4
    topics = find_topics([f"{TOPICS[i // 10]} number {i}" for i in range(40)], directions.astype(np.float32), seed=7)
    twice = [label._replace(annotator=name) for label in labels[:60] for name in ("ada", "ben")]
    flipped = [label._replace(level=1 - label.level) if k % 9 == 0 else label for k, label in enumerate(twice)]
    judged = ratings(flipped, criterion=CRITERION)
    prepared = prepare_run(labels, scores, criterion=CRITERION, metrics=["groundedness"])
    return Evidence(
        project="Retail handbook assistant",
        created_at=datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
        version="0.1.0",
        description=f"Assistant over the retail handbook. {HOSTILE}",
        author="Model validation",
        runs=(
            run_evidence(
                "baseline", samples, scores, content_hash=content_hash(samples), filename="run.jsonl", format="hcat"
            ),
        ),
        metrics={
            "groundedness": MetricNote(
                say("Groundedness"), "higher", "HCAT 3.2", "Similarity of each answer sentence to its closest context."
            )
        },
        criteria=(CRITERION,),
        labels=label_evidence(labels, run="baseline", criterion=CRITERION),
        agreements=(
            AgreementEvidence(
                "baseline",
                "groundedness",
                agreement(judged, criterion=CRITERION, rng=np.random.default_rng(5), replicates=200),
            ),
        ),
        pass_rates=(
            PassRateEvidence(
                "baseline",
                "groundedness",
                ("groundedness",),
                "logistic",
                estimate_pass_rate(prepared.run),
                {"query_type": estimate_slices(prepared.run, [s.dimensions["query_type"] for s in samples])},
            ),
        ),
        calibrations=(calibration_evidence(made, scores, labels, criterion=CRITERION, run="baseline"),),
        weaknesses=(WeaknessEvidence("baseline", weaknesses),),
        worst=(
            worst_samples(
                samples,
                scores,
                run="baseline",
                metric="groundedness",
                title=say("Groundedness"),
                labels=resolve_labels(labels, CRITERION),
                count=3,
            ),
        ),
        findings=(
            FindingEvidence(
                "Multi-hop questions on mortgages are not grounded",
                "topic = mortgage, fixed rate, query_type = multi-hop",
                "high",
                "open",
                f"Confirmed on 12 samples. {HOSTILE}",
                "ada",
                datetime(2026, 3, 1, tzinfo=UTC),
                "Retail Models",
                date(2026, 6, 30),
                "ab" * 32,
            ),
        ),
        topics=(TopicEvidence("baseline", "queries", topics),),
        settings={"seed": 7, "embedder": "default"},
        hashes={"labels.csv": "0" * 64},
        packages=installed_versions(),
        commands=("hcat score run.jsonl -o scores.parquet", "hcat report --project retail -o report.html"),
    )
