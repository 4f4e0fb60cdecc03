"""A policy: the action for each answer, by its prediction set, and the promise for the accepted ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from hcat.core import __version__
from hcat.core.arrays import Floats
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.policy.forecast import Costs, Forecast
from hcat.core.capabilities.policy.looks import UNDECLARED, Looks
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.thresholds import Certificate
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.codec import JSON
from hcat.core.records.file_limits import parse_document
from hcat.core.records.hashing import sha256_of_json
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

Action = Literal["accept", "regenerate", "person", "reject"]
ACTIONS: tuple[Action, ...] = get_args(Action)
_MAKE_ONE = "make one with `hcat policy fit … -o policy.json`"


@dataclass(frozen=True, slots=True)
class Rule:
    """The two thresholds on the probability of a pass, for all answers or for one `level` of the policy's dimension.

    From `accept_from` on the prediction set is {pass}: accept. Below `fail_below` it is {fail}. Between, it contains
    both, or it is empty: a person decides. Nothing is accepted if `accept_from` is None."""

    accept_from: float | None
    fail_below: float
    certificate: Certificate
    level: str | None = None

    @property
    def shown(self) -> bool:
        """Whether the promise is shown for the answers that this rule accepts."""
        return self.accept_from is not None and self.certificate.covers(self.accept_from)


@dataclass(frozen=True, slots=True)
class OtherAnswers:
    """The actions for answers without a prediction set.

    Those that decline, rightly, wrongly or without a known truth; missing answers; and those that were left
    unscored."""

    correct_refusal: Action = "accept"
    wrong_refusal: Action = "regenerate"
    refusal: Action = "person"
    no_answer: Action = "regenerate"
    unscored: Action = "person"

    def __post_init__(self) -> None:
        if self.correct_refusal not in ("accept", "person"):
            raise HcatError("a right refusal is never a failure: accept it, or send it to a person")
        if "accept" in (self.wrong_refusal, self.no_answer, self.unscored):
            raise HcatError(
                "wrong refusals, missing answers and unscored ones can't be accepted: no promise holds there"
            )


@dataclass(frozen=True, slots=True)
class Failing:
    """The actions for answers whose prediction set is {fail}: `action` at first, `after` in the end.

    An answer to regenerate is regenerated at most `attempts` times; if it still is not accepted, the action is
    `after`."""

    action: Action = "regenerate"
    attempts: int = 2
    after: Action = "person"

    def __post_init__(self) -> None:
        if "accept" in (self.action, self.after):
            raise HcatError("answers whose prediction set is {fail} can't be accepted: regenerate, person or reject")
        if self.after == "regenerate":
            raise HcatError("what is still failing after the last attempt goes to a person, or is rejected")
        if not 0 <= self.attempts <= 10:
            raise HcatError("an answer can be regenerated from 0 to 10 times")


@dataclass(frozen=True, slots=True)
class SwitchedOn:
    """The person who switched a policy on and the time, with the reason if its promise is not shown."""

    author: str
    reason: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClustersInUse:
    """The largest cluster in the run of the thresholds, among accepted answers and among all, for the stakes in use.

    A cluster counts for up to `cap` answers."""

    accepted: float = 1.0
    all: float = 1.0
    cap: int | None = None


@dataclass(frozen=True)
class Policy:
    """The actions for the answers of a system on one criterion, or on several: then the worst of them decides.

    `rules` are one for all answers, or one per level of the dimension `by`; answers of a level without a rule go to a
    person. `calibration` is the document of the map. `forecast` are the expected results on its own run. `inputs` are
    content hashes. `switched_on` is None until the policy is in use. `further` criteria have maps of their own, by
    name. `looks` are those that the test is adjusted for; documents of earlier versions lack them and `clusters`."""

    criterion: str
    promise: Promise
    rules: tuple[Rule, ...]
    calibration: Mapping[str, JsonValue]
    forecast: Forecast
    by: str | None = None
    other: OtherAnswers = field(default_factory=OtherAnswers)
    failing: Failing = field(default_factory=Failing)
    costs: Costs = field(default_factory=Costs)
    inputs: Mapping[str, str] = field(default_factory=dict)
    version: str = __version__
    switched_on: SwitchedOn | None = None
    further: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    looks: Looks | None = None
    clusters: ClustersInUse | None = None

    @cached_property
    def fitted(self) -> Calibration:
        """The map from scores to the probability of a pass."""
        return Calibration.from_document(dict(self.calibration))

    @cached_property
    def maps(self) -> Mapping[str, Calibration]:
        """The map of each criterion."""
        return {
            self.criterion: self.fitted,
            **{name: Calibration.from_document(dict(document)) for name, document in self.further.items()},
        }

    @property
    def criteria(self) -> tuple[str, ...]:
        """All criteria that it decides on."""
        return (self.criterion, *self.further)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of the maps."""
        return tuple(dict.fromkeys(name for each in self.maps.values() for name in each.metrics))

    def probability(self, scores: ScoreTable) -> Floats:
        """The least probability of a pass over all criteria, for each sample (n,); NaN if one has none."""
        least: Floats = np.min([each.probability(scores) for each in self.maps.values()], axis=0)
        return least

    def worst_criteria(self, scores: ScoreTable) -> list[str]:
        """The criterion with the least probability of a pass, for each sample."""
        every = np.array([each.probability(scores) for each in self.maps.values()])
        return [self.criteria[place] for place in np.argmin(every, axis=0).tolist()]

    def rule_of(self, level: str | None) -> Rule | None:
        """The rule for answers of this level; None if there is none."""
        return next((rule for rule in self.rules if self.by is None or rule.level == level), None)

    @property
    def shown(self) -> bool:
        """Whether the promise is shown for all that is accepted, and anything is."""
        accepting = [rule for rule in self.rules if rule.accept_from is not None]
        return bool(accepting) and all(rule.shown for rule in accepting)

    @property
    def tested(self) -> Promise:
        """The promise with the δ at which each rule was tested."""
        return (self.looks or UNDECLARED).tested(self.promise, len(self.rules))

    @property
    def hash(self) -> str:
        """SHA-256 of the deciding parts: rules, map, promise and the other answers, without the person who switched it
        on."""
        rules = [JSON.write_object(rule) for rule in self.rules]
        for rule in rules:
            certificate = rule["certificate"]
            if isinstance(certificate, dict) and certificate["units"] is None:
                del certificate["units"]  # documents of earlier versions lack it, and keep their hash
        parts = (self.criterion, self.promise, rules, self.by, self.other, self.failing)
        later = [each for each in (self.further, self.looks, self.clusters) if each]
        return sha256_of_json([JSON.write(list(parts)), JSON.write(dict(self.calibration)), *map(JSON.write, later)])

    def document(self) -> dict[str, JsonValue]:
        """The policy as JSON values; `from_document` is the inverse."""
        return {"hcat": self.version, **JSON.write_object(self), "hash": self.hash}

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """The policy in the text of a document. FileFormatError on anything else."""
        try:
            document: JsonValue = parse_document(text)
        except ValueError as error:
            raise FileFormatError(f"this is no policy of hcat ({error}): {_MAKE_ONE}") from error
        return cls.from_document(document)

    @classmethod
    def from_document(cls, document: JsonValue) -> Policy:
        """The inverse of `document`. FileFormatError on anything else."""
        try:
            policy = JSON.read(cls, document)
            policy.maps  # noqa: B018 - an unreadable map is refused here
        except HcatError as error:
            raise FileFormatError(f"this is no policy of hcat ({error}): {_MAKE_ONE}") from error
        return policy
