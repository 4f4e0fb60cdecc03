"""Every word by which a result judges is declared, once, and its declaration is true of the code."""

from __future__ import annotations

import ast
import importlib
import typing
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hcat.core.settings import ROOT
from hcat.core.types import Verdict
from hcat.core.verdicts import VERDICTS

JUDGING = frozenset(
    (
        *("verdict", "verdicts", "manner", "conclusion", "outcome", "alarm", "error_alarm"),
        *("is_flagged", "is_shown", "shown", "is_fit", "reached", "is_reached", "differs"),
    )
)
"""Names of attributes by which results judge."""
RESULTS = ("calibration", "capabilities", "estimates", "slices", "statistics")
JUDGES_NOT: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *(
                "hcat.core.capabilities.judges.asked_pairs:AskedPair.verdict",
                "hcat.core.capabilities.judges.judge:Judgement.verdicts",
            ),
            "hcat.core.capabilities.judges.asked_pairs:PairJudgement.verdicts",
            "hcat.core.capabilities.judges.forecast:JudgeForecast.verdicts",
            "hcat.core.capabilities.judges.self_preference:AnswersOfModel.verdicts",
            "hcat.core.capabilities.judges.stored:StoredJudgement.verdicts",
        ),
        "what a language model said of answers",
    ),
    **dict.fromkeys(
        (
            "hcat.core.capabilities.robustness.variants.comparison:OutcomeChanges.outcome",
            "hcat.core.capabilities.robustness.variants.comparison:Robustness.outcome",
            "hcat.core.capabilities.fairness.counterfactual.comparison:Fairness.outcome",
            "hcat.core.capabilities.fairness.counterfactual.comparison:OutcomeGaps.outcome",
        ),
        "the name of what is compared",
    ),
    "hcat.core.calibration.calibration:Calibration.is_fit": "whether the verdict on fitness is yes",
    "hcat.core.capabilities.calibration.wording.rule:VerdictRule.verdicts": "explains the verdicts on fitness",
    "hcat.core.capabilities.judges.services.judges:Judges.verdicts": "reads what a language model said of answers",
    "hcat.core.capabilities.policy.thresholds:CurvePoint.shown": "the test of a promise at each threshold of the curve",
    **dict.fromkeys(
        (
            "hcat.core.capabilities.calibration.fitness:MetricFitness.verdict",
            "hcat.core.capabilities.findings.view:FindingEvidence.verdict",
            "hcat.core.capabilities.report.evidence.records:Evidence.verdicts",
            "hcat.core.capabilities.report.evidence.records:FitnessEvidence.verdict",
        ),
        "repeats the verdict of a slice, a metric or a person",
    ),
}
"""Attributes of these names that judge nothing, with the reason."""


def resolved(place: str) -> object:
    """What "module:name.attribute" names; the class where the attribute is a field of a dataclass."""
    module, name = place.split(":")
    found: object = importlib.import_module(module)
    for part in name.split("."):
        fields = getattr(found, "__dataclass_fields__", {})
        if part in fields:
            return fields[part]
        found = getattr(found, part)
    return found


def judging_attributes() -> Iterator[str]:
    """ "module:Class.attribute" of each attribute of a class in the results' folders whose name judges."""
    for folder in RESULTS:
        for path in sorted((ROOT / "core" / folder).rglob("*.py")):
            module = ".".join(("hcat", *path.relative_to(ROOT).with_suffix("").parts))
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    yield from (f"{module}:{node.name}.{name}" for name in _attributes(node) if name in JUDGING)


def _attributes(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id
        elif isinstance(part, ast.FunctionDef):
            yield part.name


def test_names_are_given_once() -> None:
    assert [name for name, count in Counter(verdict.name for verdict in VERDICTS).items() if count > 1] == []


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_a_declaration_names_code_that_exists(verdict: Verdict) -> None:
    assert callable(resolved(verdict.decides))
    resolved(verdict.carried_by)
    assert 0 < verdict.error < 0.5
    assert verdict.words and verdict.claim.endswith(".") and verdict.family


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_the_words_are_those_that_the_attribute_can_hold(verdict: Verdict) -> None:
    module, name = verdict.carried_by.split(":")
    owner, _, attribute = name.rpartition(".")
    if not owner:
        return
    kind = resolved(f"{module}:{owner}")
    namespace = vars(importlib.import_module(module))
    member = vars(kind).get(attribute)
    source = member.fget if isinstance(member, property) else kind
    hints = typing.get_type_hints(source, namespace)
    words = typing.get_args(hints["return" if isinstance(member, property) else attribute])
    if words and all(isinstance(word, str) for word in words):
        assert set(verdict.words) <= set(words)


def test_no_result_judges_by_a_word_that_is_not_declared() -> None:
    declared = {verdict.carried_by for verdict in VERDICTS}
    found = set(judging_attributes())
    assert sorted(found - declared - JUDGES_NOT.keys()) == []
    assert sorted(JUDGES_NOT.keys() - found) == []


def test_judging_attributes_are_found_where_there_are_some(tmp_path: Path) -> None:
    node = ast.parse("class Gap:\n    verdict: str\n    n: int\n    def is_shown(self) -> bool: ...\n").body[0]
    assert isinstance(node, ast.ClassDef)
    assert list(_attributes(node)) == ["verdict", "n", "is_shown"]
