"""D of the demo's reference answers hardly changes when passages about something else are added, passages are put in
another order, or a passage is cut in two between its sentences: with the packaged model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hcat.core.capabilities.demo.bank import read_handbook, read_test_cases
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.scoring.evaluate import explain_sample
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample
from tests.core.scoring.model_sets import model_set

TOLERANCE = 0.5
"""Of D. Sentences with D within ±1 are called supported or not with little confidence either way."""
CASES = 6


def _samples() -> list[Sample]:
    passages = {passage.id: Passage(passage.id, passage.text) for passage in read_handbook()}
    cases = [case for case in read_test_cases() if len(case.relevant_ids) == 1 and case.reference][:: 304 // CASES // 2]
    return [
        replace(case, answer=case.reference, contexts=tuple(passages[name] for name in case.relevant_ids))
        for case in cases[:CASES]
    ]


def _others(sample: Sample) -> tuple[Passage, ...]:
    """Passages of the handbook's other chapters."""
    prefix = next(iter(sample.relevant_ids)).split("-")[0]
    others = [passage for passage in read_handbook() if not passage.id.startswith(prefix)]
    rng = np.random.default_rng(7)
    return tuple(Passage(others[i].id, others[i].text) for i in rng.permutation(len(others))[:5])


def _cut(sample: Sample) -> Sample:
    pieces = []
    for passage in sample.contexts:
        places = sentences(passage.text)
        middle = places[len(places) // 2].start
        pieces += [Passage(f"{passage.id}/1", passage.text[:middle]), Passage(f"{passage.id}/2", passage.text[middle:])]
    return replace(sample, contexts=tuple(pieces))


def _distances(sample: Sample) -> np.ndarray:
    models = model_set(load_encoder(), load_entailment())
    explanation = explain_sample(sample, metrics="groundedness_nli", models=models)["groundedness_nli"]
    assert isinstance(explanation, dict)
    return np.array([row["D"] for row in explanation["sentences"]])  # type: ignore[index, call-overload, union-attr]


def test_distances_keep_to_a_tolerance_when_passages_are_added_reordered_or_cut() -> None:
    changes: dict[str, list[float]] = {"added": [], "reordered": [], "cut": []}
    for sample in _samples():
        more = (*_others(sample)[:3], *sample.contexts, *_others(sample)[3:])
        alone, among = _distances(sample), _distances(replace(sample, contexts=more))
        changes["added"] += np.abs(among - alone).tolist()
        changes["reordered"] += np.abs(_distances(replace(sample, contexts=more[::-1])) - among).tolist()
        changes["cut"] += np.abs(_distances(_cut(sample)) - alone).tolist()
    assert max(changes["reordered"]) < 1e-4
    assert max(changes["added"]) < TOLERANCE
    assert np.median(changes["cut"]) < TOLERANCE
