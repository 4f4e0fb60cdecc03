"""Fit the coefficients of `groundedness_combined`: `python -m training.combined --data ../shared/data`.

Claims about documents from the training sets alone, of groups that the entailment weights were not trained on; each
set counts alike, and in it supported and unsupported claims. Besides single claims there are answers of two to four
claims with all their documents as contexts, supported where every claim is, so that the fit can decide between the
mean and the least sentence. Prints how well each set is told by coefficients fitted on the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from hcat.core.metrics.combination import COEFFICIENTS
from hcat.core.metrics.entailment import SENTENCES
from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.support_inputs import INPUTS, sentence_support, support_inputs
from hcat.core.metrics.verdicts import missing_verdict, verdicts_of
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.scoring.block import segmented_blocks
from hcat.core.scoring.steps.step import StepInputs
from hcat.core.scoring.steps.table import prepared_steps
from hcat.core.types import Passage, Sample
from training.pair_sets import LabelledClaim, draw_groups, read_claims
from training.sources import document_key, for_measuring, grounded_pairs, held_out

SEED = 20261123
PENALTY = 5.0
ENDS = (0.02, 0.98)
"""The quantiles of an input between which it counts."""
LONGEST = 1500
"""Words of a document: longer ones are left out."""

DOCUMENTS = (
    *("bump", "cg2c_doc", "contractnli", "defacto", "evidence_inference", "factcheck_bench"),
    *("fever_bin", "feverous", "fm2", "infotabs", "tabfact", "xsumfaith"),
)
"""The training sets whose premises are documents or tables: half of them have 25 words and more."""
DIALOGUES = ("BEGIN", "FaithDial audit")
MEASURED = frozenset({"bump", "cg2c_doc", "defacto"})
"""Of these, half of what is held out measures and is not read here."""

Column = NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """An answer of one claim or several, with their documents."""

    claims: tuple[LabelledClaim, ...]
    set_name: str

    @property
    def supported(self) -> bool:
        return all(claim.supported for claim in self.claims)

    @property
    def stratum(self) -> tuple[str, bool, bool]:
        """Set, single or joined, supported or not: each counts as much as any other."""
        return self.set_name, len(self.claims) > 1, self.supported

    def sample(self, name: str) -> Sample:
        texts = [claim.text.strip() for claim in self.claims]
        whole = " ".join(text if text[-1:] in ".!?" or len(texts) == 1 else f"{text}." for text in texts)
        return Sample(
            name, "", whole, tuple(Passage(str(place), claim.document) for place, claim in enumerate(self.claims))
        )


@dataclass(frozen=True)
class Fit:
    """Coefficients ≥ 0 of inputs that were scaled to [0, 1] between `low` and `high`."""

    intercept: float
    coefficients: Column
    low: Column
    high: Column

    def log_odds(self, X: Column) -> Column:
        return np.asarray(self.intercept + _scaled(X, self.low, self.high) @ self.coefficients, dtype=np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=150, help="claims of a set, by whole documents")
    parser.add_argument("--out", type=Path, default=COEFFICIENTS)
    arguments = parser.parse_args()
    start = time.perf_counter()
    model = load_entailment()
    models = ModelSet((ENCODER.of(load_encoder()), ENTAILMENT.of(model)))
    answers, rows = [], []
    for drawn in answers_by_set(arguments.data, arguments.rows):
        for answer, inputs in zip(drawn, inputs_of(drawn, models), strict=True):
            if inputs is not None:
                answers.append(answer)
                rows.append(inputs)
        _say(f"{drawn[0].set_name}: {len(drawn)} answers, {time.perf_counter() - start:.0f} s")
    X, supported = np.array(rows), np.array([answer.supported for answer in answers])
    strata = [answer.stratum for answer in answers]
    _report(X, supported, strata)
    fitted = fit(X, supported, stratum_weights(strata))
    _write(arguments.out, fitted, model.revision, strata)
    _say(arguments.out.read_text("utf-8"))


def answers_by_set(data: Path, most: int) -> Iterator[list[Answer]]:
    """For each set at most so many claims of whole documents, and a third as many joined answers of these claims."""
    measured = _measured_documents(data)
    for name in (*DOCUMENTS, *DIALOGUES):
        rng = np.random.default_rng(SEED)
        claims = [
            claim
            for claim in (_dialogue(data, name) if name in DIALOGUES else _held_out(data, name))
            if document_key(claim.document) not in measured and len(claim.document.split()) <= LONGEST
        ]
        drawn = draw_groups([claim for claim in claims if claim.text.strip()], most=most, rng=rng)
        yield [Answer((claim,), name) for claim in drawn] + joined(drawn, name, count=most // 3, rng=rng)


def joined(claims: Sequence[LabelledClaim], name: str, *, count: int, rng: np.random.Generator) -> list[Answer]:
    """Answers of two to four claims; every second one has an unsupported claim at a random place."""
    right = [claim for claim in claims if claim.supported]
    wrong = [claim for claim in claims if not claim.supported]
    answers = []
    for place in range(count):
        size = int(rng.integers(2, 5))
        if len(right) < size or not wrong:
            break
        chosen = [right[index] for index in rng.choice(len(right), size, replace=False)]
        if place % 2:
            chosen[int(rng.integers(size))] = wrong[int(rng.integers(len(wrong)))]
        answers.append(Answer(tuple(chosen), name))
    return answers


def inputs_of(answers: Sequence[Answer], models: ModelSet) -> list[tuple[float, ...] | None]:
    """The inputs of each answer, as scoring computes them; None where scoring would leave it unscored."""
    samples = [answer.sample(str(place)) for place, answer in enumerate(answers)]
    steps = prepared_steps(StepInputs((find_metric("groundedness_combined"),), models, MemoryEmbeddings(), samples))
    rows: list[tuple[float, ...] | None] = []
    for _, block in segmented_blocks(samples):
        for step in steps:
            block = step(block, None)
        rows += [_inputs(view) for view in block]
    return rows


def fit(X: Column, y: NDArray[np.bool_], weights: Column, *, penalty: float = PENALTY, least: float = 0.0) -> Fit:
    """Minimises Σ w·log-loss + penalty/2 · Σ coefficient², every coefficient ≥ `least`; the intercept is free.

    `X` (n, inputs) is scaled between its quantiles `ENDS`; where these agree, between its ends. Weights are scaled to a
    mean of 1.
    """
    low, high = _ends(X)
    design = np.column_stack([np.ones(len(X)), _scaled(X, low, high)])
    sign, weight = np.where(y, 1.0, -1.0), weights / weights.mean()
    ridge = np.append(0.0, np.full(X.shape[1], penalty))

    def loss(beta: Column) -> tuple[float, Column]:
        margin = sign * (design @ beta)
        slope = -sign * weight / (1.0 + np.exp(np.clip(margin, -500, 500)))
        return float(weight @ np.logaddexp(0.0, -margin) + ridge @ beta**2 / 2), design.T @ slope + ridge * beta

    bounds = [(None, None), *((least, None) for _ in range(X.shape[1]))]
    result = minimize(
        loss,
        np.zeros(design.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 5000, "ftol": 1e-14, "gtol": 1e-9},
    )
    return Fit(float(result.x[0]), np.asarray(result.x[1:], dtype=np.float64), low, high)


def stratum_weights(strata: Sequence[tuple[str, bool, bool]]) -> Column:
    """Each stratum counts alike, whatever its size; joined answers half as much as single claims."""
    sizes = {stratum: strata.count(stratum) for stratum in set(strata)}
    return np.array([(0.5 if stratum[1] else 1.0) / sizes[stratum] for stratum in strata])


def _held_out(data: Path, name: str) -> list[LabelledClaim]:
    claims = read_claims(data / "nli" / "pairs" / "train" / f"{name}.jsonl.xz")
    fitted = [claim for claim in claims if held_out(name, claim.group)]
    return [claim for claim in fitted if name not in MEASURED or not for_measuring(name, claim.group)]


def _dialogue(data: Path, name: str) -> list[LabelledClaim]:
    return [
        LabelledClaim(pair.premise, pair.hypothesis, bool(pair.entailed), pair.group, "")
        for pair in grounded_pairs(data)
        if pair.source == name and pair.split == "dev"
    ]


def _measured_documents(data: Path) -> frozenset[str]:
    """Keys of the documents of every set that is kept for measuring."""
    files = sorted((data / "nli" / "pairs" / "dev").glob("*.jsonl.xz"))
    return frozenset(document_key(claim.document) for file in files for claim in read_claims(file))


def _inputs(view: SampleView) -> tuple[float, ...] | None:
    if not view.parts["answer"] or missing_verdict(view, SENTENCES) is not None:
        return None
    return support_inputs(sentence_support(view, verdicts_of(view)[SENTENCES]))


def _ends(X: Column) -> tuple[Column, Column]:
    low, high = np.quantile(X, ENDS, axis=0)
    flat = high <= low
    low, high = np.where(flat, X.min(axis=0), low), np.where(flat, X.max(axis=0), high)
    return low, np.where(high <= low, low + 1.0, high)


def _scaled(X: Column, low: Column, high: Column) -> Column:
    return np.clip((X - low) / (high - low), 0.0, 1.0)


def _report(X: Column, y: NDArray[np.bool_], strata: Sequence[tuple[str, bool, bool]]) -> None:
    names = np.array([stratum[0] for stratum in strata])
    several = np.array([stratum[1] for stratum in strata])
    for name in np.unique(names):
        others = names != name
        fitted = fit(X[others], y[others], stratum_weights([strata[row] for row in np.flatnonzero(others)]))
        for kind, rows in (("claims", ~others & ~several), ("joined", ~others & several)):
            if 0 < y[rows].sum() < rows.sum():
                combined, alone = (roc_auc_score(y[rows], values[rows]) for values in (fitted.log_odds(X), X[:, 1]))
                _say(f"{name}, {kind}, n = {rows.sum()}: AUC {combined:.3f}, least sentence alone {alone:.3f}")


def _write(file: Path, fitted: Fit, entailment: str, strata: Sequence[tuple[str, bool, bool]]) -> None:
    terms = [
        {"name": each.name, "low": round(low, 4), "high": round(high, 4), "coefficient": round(coefficient, 4)}
        for each, low, high, coefficient in zip(
            INPUTS, fitted.low.tolist(), fitted.high.tolist(), fitted.coefficients.tolist(), strict=True
        )
    ]
    answers = {name: sum(stratum[0] == name for stratum in strata) for name in (*DOCUMENTS, *DIALOGUES)}
    document = {"entailment": entailment, "intercept": round(fitted.intercept, 4), "terms": terms}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**document, "seed": SEED, "answers": answers}, indent=1) + "\n", "utf-8")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
