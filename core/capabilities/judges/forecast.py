"""The requests, tokens and cost of a judgement before it is made."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hcat.core.capabilities.judges.judge import Judge
from hcat.core.capabilities.judges.self_preference import own_models
from hcat.core.models.llm.cached import CachedLanguageModel
from hcat.core.models.llm.language import LanguageModel, Request
from hcat.core.types import Sample

CHARACTERS_A_TOKEN = 4
TOKENS_A_VERDICT = 60
"""Tokens for a sentence of reason and a score, in JSON."""


@dataclass(frozen=True, slots=True)
class JudgeForecast:
    """The requests for `verdicts` verdicts, of which `cached` have replies already.

    Tokens are estimated from the characters of what is not cached; `cost` is None without prices. `own` are the models
    that wrote the answers and are of the judge's family."""

    samples: int
    verdicts: int
    requests: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    own: tuple[str, ...] = ()

    @property
    def open(self) -> int:
        """The number of requests that will be sent."""
        return self.requests - self.cached


def forecast(
    judge: Judge, samples: Sequence[Sample], *, prices: tuple[float | None, float | None] = (None, None)
) -> JudgeForecast:
    """The forecast for judging these samples. `prices` are for a million tokens read and written."""
    asked = [(sample, criteria) for sample in samples if (criteria := judge.asked(sample))]
    requests = [
        (model, judge.request(sample, criteria), len(criteria)) for model in judge.models for sample, criteria in asked
    ]
    ahead = forecast_of(requests, samples=len(asked), prices=prices)
    return replace(ahead, own=own_models([model.name for model in judge.models], samples))


def forecast_of(
    requests: Sequence[tuple[LanguageModel, Request, int]],
    *,
    samples: int,
    prices: tuple[float | None, float | None] = (None, None),
) -> JudgeForecast:
    """The same for requests, each with its model and its number of verdicts."""
    fresh = [(request, count) for model, request, count in requests if not _is_cached(model, request)]
    tokens_in = sum(map(_tokens, (request for request, _ in fresh)))
    tokens_out = TOKENS_A_VERDICT * sum(count for _, count in fresh)
    price_in, price_out = prices
    cost = None if price_in is None or price_out is None else (tokens_in * price_in + tokens_out * price_out) / 1e6
    return JudgeForecast(
        samples=samples,
        verdicts=sum(count for _, _, count in requests),
        requests=len(requests),
        cached=len(requests) - len(fresh),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=cost,
    )


def together(*forecasts: JudgeForecast) -> JudgeForecast:
    """Several judgements of the same samples as one."""
    costs = [each.cost for each in forecasts]
    return JudgeForecast(
        samples=max(each.samples for each in forecasts),
        verdicts=sum(each.verdicts for each in forecasts),
        requests=sum(each.requests for each in forecasts),
        cached=sum(each.cached for each in forecasts),
        tokens_in=sum(each.tokens_in for each in forecasts),
        tokens_out=sum(each.tokens_out for each in forecasts),
        cost=None if None in costs else math.fsum(cost for cost in costs if cost is not None),
        own=tuple(dict.fromkeys(name for each in forecasts for name in each.own)),
    )


def _is_cached(model: LanguageModel, request: Request) -> bool:
    return isinstance(model, CachedLanguageModel) and model.holds(request)


def _tokens(request: Request) -> int:
    characters = sum(len(text) for _, text in request.messages) + len(json.dumps(dict(request.schema)))
    return characters // CHARACTERS_A_TOKEN
