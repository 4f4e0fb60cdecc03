"""BERTScore of an answer against the reference: best matches of word pieces, embedded in their whole text."""

from __future__ import annotations

from hcat.core.metrics.declaration import Explanation, Metric, Outcome, metric, scored, unscored
from hcat.core.metrics.reference import harmonic_mean
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.token_matching import Idf, MatchedTokens, TokenMatches
from hcat.core.types import JsonValue

FAMILY = "reference"
NEEDS = ("answer", "reference")
MODELS = ("tokens",)
SOURCE = "BERTScore (Zhang et al. 2020), section 3, last layer of the encoder, not rescaled"
SIDES = {"recall": ("reference", "answer"), "precision": ("answer", "reference")}
"""The text whose pieces are averaged over, and the text in which their matches are sought."""
FORMULAS = {
    "recall": r"\frac{\sum_i w_i \max_j \cos(r_i, a_j)}{\sum_i w_i}, \quad r_i, a_j = \text{states of word pieces}",
    "precision": r"\frac{\sum_j w_j \max_i \cos(a_j, r_i)}{\sum_j w_j}, \quad r_i, a_j = \text{states of word pieces}",
}
BY_IDF = "weights: ln((texts + 1) / (texts with the piece + 1)) over the run's references"


def _of_one_side(name: str, *, idf: bool) -> Metric:
    side, other = SIDES[name]

    def compute(sample: SampleView) -> Outcome:
        matches = sample.result(TokenMatches)
        if matches is None:
            return unscored("the encoder gave no token states")
        value = _mean(matches, side, sample.result(Idf) if idf else None)
        if value is None:
            return unscored(_no_weights(side, idf=idf))
        return scored(value, lambda: _explain(matches, side, other, sample.result(Idf) if idf else None))

    return metric(
        name=f"bertscore_{name}{'_idf' if idf else ''}",
        title=f"BERTScore {name}{', idf' if idf else ''}",
        family=FAMILY,
        needs=NEEDS,
        models=MODELS,
        source=SOURCE,
        description=f"Mean, over word pieces of the {side}, of the similarity to the best match in the {other}"
        + (", weighted by inverse document frequency." if idf else "."),
        parameters=_parameters(idf=idf),
        reads_whole_run=idf,
        formula=FORMULAS[name],
    )(compute)


def _f1(*, idf: bool) -> Metric:
    def compute(sample: SampleView) -> Outcome:
        matches = sample.result(TokenMatches)
        if matches is None:
            return unscored("the encoder gave no token states")
        weights = sample.result(Idf) if idf else None
        recall, precision = _mean(matches, "reference", weights), _mean(matches, "answer", weights)
        if recall is None or precision is None:
            return unscored(_no_weights("reference" if recall is None else "answer", idf=idf))
        value = harmonic_mean(precision, recall)
        return scored(value, lambda: {"precision": precision, "recall": recall})

    return metric(
        name=f"bertscore_f1{'_idf' if idf else ''}",
        title=f"BERTScore F1{', idf' if idf else ''}",
        family=FAMILY,
        needs=NEEDS,
        range=(0.0, 1.0),
        models=MODELS,
        source=f"{SOURCE}; harmonic mean, 0 unless recall and precision are both positive",
        description="Harmonic mean of BERTScore recall and precision"
        + (", both weighted by inverse document frequency." if idf else "."),
        parameters=_parameters(idf=idf),
        reads_whole_run=idf,
        formula=r"\frac{2 \, P \, R}{P + R}, \quad P, R = \text{BERTScore precision, recall}",
    )(compute)


def _mean(matches: TokenMatches, side: str, idf: Idf | None) -> float | None:
    """The weighted mean cosine of a side's pieces; None if no piece has weight."""
    tokens = _side(matches, side)
    weights = tokens.weights(idf)
    return None if weights is None else float(weights @ tokens.cosines)


def _side(matches: TokenMatches, side: str) -> MatchedTokens:
    return matches.answer if side == "answer" else matches.reference


def _no_weights(side: str, *, idf: bool) -> str:
    return f"every word piece of the {side} is in all references" if idf else f"no word pieces in the {side}"


def _parameters(*, idf: bool) -> dict[str, JsonValue]:
    return {"layer": "last", "weights": BY_IDF if idf else "equal"}


def _explain(matches: TokenMatches, side: str, other: str, idf: Idf | None) -> Explanation:
    """The explanation: each piece with its best match, as the tokenizer writes it, with ## for the rest of a word."""
    tokens, others = _side(matches, side), _side(matches, other)
    weights = tokens.weights(idf)
    rows: list[JsonValue] = [
        {
            "text": tokens.words[position],
            "match": others.words[tokens.best[position]],
            "match_position": int(tokens.best[position]),
            "score": float(tokens.cosines[position]),
            "weight": 0.0 if weights is None else float(weights[position]),
        }
        for position in range(len(tokens.ids))
        if not tokens.special[position]
    ]
    return {
        "part": side,
        "against": other,
        "aggregate": "mean" if idf is None else "mean weighted by idf",
        "tokens": rows,
        "pieces_left_out": {side: tokens.left_out, other: others.left_out},
    }


bertscore_recall, bertscore_precision = (_of_one_side(name, idf=False) for name in SIDES)
bertscore_f1 = _f1(idf=False)
bertscore_recall_idf, bertscore_precision_idf = (_of_one_side(name, idf=True) for name in SIDES)
bertscore_f1_idf = _f1(idf=True)
