"""Results with numbers made up, one of each kind that commands print as JSON."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from hcat.core.calibration.checks.comparison import Candidate, Comparison
from hcat.core.calibration.checks.exchangeability import ExchangeabilityCheck, FeatureDifference
from hcat.core.capabilities.agreement.summary import Agreement
from hcat.core.capabilities.trials.answer_diversity import AnswerDiversity, CaseDiversity
from hcat.core.capabilities.trials.variance_components import Component, ComponentSplit
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.probabilistic import CaseScore, ProbabilisticScores
from hcat.core.estimates.slices import SliceEstimate
from hcat.core.figures.reliability import ReliabilityDiagram, ReliabilityPoint
from hcat.core.types import Estimate
from hcat.core.view.tree import (
    Bullets,
    Callout,
    Column,
    Figure,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Quotation,
    Report,
    SampleExcerpt,
    Samples,
    Section,
    Table,
)

HALF = Estimate(0.5, 0.25, 0.75, 8, 0.9, "Wilson")
NONE = Estimate(math.nan, math.nan, math.nan, 0, method="ü")
PASS_RATE = PassRateEstimates(HALF, NONE, HALF, 0.75, math.nan, 12.5, 0.1, 0.2, 40, 8, 2, "strata")
CANDIDATES = tuple(
    Candidate(method, metrics, HALF, HALF, NONE, HALF, HALF, NONE, HALF, 0.125, 7)
    for method, metrics in (("logistic", ("a",)), ("combined", ("a", "b")))
)
BASE_RATE = Candidate("base rate", (), HALF, HALF, NONE, HALF, HALF, NONE, NONE, 0.125, 8)
RESULTS = {
    "agreement": Agreement(9, 3, {"raw": HALF, "alpha": NONE}, enough=False, minority=1.5),
    "comparison": Comparison(
        *("correctness", CANDIDATES, BASE_RATE, CANDIDATES[1], 90, 40, 5, 3),
        *({"xgboost on a": "why"}, {"unscored": 2}),
    ),
    "exchangeability": ExchangeabilityCheck(
        *(math.nan, math.nan, 90, 8, "too few labels"),
        *(tuple(FeatureDifference(name, 0.5) for name in "abcd"), True, 200, 6),
    ),
    "pass_rate": PASS_RATE,
    "difference": DifferenceEstimates(
        HALF, NONE, HALF, (0.5, 1.0), 0.1, 0.2, math.nan, math.nan, 8, PASS_RATE, PASS_RATE
    ),
    "slice": SliceEstimate("fees", PASS_RATE, enough=False),
    "trials": ProbabilisticScores(HALF, NONE, HALF, (CaseScore("t1", 3, 0.5, math.nan, math.nan),), 3, 1, True),
    "scatter": AnswerDiversity((CaseDiversity("t1", 3, 2, 0.5, 1.5, math.nan),), HALF, HALF, NONE),
    "variance": ComponentSplit((Component("test case", 4, math.nan, HALF, "one level"),), 12),
}
REPORT = Report(
    "Title ü",
    "Subtitle",
    datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
    "0.1.0",
    (
        Section(
            "one",
            "One",
            (
                Heading("Heading"),
                Paragraph(("Pass rate ", Quantity(HALF, "share"), " of ", Quantity(8, "count"))),
                Quotation("*words*"),
                Bullets((("first",), (Quantity(math.nan),))),
                KeyValues((("n", Quantity(8, "count")),)),
                Table("Table", (Column("name"), Column("value", "estimate")), (("a", HALF), ("b", None), ("c", 0.5))),
                Figure("Curve", ReliabilityDiagram((ReliabilityPoint(0.5, NONE),))),
                Callout("warning", "Careful", ("text",)),
                Samples("Samples", (SampleExcerpt("s1", "query", None, ("context",), (("m", Quantity(0.25)),)),)),
            ),
        ),
    ),
    {"run": "baseline"},
)
