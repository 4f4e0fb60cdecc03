"""Sentences on the forecast and actual cost of a judgement, and on a judge's agreement with people."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capabilities.judges.against_people import JudgeAgreement, KappaGain
from hcat.core.capabilities.judges.forecast import JudgeForecast
from hcat.core.display.numbers import (
    counted,
    format_count,
    format_difference,
    format_number,
    format_percent,
)
from hcat.core.records.judging import JudgeRun
from hcat.core.types import JsonValue

ABOUT_JUDGES = (
    "A judge is a language model with a rubric. Its verdicts are a metric like any other: calibrate them on people's "
    "labels before a report relies on them."
)


ABOUT_DISTILLING = (
    "A language model words a criterion anew from the reasons that people gave with their labels. Only one half of the "
    "labelled answers is used for that; on the other half the judge is asked by the first wording and by the second, "
    "and the difference in agreement with people is the gain. Trials of one test case are never divided."
)
ABOUT_PAIRS = (
    "The judge sees two answers to one question, first in one order and then in the other: an answer that is better is "
    "better wherever it stands. What the order, the length or the judge’s own family adds to that is bias."
)
ABOUT_PANELS = (
    "Several judges tell more than one only as far as they err apart: judges that always say the same are worth one."
)
CALIBRATE = (
    "A judge is a language model with a rubric. Its verdicts are a metric, and no judgement of people: whether they "
    "can stand in for people's is said where they are calibrated."
)
NOT_CHECKED = "This judge was not checked for bias: what length, claims of authority and order do to it is not known."
OTHER_VERSION = "The check was of another version of the judge than the verdicts above."


def kappa_verdict(agreement: JudgeAgreement) -> str:
    """Whether judge and people agree beyond chance."""
    if not agreement.enough:
        return "too few to tell"
    return "shown" if agreement.is_shown else "not shown"


def reasons_text(unscored: Mapping[str, int]) -> str:
    """ "3 × no verdict, 1 × the answer declines": why samples have no score."""
    return ", ".join(f"{n} × {reason}" for reason, n in unscored.items())


def forecast_sentence(forecast: JudgeForecast) -> str:
    """ "60 requests for 300 verdicts, 12 of them answered already: about 90,000 tokens read and 14,400 written.", and
    whether the judge is to judge its own family."""
    own = ", ".join(forecast.own[:3])
    warned = "" if not own else (
        f" The answers are by {own}, by its name of the judge's own family: a judge may prefer these. Take another, or "
        "measure it by `hcat judge self-preference`."
    )  # fmt: skip
    return f"{_forecast(forecast)}{warned}"


def _forecast(forecast: JudgeForecast) -> str:
    cached = f", {format_count(forecast.cached)} of them answered already" if forecast.cached else ""
    asked = f"{counted(forecast.requests, 'request')} for {counted(forecast.verdicts, 'verdict')}{cached}"
    if not forecast.requests:
        return "No sample can be judged by this rubric: its answers, contexts or references are missing."
    if not forecast.open:
        return f"{asked}: nothing is asked and nothing is spent."
    money = " No prices are set." if forecast.cost is None else f" About {format_number(forecast.cost)} in money."
    return (
        f"{asked}: about {format_count(forecast.tokens_in)} tokens read and {format_count(forecast.tokens_out)} "
        f"written.{money}"
    )


def usage_sentence(usage: Mapping[str, JsonValue]) -> str:
    """Sentence on the recorded calls, tokens, cost and time of a judgement, without answers from the cache."""
    calls, cached = _count(usage, "calls"), _count(usage, "cached")
    from_cache = f" {counted(cached, 'answer')} came from the cache." if cached else ""
    if not calls:
        return f"Nothing was asked.{from_cache}"
    cost = usage.get("cost")
    money = "" if cost is None else f", {format_number(float(str(cost)))} in money"
    seconds = format_number(float(str(usage.get("seconds") or 0)))
    return (
        f"{counted(calls, 'call')}, {format_count(_count(usage, 'tokens_in'))} tokens read, "
        f"{format_count(_count(usage, 'tokens_out'))} written, {seconds} s of answering{money}.{from_cache}"
    )


def stored_usage_sentence(judged: JudgeRun) -> str:
    """Sentence on a stored judgement: the judge, its version, the version of its rubric, and the recorded usage."""
    return (
        f"Judge {judged.judge}, version {judged.version[:12]}, rubric version {judged.rubric_version}. "
        f"{usage_sentence(judged.usage)}"
    )


def _count(usage: Mapping[str, JsonValue], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def gain_sentence(gain: KappaGain) -> str:
    """Sentence on the gain of a new rubric on held-out answers, or on its absence, and on the number of tries on these
    answers."""
    said = "The gain is shown" if gain.is_shown else "No gain shown"
    bounds = f"{format_difference(gain.gain.low)} to {format_difference(gain.gain.high)}"
    return (
        f"{said}: κ with people {format_number(gain.first.value)} by the first rubric and "
        f"{format_number(gain.second.value)} by the second, difference {format_difference(gain.gain.value)} "
        f"({bounds} at {format_percent(gain.gain.level)}), on {counted(gain.gain.n, 'held-out answer')} that neither "
        f"was written from. Tries on these answers so far: {gain.tries}. Each further try takes a higher level: over "
        "all of them, a gain is shown where there is none in at most 2.5% of cases."
    )
