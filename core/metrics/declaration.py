"""Declaration of a metric as a decorated function of an encoded sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hcat.core.claims.claim import Check
from hcat.core.metrics.sample_view import SampleView
from hcat.core.refusals.detection import answering
from hcat.core.types import Direction, JsonValue, Score

Explanation = dict[str, JsonValue]
ROUNDING = 1e-12
REFUSED = "refusal"
"""The reason why a metric of what an answer says has no score for a refusal."""

WRONG_SUBJECT = (
    "Cannot tell of what a value is said: “A lost card costs £25” passes where the contexts say £12 of lost cards and "
    "£25 of another payment. Names and numbers need a person's look, or labels."
)
"""The limit of metrics that find the parts of a statement without checking what they refer to."""

SkipRefusals = Literal["never", "whole", "any"]
"""Which refusals a metric leaves unscored: none, those that state nothing else, or all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A metric's score on one sample, and its explanation, which is computed only on request."""

    score: Score
    explain: Callable[[], Explanation]


def scored(value: float, explain: Callable[[], Explanation]) -> Outcome:
    """A number, with its explanation."""
    return Outcome(Score(float(value)), explain)


def unscored(reason: str) -> Outcome:
    """No score, with the reason."""
    return Outcome(Score(None, reason), lambda: {"unscored": reason})


def _no_checks(sample: SampleView) -> tuple[Check, ...]:  # noqa: ARG001 - of a metric that verifies no claims
    return ()


@dataclass(frozen=True, slots=True)
class Metric:
    """A named function of a sample.

    `needs` are the parts that a sample must have, `models` the roles that models must fill
    (`hcat.core.models.kind.Role`), `checks` the claims of a sample to verify, `reads_whole_run` whether a score depends
    on the run's other samples, `range` the smallest and largest possible value, `source` the publication that defines
    it. `skip_refusals` says which answers that decline are unscored, since abstention is neither a bad answer nor a
    hallucination: "any" if the answer is compared with what was asked or expected, "whole" if what a refusal states
    besides may be made up and is checked. `judged` says that scores are verdicts of a model on what people could
    decide, so that their mean is what the machine says and no estimate of the property. `recommended` says for which
    purpose the metric is the first choice, empty if none. A metric `on_request` is computed only if it is named, and is
    not part of "all". `formula` is LaTeX. `limit` says which error the metric misses though it seems to look for it.
    Calling a metric never raises."""

    name: str
    title: str
    family: str
    needs: tuple[str, ...]
    range: tuple[float, float]
    direction: Direction
    source: str
    description: str
    compute: Callable[[SampleView], Outcome] = field(repr=False, compare=False)
    models: tuple[str, ...] = ("encoder",)
    parameters: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)
    skip_refusals: SkipRefusals = "never"
    formula: str = ""
    checks: Callable[[SampleView], tuple[Check, ...]] = field(default=_no_checks, repr=False, compare=False)
    reads_whole_run: bool = False
    judged: bool = False
    recommended: str = ""
    on_request: bool = False
    limit: str = ""

    def __call__(self, sample: SampleView) -> Outcome:
        reason = self.unscored_reason(sample)
        return unscored(reason) if reason is not None else self._within_range(self.compute(sample))

    def unscored_reason(self, sample: SampleView) -> str | None:
        """The reason why the sample can't be scored, as far as its parts show; None if they suffice."""
        reason = sample.missing(self.needs)
        return REFUSED if reason is None and self._skips(sample.sample.answer) else reason

    def _skips(self, answer: str | None) -> bool:
        if self.skip_refusals == "never":
            return False
        detection = answering(answer)
        return detection.wholly_refused if self.skip_refusals == "whole" else detection.kind == "refused"

    def _within_range(self, outcome: Outcome) -> Outcome:
        """The outcome without rounding errors that exceed the range; nothing else is changed."""
        value, (low, high) = outcome.score.value, self.range
        if value is None or low <= value <= high:
            return outcome
        nearest = min(max(value, low), high)
        return replace(outcome, score=Score(nearest)) if abs(value - nearest) <= ROUNDING else outcome


def metric(
    *,
    title: str,
    family: str,
    needs: tuple[str, ...],
    source: str,
    description: str,
    range: tuple[float, float] = (-1.0, 1.0),  # noqa: A002 - the registry's own word
    direction: Direction = "higher",
    models: tuple[str, ...] = ("encoder",),
    parameters: Mapping[str, JsonValue] | None = None,
    skip_refusals: SkipRefusals | None = None,
    formula: str = "",
    checks: Callable[[SampleView], tuple[Check, ...]] = _no_checks,
    reads_whole_run: bool = False,
    judged: bool = False,
    recommended: str = "",
    on_request: bool = False,
    limit: str = "",
    name: str | None = None,
) -> Callable[[Callable[[SampleView], Outcome]], Metric]:
    """Declare the function below as a metric of its name, or of the given one (column names may contain an @).

    A metric that needs the answer skips any refusal, unless `skip_refusals` says otherwise."""

    def declare(compute: Callable[[SampleView], Outcome]) -> Metric:
        return Metric(
            name=name or compute.__name__,
            title=title,
            family=family,
            needs=needs,
            range=range,
            direction=direction,
            source=source,
            description=description,
            compute=compute,
            models=models,
            parameters=parameters or {},
            skip_refusals=skip_refusals or ("any" if "answer" in needs else "never"),
            formula=formula,
            checks=checks,
            reads_whole_run=reads_whole_run,
            judged=judged,
            recommended=recommended,
            on_request=on_request,
            limit=limit,
        )

    return declare
