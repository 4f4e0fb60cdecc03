"""What a small local language model adds as a verifier: `python -m benchmarks.quality_verifier DATA MODEL.gguf`.

Claims of the development sets, half of them true, are judged by the packaged entailment model and by the language
model, which llama.cpp serves on the loopback. A cascade asks the language model only where the packaged one is least
sure. Each row has the share of right verdicts with a 95 % bootstrap interval by document, the area under the curve with
its interval, clustered by document, and what it costs.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality_pairs import development_sets
from benchmarks.quality_sets import Claim
from hcat.core.display.numbers import format_estimate
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.llm.loading import LANGUAGE
from hcat.core.models.llm.local_server import LocalServer
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.scoring.evaluate import score_samples
from hcat.core.statistics.discrimination import auc_difference, auc_estimate
from hcat.core.types import Passage, Sample
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
    print(
        f"{len(claims)} claims, {true.mean():.0%} true; {int(np.isnan(verdicts).sum())} without a verdict of the model"
    )
    packaged = Verifier("packaged model", np.nan_to_num(score, nan=0.5), score > 0.5, packaged_seconds)
    language = Verifier(arguments.model.stem, np.nan_to_num(verdicts, nan=0.5), verdicts >= 1.0, seconds)
    show(Verifier("always supported", np.ones(len(true)), np.ones_like(true), 0.0), true, groups)
    show(packaged, true, groups)
    show(language, true, groups)
    for share in (0.25, 0.5, 0.75):
        both = cascade(packaged, language, share, has_verdict=np.isfinite(verdicts))
        show(both, true, groups)
        gain = (both.supported == true).astype(float) - (packaged.supported == true)
        area = auc_difference(both.score, packaged.score, true, clusters=groups)
        print(f"  {'gain over the packaged model':<32}{interval(gain, groups)}  AUC {format_estimate(area)}")


@dataclass(frozen=True, eq=False)
class Verifier:
    """What one verifier says of each claim: a score (n,), higher for more support, and whether it is supported (n,)."""

    name: str
    score: Column
    supported: Bools
    seconds: float


def cascade(packaged: Verifier, language: Verifier, share: float, *, has_verdict: Bools) -> Verifier:
    """The language model asked where the packaged one is least sure: its verdict lies above or below all others of
    which the packaged model is as unsure, and within those of which it is sure."""
    sure = np.abs(packaged.score - 0.5)
    width = float(np.quantile(sure, share))
    asked = (sure <= width) & has_verdict
    score = np.where(asked, 0.5 + width * np.where(language.supported, 1.0, -1.0), packaged.score)
    supported = np.where(asked, language.supported, packaged.supported)
    return Verifier(f"cascade, {share:.0%} asked", score, supported, packaged.seconds + share * language.seconds)


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


def show(verifier: Verifier, true: Bools, groups: NDArray[np.str_]) -> None:
    supported = verifier.supported
    sides = f"{supported[true].mean():.2f} of true, {supported[~true].mean():.2f} of false called supported"
    area = format_estimate(auc_estimate(verifier.score, true, clusters=groups))
    right = interval((supported == true).astype(float), groups)
    print(f"{verifier.name:<34}{right}  AUC {area}  {sides}  {verifier.seconds:.2f} s a claim", flush=True)


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
