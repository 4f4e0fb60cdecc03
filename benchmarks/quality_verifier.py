"""What a small local language model adds as a verifier: `python -m benchmarks.quality_verifier DATA MODEL.gguf`.

Claims of the development sets, half of them true, are judged by the packaged entailment model and by the language
model, which llama.cpp serves on the loopback. A cascade asks the language model only where the packaged one is least
sure. Each row has the share of right verdicts with a 95 % bootstrap interval by document, and what it costs.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality_pairs import development_sets
from benchmarks.quality_sets import Claim
from core.models.encoder.encoder import ENCODER, load_encoder
from core.models.llm.endpoint import Limits, OpenAILanguage
from core.models.llm.loading import LANGUAGE
from core.models.llm.local_server import LocalServer
from core.models.model_set import ModelSet
from core.models.nli.loading import ENTAILMENT, load_entailment
from core.scoring.evaluate import score_samples
from core.types import Passage, Sample
from training.public_pairs import evidence

WORDS = 150
"""Words of the evidence that both models read: those sentences that cover the claim's words."""

AT_ONCE = 5
"""Claims after which the verdicts so far are written down."""

Bools = NDArray[np.bool_]
Column = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--verdicts", type=Path, help="the language model's verdicts: written, or read where they are")
    arguments = parser.parse_args()
    claims = balanced(arguments.data, arguments.rows)
    rng = np.random.default_rng(1)
    evidence_texts = [evidence(claim.context, claim.text, rng, words=WORDS) for claim in claims]
    true = np.array([claim.true for claim in claims])
    groups = np.array([claim.group for claim in claims])
    score, packaged_seconds = packaged_scores(claims, evidence_texts)
    verdicts, seconds = language_verdicts(claims, evidence_texts, arguments)
    entailed, supported = score > 0.5, verdicts >= 1.0
    unjudged = int(np.isnan(verdicts).sum())
    print(f"{len(claims)} claims, {true.mean():.0%} true; {unjudged} without a verdict of the language model")
    show("always supported", np.ones_like(true), true, groups, 0.0)
    show("packaged model", entailed, true, groups, packaged_seconds)
    show(arguments.model.stem, supported, true, groups, seconds)
    sure = np.abs(np.nan_to_num(score, nan=0.5) - 0.5)
    for share in (0.25, 0.5, 0.75):
        asked = sure <= np.quantile(sure, share)
        mixed = np.where(asked & np.isfinite(verdicts), supported, entailed)
        show(f"cascade, {share:.0%} asked", mixed, true, groups, packaged_seconds + share * seconds)
        gain = (mixed == true).astype(float) - (entailed == true)
        print(f"  {'gain over the packaged model':<32}{interval(gain, groups)}")


def packaged_scores(claims: Sequence[Claim], evidence_texts: Sequence[str]) -> tuple[Column, float]:
    """The least sentence's score of each claim (n,), and the seconds that one took."""
    began = time.perf_counter()
    answers = [
        Sample(str(place), "", claim.text, (Passage("p", text),))
        for place, (claim, text) in enumerate(zip(claims, evidence_texts, strict=True))
    ]
    models = ModelSet((ENCODER.of(load_encoder()), ENTAILMENT.of(load_entailment("default"))))
    table = score_samples(answers, metrics=["groundedness_nli_min"], models=models)
    return table.values("groundedness_nli_min"), (time.perf_counter() - began) / len(claims)


def language_verdicts(
    claims: Sequence[Claim], evidence_texts: Sequence[str], arguments: argparse.Namespace
) -> tuple[Column, float]:
    """1 where the language model calls the claim supported, 0 where not, NaN without a verdict (n,), and the seconds
    that one took. Each claim is the reference of a sample whose context recall the language model verifies."""
    texts = [claim.text for claim in claims]
    file: Path | None = arguments.verdicts
    verdicts, seconds = _saved(file, texts) if file and file.exists() else ([], 0.0)
    if len(verdicts) == len(claims):
        return np.array(verdicts), seconds / len(claims)
    samples = [
        Sample(str(place), "", None, (Passage("p", text),), claim.text)
        for place, (claim, text) in enumerate(zip(claims, evidence_texts, strict=True))
    ]
    server = LocalServer(arguments.model, threads=arguments.threads, context=4096)
    limits = Limits(timeout=300.0, attempts=2, backoff=0.0, tokens=400, parallel=1)
    language = OpenAILanguage(name=arguments.model.stem, base_url=server.address, limits=limits)
    models = ModelSet((ENCODER.of(load_encoder()), LANGUAGE.of(language)), verifier="llm")
    for start in range(len(verdicts), len(samples), AT_ONCE):
        began = time.perf_counter()
        table = score_samples(samples[start : start + AT_ONCE], metrics=["context_recall"], models=models)
        verdicts += table.values("context_recall").tolist()
        seconds += time.perf_counter() - began
        if file:
            file.write_text(json.dumps({"claims": texts, "verdicts": verdicts, "seconds": seconds}))
    return np.array(verdicts), seconds / len(claims)


def _saved(file: Path, texts: Sequence[str]) -> tuple[list[float], float]:
    saved = json.loads(file.read_text())
    if saved["claims"] != texts:
        raise SystemExit(f"{file} holds verdicts of other claims: remove it")
    return list(saved["verdicts"]), float(saved["seconds"])


def balanced(data: Path, rows: int) -> list[Claim]:
    """As many true as false claims of each development set, from different documents first, drawn with a fixed seed."""
    rng = np.random.default_rng(2)
    sets = list(development_sets(data, most=4 * rows))
    chosen: list[Claim] = []
    for quality_set in sets:
        for side in (True, False):
            of_side = [claim for claim in quality_set.claims if claim.true is side]
            order = rng.permutation(len(of_side))[: rows // (2 * len(sets)) + 1]
            chosen += [of_side[index] for index in order]
    return [chosen[index] for index in rng.permutation(len(chosen))[:rows]]


def show(name: str, verdicts: Bools, true: Bools, groups: NDArray[np.str_], seconds: float) -> None:
    right = (verdicts == true).astype(float)
    sides = f"{verdicts[true].mean():.2f} of true, {verdicts[~true].mean():.2f} of false called supported"
    print(f"{name:<34}{interval(right, groups)}  {sides}  {seconds:.2f} s a claim", flush=True)


def interval(values: NDArray[np.float64], groups: Sequence[str] | NDArray[np.str_]) -> str:
    """The mean with a 95 % percentile interval over documents drawn with replacement."""
    names, codes = np.unique(groups, return_inverse=True)
    sums, n = np.bincount(codes, weights=values), np.bincount(codes)
    rng = np.random.default_rng(3)
    drawn = rng.integers(0, len(names), (2000, len(names)))
    low, high = np.quantile(sums[drawn].sum(1) / n[drawn].sum(1), [0.025, 0.975])
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
