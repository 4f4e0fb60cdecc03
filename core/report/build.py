"""From evidence to the report's tree: which chapters there are, in which order, and which of them were chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.display.numbers import format_count
from core.errors import HcatError
from core.report.evidence.records import Evidence
from core.report.sections.attacks import attacks_section
from core.report.sections.calibration import calibration_section
from core.report.sections.comparison import comparison_section
from core.report.sections.coverage import coverage_section
from core.report.sections.data import data_section
from core.report.sections.fairness import fairness_section
from core.report.sections.findings import findings_section
from core.report.sections.judges import judges_section
from core.report.sections.limitations import limitations_section
from core.report.sections.metrics import metrics_section
from core.report.sections.opinion import changes_section
from core.report.sections.people import people_section
from core.report.sections.policy import policy_section
from core.report.sections.privacy import privacy_section
from core.report.sections.references import references_section
from core.report.sections.reproducibility import reproducibility_section
from core.report.sections.retrieval import retrieval_section
from core.report.sections.risks import risks_section
from core.report.sections.robustness import robustness_section
from core.report.sections.scope import scope_section
from core.report.sections.summary import summary_section
from core.report.sections.tone import tone_section
from core.report.sections.trials import trials_section
from core.report.sections.weakness import weakness_section
from core.report.tree import Report, Section

CHAPTERS: Mapping[str, Callable[[Evidence], Section | None]] = {
    "risks": risks_section,
    "summary": summary_section,
    "scope": scope_section,
    "data": data_section,
    "coverage": coverage_section,
    "metrics": metrics_section,
    "calibration": calibration_section,
    "people": people_section,
    "judges": judges_section,
    "comparison": comparison_section,
    "weaknesses": weakness_section,
    "findings": findings_section,
    "retrieval": retrieval_section,
    "trials": trials_section,
    "robustness": robustness_section,
    "fairness": fairness_section,
    "attacks": attacks_section,
    "privacy": privacy_section,
    "tone": tone_section,
    "policy": policy_section,
    "limitations": limitations_section,
    "references": references_section,
    "reproducibility": reproducibility_section,
    "changes": changes_section,
}
"""In the order of the report; those that give None have nothing to say and are no chapters then."""

CHAPTER_TITLES: Mapping[str, str] = {
    "risks": "Risks",
    "summary": "Summary",
    "scope": "Scope",
    "data": "Data and labels",
    "coverage": "Test coverage",
    "metrics": "Metrics",
    "calibration": "Calibration",
    "people": "Human judgement",
    "judges": "Judges",
    "comparison": "Comparison of runs",
    "weaknesses": "Weaknesses",
    "findings": "Findings",
    "retrieval": "Retrieval",
    "trials": "Trials",
    "robustness": "Robustness",
    "fairness": "Fairness",
    "attacks": "Attacks",
    "privacy": "Personal data and secrets",
    "tone": "Toxicity and tone",
    "policy": "Policy",
    "limitations": "Limitations",
    "references": "References",
    "reproducibility": "Reproducibility",
    "changes": "Versions",
}
"""How people read the chapters."""


def build_report(evidence: Evidence, *, chapters: Sequence[str] | None = None) -> Report:
    """The validation report that follows from the evidence. Parts without evidence say so.

    `chapters` chooses among `CHAPTERS`; the cover names those that are left out. HcatError for an unknown one.
    """
    chosen = tuple(CHAPTERS) if chapters is None else tuple(chapters)
    unknown = next((name for name in chosen if name not in CHAPTERS), None)
    if unknown is not None or not chosen:
        raise HcatError(f"a report has no chapter {unknown!r}: choose from {', '.join(CHAPTERS)}")
    built = {name: chapter(evidence) for name, chapter in CHAPTERS.items()}
    sections = {name: section for name, section in built.items() if section is not None}
    left_out = [section.title for name, section in sections.items() if name not in chosen]
    return Report(
        title=f"Validation report: {evidence.project}",
        subtitle="Human-calibrated automated testing of a retrieval-augmented generation system",
        created_at=evidence.created_at,
        version=evidence.version,
        facts=_facts(evidence) | ({"Chapters left out": ", ".join(left_out)} if left_out else {}),
        sections=tuple(section for name, section in sections.items() if name in chosen),
    )


def _facts(evidence: Evidence) -> dict[str, str]:
    facts = {
        "Project": evidence.project,
        "Runs": ", ".join(run.name for run in evidence.runs) or "none",
        "Questions": _of_runs([run.test_cases for run in evidence.runs]),
        "Samples": _of_runs([run.n for run in evidence.runs]),
        "Prepared": evidence.created_at.strftime("%-d %B %Y, %H:%M %Z").strip(),
        "Software": f"hcat {evidence.version}",
    }
    if evidence.changes:
        facts["Version"] = str(evidence.changes[-1].version)
    return facts | ({"Author": evidence.author} if evidence.author else {})


def _of_runs(counts: Sequence[int]) -> str:
    """ "67 in each of 2 runs", "67 + 40"."""
    if len(counts) > 1 and len(set(counts)) == 1:
        return f"{format_count(counts[0])} in each of {len(counts)} runs"
    return " + ".join(map(format_count, counts)) or "0"
