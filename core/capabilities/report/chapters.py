"""The chapters that a report can have, in the order that a bank expects: title, content, and what each rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hcat.core.capabilities.agreement.chapter import people_section
from hcat.core.capabilities.attacks.chapter import attacks_section
from hcat.core.capabilities.calibration.chapter import calibration_section
from hcat.core.capabilities.coverage.chapter import coverage_section
from hcat.core.capabilities.estimates.chapters.comparison import comparison_section
from hcat.core.capabilities.estimates.chapters.results import results_section
from hcat.core.capabilities.fairness.chapter import fairness_section
from hcat.core.capabilities.findings.chapter import findings_section
from hcat.core.capabilities.judges.chapter import judges_section
from hcat.core.capabilities.metrics.chapter import all_metrics_section, metrics_section
from hcat.core.capabilities.policy.chapter import policy_section
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.sections.appendix import appendix_section, verifier_section
from hcat.core.capabilities.report.sections.data import data_section
from hcat.core.capabilities.report.sections.limitations import limitations_section
from hcat.core.capabilities.report.sections.references import references_section
from hcat.core.capabilities.report.sections.reproducibility import reproducibility_section
from hcat.core.capabilities.report.sections.scope import scope_section
from hcat.core.capabilities.report.sections.summary import summary_section
from hcat.core.capabilities.retrieval.chapter import retrieval_section
from hcat.core.capabilities.risks.chapter import risks_section
from hcat.core.capabilities.robustness.chapter import robustness_section
from hcat.core.capabilities.safety.chapters.privacy import privacy_section
from hcat.core.capabilities.safety.chapters.tone import tone_section
from hcat.core.capabilities.trials.chapter import trials_section
from hcat.core.capabilities.weaknesses.chapter import all_slices_section, weakness_section
from hcat.core.view.tree import Section

FRAMEWORKS, CHANGES = "frameworks", "changes"
"""The chapters about the other chapters: they are made last, and need more than the evidence."""


def _nothing(_: Evidence) -> Section | None:
    return None


def _always(_: Evidence) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Chapter:
    """`section` gives None where there is nothing to say. `evidenced` tells a chapter that reports something from one
    that reports that it is missing."""

    title: str
    section: Callable[[Evidence], Section | None] = _nothing
    evidenced: Callable[[Evidence], object] = _always


CHAPTERS: Mapping[str, Chapter] = {
    "summary": Chapter("Executive summary", summary_section, lambda e: e.opinion),
    "scope": Chapter("Scope, intended use and limits", scope_section, lambda e: e.register and e.register.scope.use),
    "data": Chapter("System and data", data_section, lambda e: e.runs),
    "coverage": Chapter("Test design and coverage", coverage_section, lambda e: e.coverage),
    "metrics": Chapter("Metrics and their fitness for use", metrics_section, lambda e: any(r.scores for r in e.runs)),
    "people": Chapter("Human judgement", people_section, lambda e: any(x.kind == "people" for x in e.labels)),
    "judges": Chapter("Language models as judges", judges_section),
    "calibration": Chapter("Calibration and guarantees", calibration_section, lambda e: e.calibrations),
    "results": Chapter("Results overall", results_section, lambda e: e.pass_rates),
    "comparison": Chapter("Comparison of runs", comparison_section),
    "weaknesses": Chapter("Results by slice", weakness_section, lambda e: e.weaknesses),
    "retrieval": Chapter("Retrieval", retrieval_section),
    "trials": Chapter("Repeated trials", trials_section),
    "robustness": Chapter("Results by variant", robustness_section),
    "fairness": Chapter("Fairness", fairness_section),
    "attacks": Chapter("Attacks", attacks_section),
    "privacy": Chapter("Personal data and secrets", privacy_section),
    "tone": Chapter("Toxicity and tone", tone_section),
    "findings": Chapter("Weaknesses and findings", findings_section, lambda e: e.findings),
    "risks": Chapter(
        "Risks", risks_section, lambda e: e.register and any(r.verdict != "open" for r in e.register.risks)
    ),
    "policy": Chapter("Policy", policy_section),
    "limitations": Chapter("Limitations", limitations_section),
    FRAMEWORKS: Chapter("Frameworks"),
    "reproducibility": Chapter("Reproducibility", reproducibility_section, lambda e: e.runs),
    "references": Chapter("References", references_section),
    CHANGES: Chapter("Changes since the last report", evidenced=lambda e: e.previous),
    "all-metrics": Chapter("Appendix: scores and metrics in full", all_metrics_section),
    "all-slices": Chapter("Appendix: results by slice in full", all_slices_section),
    "appendix": Chapter("Appendix: samples behind the findings", appendix_section),
    "verifier": Chapter("Appendix: the program that checks the evidence", verifier_section),
}
