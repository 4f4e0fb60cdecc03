"""Words for metrics and scores."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "metric",
        "metric",
        "A named function of a sample, such as groundedness or answer F1. The Metrics page has its formula and source.",
        "HCAT 3",
    ),
    Term(
        "score",
        "score",
        "The value of a metric on one sample. By itself it says nothing about whether people would pass the answer.",
        "HCAT 3",
    ),
    Term(
        "unscored",
        "unscored",
        "Without a score, for a stated reason such as a missing reference. An unscored sample is never counted as "
        "zero; every mean says how many it leaves out.",
    ),
    Term(
        "machine-says",
        "machine says",
        "The mean of a metric's verdicts, uncorrected. It has no interval, since it says what the machine decided and "
        "not the share that people would confirm.",
        "docs/decisions/0011-machine-verdicts.md",
        ("machine verdict",),
    ),
    Term(
        "similarity",
        "similarity",
        "The cosine of the embeddings of two sentences: 1 for the same direction, 0 for unrelated ones. It measures "
        "likeness of wording and subject, not truth.",
        "HCAT 3",
        ("cosine",),
    ),
    Term(
        "groundedness",
        "groundedness",
        "How far the contexts support each sentence of the answer, by similarity or by entailment.",
        "HCAT 3.2",
    ),
    Term(
        "combined-groundedness",
        "groundedness, combined",
        "A score between 0 and 1 learned from public sets: entailment, words, numbers, names and negation of an answer "
        "against its contexts in one logistic curve that never falls where one of them speaks for support. Your labels "
        "say whether it is fit for use.",
        "docs/decisions/0022-groundedness-combined.md",
        ("learned combination",),
    ),
    Term(
        "context-relevancy",
        "context relevancy",
        "How far the contexts address the query: for each query sentence, the similarity to its best match.",
        "HCAT 3.1",
    ),
    Term(
        "completeness",
        "completeness",
        "How far the answer covers what the contexts say: for each context sentence, the similarity to its best match, "
        "or one minus the transport cost.",
        "HCAT 3.3",
    ),
    Term(
        "answer-relevancy",
        "answer relevancy",
        "How far each sentence of the answer bears on the query.",
        "HCAT 3.4",
    ),
    Term(
        "recall-precision-f1",
        "recall, precision, F1",
        "Recall is the share of what should be there that is there; precision the share of what is there that should "
        "be. F1 is their harmonic mean.",
        "van Rijsbergen 1979",
        ("F1", "recall", "precision"),
    ),
    Term(
        "transport-plan",
        "transport plan",
        "Which share of each context sentence is moved to which answer sentence at the least total distance. One minus "
        "that least cost W is completeness by transport.",
        "HCAT 3.3.2; Peyré and Cuturi 2019",
        ("optimal transport",),
    ),
    Term(
        "entailment",
        "entailment",
        "Whether a statement follows from a premise, as decided by a model for natural language inference (NLI).",
        "HCAT 3.2.2",
        ("NLI",),
    ),
    Term(
        "distance-d",
        "D",
        "The signed distance of a premise and a statement from the NLI model's decision boundary; the best premise "
        "counts. Above 0 the statement is entailed.",
        "HCAT 3.2.2",
        ("Distance D",),
    ),
    Term(
        "sigma-d",
        "σ(D)",
        "The distance D mapped to a score between 0 and 1 by the logistic function. It is not a probability until "
        "labels calibrate it.",
        "HCAT 3.2.2",
    ),
    Term(
        "claim",
        "claim",
        "A sentence or clause that states something that can be verified. Faithfulness is the share of the answer's "
        "claims that the contexts support.",
        "LEGAL",
        ("faithfulness",),
    ),
    Term(
        "stages",
        "stage 1, stage 2",
        "Of retrieval: the first search, with up to 100 candidates, and the choice of the few contexts that the answer "
        "is written from. Of a calibration: the map to a probability, and the threshold of the prediction sets.",
        "FUNNEL 1; HCAT 5",
        ("stage 1", "stage 2"),
    ),
    Term(
        "ceiling",
        "ceiling",
        "The recall that stage 1 leaves possible for stage 2. What is no candidate can't become a context.",
        "FUNNEL 1",
        ("attainable recall",),
    ),
    Term(
        "ndcg-map-rr",
        "nDCG, average precision, reciprocal rank",
        "Measures of a ranking that count what stands high more; 1 is best. They are computed as trec_eval does.",
        "Järvelin and Kekäläinen 2002; Voorhees and Harman 2005",
        ("nDCG", "reciprocal rank"),
    ),
    Term(
        "spearman",
        "Spearman's ρ",
        "The correlation of ranks of two metrics over the samples that both scored. Near 1 both order samples alike.",
        "Spearman 1904",
    ),
)
