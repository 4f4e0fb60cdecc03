"""Options for the promise of a policy, and for the treatment of answers that it does not accept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError

if TYPE_CHECKING:
    from hcat.core.capabilities.policy.analysis.policy import PolicySpec
    from hcat.core.capabilities.policy.policy import Action, OtherAnswers

ErrorShare = Annotated[float, typer.Option("--error", help="ε: the largest share of accepted answers that may fail.")]
Confidence = Annotated[float, typer.Option("--confidence", help="1 − δ: how sure the promise is to hold.")]
AcceptFrom = Annotated[
    float | None,
    typer.Option(help="Accept from this probability on, instead of the lowest at which the promise is shown."),
]
FailBelow = Annotated[
    float | None,
    typer.Option(help="Answers below this probability fail; by default those whose prediction set is {fail}."),
]
ClusterCap = Annotated[
    int | None,
    typer.Option(
        "--cap",
        help="Count at most so many answers of one cluster, such as a conversation, in what is promised. Fix it before "
        "the labels are seen.",
    ),
]
NumberOfLooks = Annotated[
    int | None,
    typer.Option(
        help="How often these labels are looked at in all, fixed before the first look; 0 for any number. Without it, "
        "once."
    ),
]
NumberOfTries = Annotated[
    int | None,
    typer.Option(help="How many maps and promises are tried on these labels in all. Without it, one."),
]
FailAction = Annotated[str, typer.Option("--on-fail", help="Answers that fail: regenerate, person or reject.")]
Attempts = Annotated[int, typer.Option(help="How often an answer is regenerated at most.")]
AfterAction = Annotated[str, typer.Option("--after", help="After the last attempt: person or reject.")]
RefusalActions = Annotated[
    list[str] | None,
    typer.Option(
        "--on",
        help="Answers without a prediction set, as STATE=ACTION: correct_refusal=accept, wrong_refusal=regenerate, "
        "refusal=person, no_answer=regenerate, unscored=person. Several times.",
    ),
]
CostOfPerson = Annotated[float | None, typer.Option(help="What a person's look at an answer costs, in any unit.")]
CostOfRegeneration = Annotated[float | None, typer.Option(help="What one regeneration costs, in the same unit.")]
CostOfError = Annotated[float | None, typer.Option(help="What a wrong answer that gets through costs.")]
PerDay = Annotated[float | None, typer.Option(help="How many answers the system gives a day.")]


def policy_spec(
    error: float,
    confidence: float,
    by: str | None,
    accept_from: float | None,
    fail_below: float | None,
    cap: int | None,
    on_fail: str,
    attempts: int,
    after: str,
    refusals: Sequence[str] | None,
    *,
    costs: tuple[float | None, float | None, float | None, float | None],
) -> PolicySpec:
    """The policy spec that the options state; HcatError if they are invalid."""
    from hcat.core.capabilities.policy.analysis.policy import PolicySpec
    from hcat.core.capabilities.policy.forecast import Costs
    from hcat.core.capabilities.policy.policy import Failing
    from hcat.core.capabilities.policy.promise import Promise

    failing = Failing(_action(on_fail, "--on-fail"), attempts, _action(after, "--after"))
    stated = Costs(*(math.nan if cost is None else cost for cost in costs))
    return PolicySpec(
        Promise(error, confidence), by, _other_answers(refusals or ()), failing, stated, accept_from, fail_below, cap
    )


def _other_answers(pairs: Sequence[str]) -> OtherAnswers:
    from dataclasses import fields

    from hcat.core.capabilities.policy.policy import OtherAnswers

    states = [field.name for field in fields(OtherAnswers)]
    chosen: dict[str, Action] = {}
    for pair in pairs:
        state, equals, action = (text.strip() for text in pair.partition("="))
        if not equals or state not in states:
            raise HcatError(f"--on {pair!r}: write STATE=ACTION, with one of the states {', '.join(states)}")
        chosen[state] = _action(action, "--on")
    return OtherAnswers(**chosen)


def _action(text: str, option: str) -> Action:
    from hcat.core.capabilities.policy.policy import ACTIONS

    if text not in ACTIONS:
        raise HcatError(f"{option}: {text!r} is no action: choose one of {', '.join(ACTIONS)}")
    return next(action for action in ACTIONS if action == text)
