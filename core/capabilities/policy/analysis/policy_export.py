"""Exports of a policy: accepted answers with their certificates, and the answers for people to review."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hcat.core.capabilities.policy.analysis.regeneration import ATTEMPT
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.policy.wording.policies import (
    REGENERATED_STATEMENT,
    RIGHT_REFUSAL_STATEMENT,
    certificate_statement,
)
from hcat.core.opened.run import RunColumns
from hcat.core.records.layout import JsonObject

if TYPE_CHECKING:
    import pandas as pd


def accepted_answers(columns: RunColumns, policy: Policy, decisions: pd.DataFrame) -> Iterator[JsonObject]:
    """Each accepted answer with its certificate: the deciding rule, the promise, and the hashes behind both."""
    samples = {sample.id: sample for sample in columns.samples}
    said, policy_hash = certificate_statement(policy), policy.hash
    rows = decisions[decisions["action"] == "accept"]
    columns_read = (rows[name].tolist() for name in ("sample_id", "probability", "because", "level"))
    for sample_id, probability, because, level in zip(*columns_read, strict=True):
        sample = samples[str(sample_id)]
        refusal, again = because == "correct_refusal", ATTEMPT in sample.metadata
        promised = not refusal and not again
        rule = None if refusal else policy.rule_of(level)
        yield {
            "id": sample.id,
            "query": sample.query,
            "answer": sample.answer,
            "certificate": {
                "criterion": " and ".join(policy.criteria),
                "because": str(because),
                "probability": None if refusal else float(probability),
                "accept_from": None if rule is None else rule.accept_from,
                "error": policy.promise.error if promised else None,
                "confidence": policy.promise.confidence if promised else None,
                "shown": promised and policy.shown,
                "statement": RIGHT_REFUSAL_STATEMENT if refusal else REGENERATED_STATEMENT if again else said,
                "policy": policy_hash,
                "run": columns.content_hash,
            },
        }


def for_people(columns: RunColumns, decisions: pd.DataFrame) -> list[tuple[str, str, str]]:
    """ID, query and answer of the samples for people. It has no scores, since labels are given blind to them."""
    wanted = set(decisions.loc[decisions["action"] == "person", "sample_id"])
    return [(s.id, s.query, s.answer or "") for s in columns.samples if s.id in wanted]
