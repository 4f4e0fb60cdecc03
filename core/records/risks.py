"""The risk register of a project: the purpose of the system, what may go wrong, and the related evidence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from hcat.core.errors import HcatError

RiskSeverity = Literal["high", "medium", "low"]
RiskVerdict = Literal["open", "acceptable", "acceptable with conditions", "not acceptable"]
RISK_SEVERITIES: tuple[RiskSeverity, ...] = get_args(RiskSeverity)
RISK_VERDICTS: tuple[RiskVerdict, ...] = get_args(RiskVerdict)


@dataclass(frozen=True, slots=True)
class RiskScope:
    """The use of the system, its limits, and what is excluded from the validation."""

    use: str = ""
    limits: str = ""
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class Risk:
    """A risk: a `failure_mode` of the system, with the names of the related `evidence` of the project, and people's
    verdict."""

    risk: str
    failure_mode: str = ""
    severity: RiskSeverity = "medium"
    evidence: tuple[str, ...] = ()
    verdict: RiskVerdict = "open"
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.risk.strip():
            raise HcatError("a risk needs a name")
        if self.verdict != "open" and not self.evidence and not self.reason.strip():
            raise HcatError(f"the verdict on “{self.risk}” rests on nothing: link evidence, or give a reason")


@dataclass(frozen=True, slots=True)
class RiskRegister:
    """One version of the register; `version` 0 and no author before one was signed."""

    scope: RiskScope = RiskScope()
    risks: tuple[Risk, ...] = ()
    version: int = 0
    author: str = ""
    at: datetime | None = None

    def __post_init__(self) -> None:
        names = [risk.risk.strip().casefold() for risk in self.risks]
        twice = next((risk.risk for risk in self.risks if names.count(risk.risk.strip().casefold()) > 1), None)
        if twice is not None:
            raise HcatError(f"the risk “{twice}” stands in the register twice: name the two apart")


@dataclass(frozen=True, slots=True)
class RiskEvidence:
    """A piece of evidence in the project for a risk, and what it says.

    A run, a test set, a calibration, attacks, groups of people, safety metrics, a judge, a policy, or a finding."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The register compared with the available evidence.

    Risks `untouched` by any, links to evidence that is `gone`, and evidence that no risk uses."""

    untouched: tuple[str, ...]
    gone: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]


def risk_coverage(register: RiskRegister, evidence: tuple[RiskEvidence, ...]) -> RiskCoverage:
    """The risks without a test, the links without a target, and the evidence without a risk."""
    there = {each.name for each in evidence}
    linked = {name for risk in register.risks for name in risk.evidence}
    return RiskCoverage(
        tuple(risk.risk for risk in register.risks if not there & set(risk.evidence)),
        tuple((risk.risk, name) for risk in register.risks for name in risk.evidence if name not in there),
        tuple(each.name for each in evidence if each.name not in linked),
    )
