"""Promise and forecast of a policy, in sentences for the screen, the command line and the report."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.capabilities.policy.decide import ABOVE, BELOW
from hcat.core.capabilities.policy.forecast import Costs, Forecast
from hcat.core.capabilities.policy.policy import Policy, Rule
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.thresholds import Certificate
from hcat.core.capabilities.policy.wording.looks import clusters_sentence, looks_sentences
from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_number, format_percent
from hcat.core.refusals.state import TITLES
from hcat.core.types import Estimate

ACTION_TITLES: dict[str, str] = {
    "accept": "Accept",
    "regenerate": "Regenerate",
    "person": "Send to a person",
    "reject": "Reject",
}


def promise_text(promise: Promise, criteria: Sequence[str]) -> str:
    """ "With 90% confidence, at most 10% of the accepted answers fail on correctness"."""
    confidence, error = _plain(promise.confidence), _plain(promise.error)
    if len(criteria) > 1:
        return say(
            "With {confidence} confidence, on each of {criteria} at most {error} of the accepted answers "
            "fail, on all of them at once",
            confidence=confidence,
            criteria=", ".join(criteria),
            error=error,
        )
    return say(
        "With {confidence} confidence, at most {error} of the accepted answers fail on {criteria}",
        confidence=confidence,
        error=error,
        criteria=criteria[0],
    )


def policy_sentence(policy: Policy) -> str:
    """The promise, whether it is shown, at which level it was tested, and why."""
    said, tested = promise_text(policy.promise, policy.criteria), looks_sentences(policy)
    accepting = [rule for rule in policy.rules if rule.accept_from is not None]
    if not accepting:
        if not any(rule.certificate.promisable for rule in policy.rules):
            return say(
                "{said}: this can't be promised with these clusters, so that nothing is accepted by its score. "
                "{tested}",
                said=said,
                tested=tested,
            )
        return say(
            "{said}: no threshold is shown to keep this, so that nothing is accepted by its score. {tested}",
            said=said,
            tested=tested,
        )
    if policy.shown:
        where = (
            ""
            if policy.by is None
            else say(", within each {policy.by} that has a threshold, all at once", policy=policy)
        )
        return say(
            "{said}{where}: shown, for answers like those that were labelled. {tested}",
            said=said,
            where=where,
            tested=tested,
        )
    return say("{said}: not shown at the thresholds that were chosen. {tested}", said=said, tested=tested)


def rule_sentence(rule: Rule, policy: Policy) -> str:
    """Sentence on the basis of one rule of the policy."""
    said = " ".join(filter(None, (_rule_text(rule, policy), clusters_sentence(rule.certificate.units))))
    return said if rule.level is not None else f"{said[0].upper()}{said[1:]}"


def _rule_text(rule: Rule, policy: Policy) -> str:
    where = "" if rule.level is None else f"{rule.level}: "
    certificate = rule.certificate
    if rule.accept_from is None:
        return f"{where}{_nothing_shown(certificate, policy)}"
    if rule.shown:
        return say(
            "{where}accept from a probability of {rule.accept_from:.2f} on. Of {labels} that had no part "
            "in the map, {accepted}",
            where=where,
            rule=rule,
            labels=counted(certificate.n, "label"),
            accepted=_accepted(certificate),
        )
    chosen = say(
        "{where}accept from a probability of {rule.accept_from:.2f} on, a threshold that was chosen by hand",
        where=where,
        rule=rule,
    )
    if certificate.accept_from is None:
        return f"{chosen}. {_nothing_shown(certificate, policy)}"
    if rule.accept_from < certificate.accept_from:
        return say(
            "{chosen}: the promise is shown only from {certificate.accept_from:.2f} on.",
            chosen=chosen,
            certificate=certificate,
        )
    return say(
        "{chosen}, stricter than those that were tested ({certificate.accept_from:.2f} to "
        "{certificate.tested_from:.2f}): the share of failures is not shown here, but no more failures "
        "in number get through than from {certificate.accept_from:.2f} on.",
        chosen=chosen,
        certificate=certificate,
    )


def _plain(share: float) -> str:
    """A share that somebody stated, with all its decimals: "97.5%"."""
    return in_edition(f"{100 * share:.6g}%")


def _accepted(certificate: Certificate) -> str:
    if certificate.tests:
        seen = (
            say(
                "{test.criterion} {test.accepted:,} of {test.n:,}, of which {failure_rate} fail",
                test=test,
                failure_rate=format_percent(test.failure_rate),
            )
            for test in certificate.tests
        )
        return say(
            "these lie there or above at {certificate.accept_from:.2f}: {seen}.",
            certificate=certificate,
            seen="; ".join(seen),
        )
    return say(
        "{certificate.accepted:,} lie there or above at {certificate.accept_from:.2f}, and "
        "{failure_rate} of these fail.",
        certificate=certificate,
        failure_rate=format_percent(certificate.failure_rate),
    )


def _nothing_shown(certificate: Certificate, policy: Policy) -> str:
    """Sentence on the reason why no threshold is shown, and on the next step."""
    if not certificate.promisable:
        return say("No threshold can be shown.")
    units, watched = certificate.units, policy.looks is not None and policy.looks.watched
    needed = policy.tested.least_accepted(betting=watched or units is not None)
    needed = math.ceil(needed * (1.0 if units is None else units.limit))
    if certificate.accepted < needed:
        return say(
            "No threshold is shown: that takes at least {accepted_labels} that did not fit the map, and "
            "{certificate.accepted:,} of {certificate.n:,} lie from {certificate.tested_from:.2f} on. "
            "Label more answers, or promise less.",
            accepted_labels=counted(needed, "accepted label"),
            certificate=certificate,
        )
    if certificate.failure_rate <= policy.promise.error:
        said = say(
            "No threshold is shown: of {labels} from {certificate.tested_from:.2f} on, {failure_rate} "
            "fail. These are too few labels to show a share of at most {error}. Label more answers, or promise less.",
            labels=counted(certificate.accepted, "label"),
            certificate=certificate,
            failure_rate=format_percent(certificate.failure_rate),
            error=_plain(policy.promise.error),
        )
        return f"{said} {_ahead(certificate, policy, betting=watched or units is not None)}".rstrip()
    return say(
        "No threshold is shown: of {labels} from {certificate.tested_from:.2f} on, {failure_rate} "
        "fail, too many to show a share of at most {error}. Improve the metrics or the system, label "
        "more answers, or promise less.",
        labels=counted(certificate.accepted, "label"),
        certificate=certificate,
        failure_rate=format_percent(certificate.failure_rate),
        error=_plain(policy.promise.error),
    )


def _ahead(certificate: Certificate, policy: Policy, *, betting: bool) -> str:
    """Sentence on the number of accepted labels that would show the promise at the present failure rate; "" where no
    number would do."""
    enough = policy.tested.accepted_until_shown(certificate.failure_rate, betting=betting)
    if enough is None or enough <= certificate.accepted:
        return ""
    weight = 1.0 if certificate.units is None else certificate.units.limit
    return say(
        "About {labels} there would show it, if no larger share of them fails.",
        labels=counted(math.ceil(enough * weight), "label"),
    )


def because_text(because: str) -> str:
    """The reason for an answer's action, as text."""
    if because in (ABOVE, BELOW):
        return say("prediction set {decided}", decided=say("{pass}" if because == ABOVE else "{fail}"))
    return say(next((title for state, title in TITLES.items() if state == because), because))


