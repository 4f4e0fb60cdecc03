"""The conditions of a verdict with what was measured, one row each, for screen, command, report and document."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits
from hcat.core.calibration.checks.fitness import LEAST_CHECKED, Condition, State
from hcat.core.capabilities.calibration.wording.discrimination import (
    auc_tested_text,
    auc_text,
    p_text,
    percent_text,
    signed_text,
)
from hcat.core.capabilities.calibration.wording.rule import condition_title
from hcat.core.display.messages import say


def verdict_conditions(calibration: Calibration) -> tuple[Condition, ...]:
    """Each condition with its value in words; those of a document as it states them, none where it states none."""
    measured, evidence = calibration.diagnostics, calibration.evidence
    if measured is None or evidence is None:
        return calibration.fit_for_use.conditions
    values = _values(calibration, measured, evidence)
    return tuple(
        one if one.value else replace(one, value=values[one.name]) for one in calibration.fit_for_use.conditions
    )


def checklist(calibration: Calibration) -> list[tuple[str, str, str]]:
    """Condition, value, and whether it is met: a row each."""
    return [(condition_title(one.name), one.value, _state(one.state)) for one in verdict_conditions(calibration)]


def _state(state: State) -> str:
    return {"met": say("met"), "not met": say("not met"), "contradicted": say("contradicted")}[state]


def _values(calibration: Calibration, measured: Diagnostics, evidence: Evidence) -> dict[str, str]:
    """The measured value of each condition, in words."""
    tells, flat = evidence.discrimination, calibration.fit_for_use.cause == "same probability for all"
    against = ", ".join(evidence.backwards)
    return {
        "probabilities differ": say("one probability for all") if flat else say("they differ"),
        "labels for the threshold": _labels_of_thresholds(calibration),
        "labels to check with": say("{n}, at least {least}", n=measured.n, least=LEAST_CHECKED),
        "direction": say("against it: {names}", names=against) if against else say("none against it"),
        "above chance": say(
            "{auc}; p = {p}, it takes {level} or less",
            auc=auc_tested_text(tells),
            p=p_text(tells.p),
            level=p_text(tells.level),
        ),
        "useful AUC": auc_text(tells.auc_alone or tells.auc),
        "above trivial scores": _margin(tells),
        **_of_splits(evidence.repeated, promised=1 - calibration.alpha),
    }


def _labels_of_thresholds(calibration: Calibration) -> str:
    made, threshold = calibration.thresholds, calibration.threshold
    if made is None:
        return say("{n}, at least {least}", n=threshold.n, least=threshold.needed)
    return ", ".join(f"{name}: {each.n} (≥ {each.needed})" for name, each in made.thresholds.items())


def _margin(tells: Discrimination) -> str:
    name, margin = tells.closest or ("", tells.auc)
    if tells.beaten_by is not None:
        name, margin = tells.beaten_by, tells.margins[tells.beaten_by]
    if not name:
        return say("no trivial score to compare with")
    return say("{margin} over {name}", margin=signed_text(margin), name=name)


def _of_splits(repeated: RepeatedSplits | None, *, promised: float) -> dict[str, str]:
    if repeated is None:
        return dict.fromkeys(("coverage", "decides"), say("too few labels to split"))
    return {
        "coverage": say(
            "median {median:.0%} of {promised:.4g}% promised; p = {p}, contradicted at {level} or less",
            median=repeated.coverage.median,
            promised=100 * promised,
            p=p_text(repeated.coverage_p),
            level=p_text(repeated.coverage_level or 0.0),
        ),
        "decides": say(
            "{median:.0%}, lower bound {low:.0%}; by those handed out {own}",
            median=repeated.decided.median,
            low=repeated.decided_low,
            own=percent_text(repeated.handed_out),
        ),
    }
