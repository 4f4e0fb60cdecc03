"""The sources that the report names, in full."""

from __future__ import annotations

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.display.sources import SOURCES
from hcat.core.view.telling import column
from hcat.core.view.tree import Paragraph, Section, Table, Value

INTRODUCTION = "The short names of sources, in full. A number after a short name is a section of that source."
STATISTICS: dict[str, str] = {
    "Angelopoulos, Duchi and Zrnic 2023": "“PPI++: Efficient Prediction-Powered Inference”, arXiv:2311.01453 "
    "(corrected pass rates and their differences)",
    "Benjamini and Hochberg 1995": "“Controlling the False Discovery Rate: A Practical and Powerful Approach to "
    "Multiple Testing”, Journal of the Royal Statistical Society B 57 (q-values of slices)",
    "Benjamini and Yekutieli 2005": "“False Discovery Rate-Adjusted Multiple Confidence Intervals for Selected "
    "Parameters”, Journal of the American Statistical Association 100 (intervals of selected slices)",
    "Hedges 1981": "“Distribution Theory for Glass's Estimator of Effect Size and Related Estimators”, Journal of "
    "Educational Statistics 6 (effect sizes)",
    "Särndal, Swensson and Wretman 1992": "“Model Assisted Survey Sampling”, Springer (weights of labelled samples; "
    "slices as domains)",
    "Vovk, Gammerman and Shafer 2005": "“Algorithmic Learning in a Random World”, Springer (conformal prediction sets)",
    "Wilson 1927": "“Probable Inference, the Law of Succession, and Statistical Inference”, Journal of the American "
    "Statistical Association 22 (intervals of proportions)",
}
"""Sources of the estimates and tests of every report."""


def references_section(evidence: Evidence) -> Section:
    """Sources of the metrics in use and of the statistics."""
    used = {name for run in evidence.runs for name in run.scores}
    named = " ".join(note.source for name, note in evidence.metrics.items() if name in used)
    rows: list[tuple[Value, ...]] = [(key, say(text)) for key, text in SOURCES.items() if key in named]
    rows += [(say(key), say(text)) for key, text in STATISTICS.items()]
    columns = (column("Short name"), column("Source"))
    return Section(
        "references", say("References"), (Paragraph((say(INTRODUCTION),)), Table(say("Sources"), columns, tuple(rows)))
    )
