"""How well metrics agree with people: `python -m benchmarks.quality DATA`.

For each set of claims, the area under the ROC curve with a 95 % interval (bootstrap by document) of the trivial
opponents, of the packaged entailment model and of the combination; and of claims about one document, how often the
supported one is above the other. For FinanceBench, the area of each reference-based metric and of all combined, and
how well refusals are detected. Of each set at most `--most` claims are drawn with a fixed seed. DATA is the folder of
public sets; without it only the handbook's edits and the statements in five languages are measured.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.quality_answers import CORRECT, REFUSAL, correctness_columns, financebench, refusal_rows
from benchmarks.quality_pairs import development_sets, held_out_edits, languages
from benchmarks.quality_sets import Claim, QualitySet, handbook_edits, public_sets
from hcat.core.display.numbers import format_estimate
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.entailment import EntailmentModel
from hcat.core.models.nli.features import unsupported_numbers
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.scoring.evaluate import score_samples
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Estimate, Passage, Sample

RESAMPLES = 1000
MOST = 240
RANKED = ("token_groundedness", "groundedness_nli_min", "groundedness_combined")
"""The methods whose ranking of claims about one document is told."""
COMBINED_ABOVE = f"above overlap, {RANKED[-1]}"
METRICS = (
    "token_groundedness",
    "groundedness",
    "groundedness_min",
    "groundedness_nli",
    "groundedness_nli_min",
    "groundedness_nli_share",
    "faithfulness",
    "factual_numbers",
    "groundedness_combined",
)
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Quality:
    """The area under the ROC curve of one method on one set, or a difference of two, with its interval."""

    auc: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.auc:.3f} [{self.low:.3f}, {self.high:.3f}]"

    @property
    def standing(self) -> str:
        """Of a difference: "better" or "worse" where its interval lies on one side of 0, else "level"."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "level"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--model", default="default")
    parser.add_argument("--most", type=int, default=MOST, help="claims of a set, drawn with a fixed seed")
    parser.add_argument("--sets", nargs="*", help="only these sets, by name")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    model = load_entailment(arguments.model)
    print(f"{model.name}, revision {model.revision[:12]}")
    rows: dict[str, dict[str, str]] = {}
    for quality_set in _sets(arguments.data, most=arguments.most):
        if arguments.sets and quality_set.name not in arguments.sets:
            continue
        rows[quality_set.name] = measure(quality_set, model, most=arguments.most)
    for line in standings(rows):
        print(line)
    if arguments.data and not arguments.sets:
        rows |= measure_answers(arguments.data)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


def _sets(data: Path | None, *, most: int) -> Iterator[QualitySet]:
    yield handbook_edits()
    if data is not None:
        yield from public_sets(data)
        yield from held_out_edits(data, most=most)
        yield from development_sets(data, most=most)
    yield from languages()


def measure(quality_set: QualitySet, model: EntailmentModel, *, most: int) -> dict[str, str]:
    """Print and return the row of one set: method -> quality."""
    claims = drawn(quality_set.claims, most)
    columns = methods(claims, model)
    truth = np.array([claim.true for claim in claims])
    clusters = np.array([claim.group for claim in claims])
    words = np.mean([len(claim.context.split()) for claim in claims])
    share = f"true {truth.mean():.0%}"
    print(f"\n{quality_set.name} ({quality_set.note}): n = {len(claims)}, {share}, {words:.0f} words a context")
    row = {name: str(quality(truth, values, clusters)) for name, values in columns.items()}
    for name, text in row.items():
        print(f"  {name:<28}{text}", flush=True)
    for name in RANKED[1:]:
        beside = above_overlap(truth, columns[name], columns[RANKED[0]], clusters)
        row[f"above overlap, {name}"] = f"{beside}, {beside.standing}"
        print(f"  above overlap, {name:<24}{beside}, {beside.standing}", flush=True)
    pairs = np.arange(len(claims)) // 2 if _twinned(claims) else clusters
    for name in RANKED:
        row[f"ranked right, {name}"] = format_estimate(ranked_right(truth, columns[name], pairs.astype(str), clusters))
        print(f"  ranked right, {name:<28}{row[f'ranked right, {name}']}", flush=True)
    least = columns["groundedness_nli_min"]
    row["called true at D > 0"] = (
        f"{(least[truth] > 0.5).mean():.2f} of true, {(least[~truth] > 0.5).mean():.2f} of false"
    )
    print(f"  called true at D > 0: {row['called true at D > 0']}", flush=True)
    return {"n": str(len(claims)), **row}