def error_text(policy: Policy) -> str:
    """The error let through: the share of failures that labels see, and the bound where it is promised."""
    if policy.forecast.failure_rates:
        rates = policy.forecast.failure_rates.items()
        return "; ".join(f"{name}: {error_of(rate, policy.promise, shown=policy.shown)}" for name, rate in rates)
    return error_of(policy.forecast.failure_rate, policy.promise, shown=policy.shown)


def error_of(failures: Estimate, promise: Promise, *, shown: bool) -> str:
    """ "2.4%, at most 10% with 90% confidence, n = 41"."""
    if not failures.n:
        return say("no labelled answer is accepted")
    seen = say("{value} of {labels}", value=format_percent(failures.value), labels=counted(failures.n, "label"))
    if shown:
        return say(
            "{seen}; at most {error} with {confidence} confidence",
            seen=seen,
            error=_plain(promise.error),
            confidence=_plain(promise.confidence),
        )
    return say(
        "{failures}; no bound is shown for thresholds that were chosen by sight",
        failures=format_estimate(failures, percent=True),
    )


def load_text(forecast: Forecast, costs: Costs) -> str:
    """Share of answers that go to people, and their number a day where that is known."""
    share = forecast.shares["person"]
    said = format_estimate(share, percent=True)
    if math.isnan(costs.answers_a_day):
        return said
    value, low, high = (format_number(costs.answers_a_day * x) for x in (share.value, share.low, share.high))
    return say("{said}: {value} [{low}, {high}] a day", said=said, value=value, low=low, high=high)


def cost_text(forecast: Forecast, policy: Policy) -> str:
    """Cost of people and regenerations for 1,000 answers, and an upper bound on wrong answers; "" where nothing was
    stated."""
    cost, error = forecast.cost, policy.costs.error
    parts = []
    if not math.isnan(cost.value):
        value, low, high = (format_number(1000 * x) for x in (cost.value, cost.low, cost.high))
        parts.append(
            say("people and regenerations: {value} [{low}, {high}] for 1,000 answers", value=value, low=low, high=high)
        )
    if not math.isnan(error) and policy.shown:
        most = 1000 * error * policy.promise.error * forecast.shares["accept"].high
        parts.append(say("wrong answers that get through: at most {most} for 1,000 answers", most=format_number(most)))
    return "; ".join(parts)


def certificate_statement(policy: Policy) -> str:
    """Statement of the certificate of an accepted answer, with its limits."""
    said = promise_text(policy.promise, policy.criteria)
    if not policy.shown:
        return f"Accepted by a policy whose promise is not shown ({said[0].lower()}{said[1:]})."
    return (
        f"Accepted by a policy of which this is shown: {said[0].lower()}{said[1:]}. It is a statement about all "
        f"accepted answers like those that were labelled, not about this one. {looks_sentences(policy)}"
    )


RIGHT_REFUSAL_STATEMENT = (
    "A right refusal: its test case says that the corpus does not hold the answer. It is accepted by that rule, and no "
    "share of failures is promised of such answers."
)

REGENERATED_STATEMENT = (
    "Accepted after it was regenerated. The policy's promise was shown for first answers and says nothing of this one."
)
