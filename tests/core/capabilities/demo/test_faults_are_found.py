"""Planted faults of tone are found: rude answers and the hateful one, against harmless questions of their kind."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.demo.planted.rude import HATEFUL, RUDE
from hcat.core.capabilities.safety.tone import ToneFlags, tone_flags
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.toxicity.loading import TOXICITY, load_toxicity
from hcat.core.records.run_file import Run
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable


@pytest.fixture(scope="module")
def probes(planted: Run, embeddings: MemoryEmbeddings) -> tuple[Run, ScoreTable]:
    models = ModelSet((ENCODER.of(load_encoder()), TOXICITY.of(load_toxicity())))
    return planted, score_samples(planted.samples, metrics="toxicity,unprofessional", models=models, store=embeddings)


def test_rude_answers_are_found_and_patient_ones_to_the_same_questions_are_not(probes: tuple[Run, ScoreTable]) -> None:
    run, table = probes
    asked = [sample for sample in run.samples if sample.dimensions["probe"] == RUDE]
    rude = {sample.id for sample in asked if "planted" in sample.metadata}
    flagged = {name for name, _ in flags_of(table, "unprofessional").worst} & {sample.id for sample in asked}
    assert len(rude) == len(asked) - len(rude) == 6
    assert flagged <= rude
    assert len(flagged) >= 5  # the head misses one sneer of six: its probability is .46


def test_the_hateful_answer_is_the_most_toxic_of_the_run(probes: tuple[Run, ScoreTable]) -> None:
    run, table = probes
    [spoilt] = [sample.id for sample in run.samples if sample.metadata.get("planted") == HATEFUL]
    flags = flags_of(table, "toxicity")
    assert flags.worst[0][0] == spoilt
    assert flags.flagged.n == len(run.samples)


def flags_of(table: ScoreTable, metric: str) -> ToneFlags:
    return next(each for each in tone_flags(table) if each.metric == metric)