def standings(rows: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """For the combination: how many sets it is better, level and worse on than token overlap, and a line for each."""
    beside = {name: row[COMBINED_ABOVE] for name, row in rows.items() if COMBINED_ABOVE in row}
    counts = Counter(text.rpartition(", ")[2] for text in beside.values())
    yield f"\n{RANKED[-1]} against token overlap, {len(beside)} sets: " + ", ".join(
        f"{standing} on {counts[standing]}" for standing in ("better", "level", "worse")
    )
    yield "Level: the interval of the difference, by documents drawn anew for both, holds 0."
    for name, text in beside.items():
        yield f"  {name:<28}{text}"


def measure_answers(data: Path) -> dict[str, dict[str, str]]:
    """Print and return the rows of FinanceBench: correctness, alone and combined, and refusals."""
    labelled = financebench(data)
    truth = labelled.label == CORRECT
    columns = correctness_columns(labelled)
    print(f"\nFinanceBench correctness: n = {len(truth)}, correct {truth.mean():.0%}, folds and draws by question")
    rows = {name: str(quality(truth, values, labelled.question)) for name, values in columns.items()}
    for name, text in rows.items():
        print(f"  {name:<28}{text}", flush=True)
    print(f"\nFinanceBench refusals: n = {len(truth)}, refused {(labelled.label == REFUSAL).mean():.0%}")
    refusals = dict(refusal_rows(labelled))
    for name, text in refusals.items():
        print(f"  {name:<28}{text}", flush=True)
    return {"FinanceBench correctness": rows, "FinanceBench refusals": refusals}


def drawn(claims: Sequence[Claim], most: int) -> list[Claim]:
    """At most so many claims: a seeded draw in which true and false twins stay together."""
    order = np.random.default_rng(1).permutation(len(claims) // 2 if _twinned(claims) else len(claims))
    if _twinned(claims):
        order = np.repeat(2 * order, 2) + np.tile([0, 1], len(order))
    return [claims[index] for index in order[:most]]


def methods(claims: Sequence[Claim], model: EntailmentModel) -> dict[str, Column]:
    """Each metric's value for each claim as an answer without a query; higher is better supported.

    A claim that the metrics take for a refusal counts as in the middle: they leave it unscored.
    """
    samples = [
        Sample(str(place), "", claim.text, (Passage("context", claim.context),)) for place, claim in enumerate(claims)
    ]
    table = score_samples(samples, metrics=METRICS, models=ModelSet((ENCODER.of(load_encoder()), ENTAILMENT.of(model))))
    columns = {name: _filled(table.values(name)) for name in METRICS}
    numbers = [-len(unsupported_numbers(claim.context, claim.text)) for claim in claims]
    overlap = columns["token_groundedness"]
    return {
        **columns,
        "numbers found": np.array(numbers, dtype=np.float64),
        "nli + token overlap": (columns["groundedness_nli"] + overlap) / 2,
        "nli minimum + token overlap": (columns["groundedness_nli_min"] + overlap) / 2,
    }


def quality(truth: NDArray[np.bool_], values: Column, clusters: NDArray[np.str_], *, seed: int = 7) -> Quality:
    """The area with a percentile bootstrap that draws whole documents."""
    areas = weighted_areas(truth, values, document_draws(clusters, seed))
    low, high = np.quantile(areas[np.isfinite(areas)], [0.025, 0.975])
    return Quality(float(roc_auc_score(truth, values)), float(low), float(high))


def above_overlap(
    truth: NDArray[np.bool_], values: Column, overlap: Column, clusters: NDArray[np.str_], *, seed: int = 7
) -> Quality:
    """By how much the area is above that of token overlap on the same claims, with a paired interval: both are drawn
    with the same documents. Below 0 as a whole, the method is worse than overlap."""
    draws = document_draws(clusters, seed)
    differences = weighted_areas(truth, values, draws) - weighted_areas(truth, overlap, draws)
    low, high = np.quantile(differences[np.isfinite(differences)], [0.025, 0.975])
    return Quality(float(roc_auc_score(truth, values) - roc_auc_score(truth, overlap)), float(low), float(high))


def document_draws(clusters: NDArray[np.str_], seed: int) -> Column:
    """How often each claim (n,) counts in each of the resamples of whole documents: (RESAMPLES, n)."""
    rng = np.random.default_rng(seed)
    names, member = np.unique(clusters, return_inverse=True)
    drawn_clusters = (rng.integers(len(names), size=len(names)) for _ in range(RESAMPLES))
    return np.array([np.bincount(chosen, minlength=len(names))[member] for chosen in drawn_clusters], dtype=np.float64)


def weighted_areas(truth: NDArray[np.bool_], values: Column, weights: Column) -> Column:
    """The area for each row of `weights` (m, n): how often each of the n claims counts; NaN without both classes."""
    difference = values[truth][:, None] - values[~truth][None, :]
    above = (difference > 0) + 0.5 * (difference == 0)
    true, false = weights[:, truth], weights[:, ~truth]
    pairs = true.sum(axis=1) * false.sum(axis=1)
    right = ((true @ above) * false).sum(axis=1)
    return np.divide(right, pairs, out=np.full(len(weights), np.nan), where=pairs > 0)


def ranked_right(
    truth: NDArray[np.bool_], values: Column, pairs: NDArray[np.str_], clusters: NDArray[np.str_]
) -> Estimate:
    """Among the claims of one document (of two twins), the share of supported and unsupported ones in the right order,
    ties counting half; the mean over documents (twins), with an interval by document."""
    shares, documents = [], []
    for name in np.unique(pairs):
        of_pair = pairs == name
        above = values[of_pair & truth][:, None] - values[of_pair & ~truth][None, :]
        if above.size:
            shares.append(float((above > 0).mean() + 0.5 * (above == 0).mean()))
            documents.append(str(clusters[of_pair][0]))
    return mean_interval(np.array(shares), clusters=np.array(documents), within=(0.0, 1.0))


def _filled(values: Column) -> Column:
    return np.where(np.isnan(values), np.nanmedian(values), values)


def _twinned(claims: Sequence[Claim]) -> bool:
    return len(claims) % 2 == 0 and all(a.true and not b.true for a, b in zip(claims[::2], claims[1::2], strict=True))


if __name__ == "__main__":
    main()
