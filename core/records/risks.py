"""The risk register of a project: what the system is for, what may go wrong, and which evidence touches it."""

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
    """What the system is used for, within which limits, and what is excluded from the validation."""

    use: str = ""
    limits: str = ""
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class Risk:
    """What may go wrong: a `failure_mode` of the system, with the names of the `evidence` of the project that touches
    it, and what people conclude."""

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
    """One version of the register; `version` 0 and no author before anybody signed one."""

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
    """Something of the project that can touch a risk, and what it says: a run, a test set, a calibration, attacks,
    groups of people, safety metrics, a judge, a policy, a finding."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The register beside the evidence that there is: risks `untouched` by any, links to evidence that is
    `gone`, and evidence that no risk uses."""

    untouched: tuple[str, ...]
    gone: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]


def risk_coverage(register: RiskRegister, evidence: tuple[RiskEvidence, ...]) -> RiskCoverage:
    """What no test touches, which links lead nowhere, and which evidence stands for no risk."""
    there = {each.name for each in evidence}
    linked = {name for risk in register.risks for name in risk.evidence}
    return RiskCoverage(
        tuple(risk.risk for risk in register.risks if not there & set(risk.evidence)),
        tuple((risk.risk, name) for risk in register.risks for name in risk.evidence if name not in there),
        tuple(each.name for each in evidence if each.name not in linked),
    )
