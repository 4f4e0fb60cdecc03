"""Hits, leaks and the cost of a filter, in words, and their documents."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_percent
from hcat.core.privacy.context_filter import FilterRule
from hcat.core.privacy.hit import Evidence
from hcat.core.privacy.holding import HeldBy
from hcat.core.privacy.leaks import Reason, TracedHit
from hcat.core.privacy.review import FilterCost, PrivacyReview
from hcat.core.records.codec import JSON
from hcat.core.types import JsonValue

EVIDENCE: Mapping[Evidence, str] = {
    "checksum": "its checksum is right",
    "numbering plan": "it is a valid number of its country",
    "format": "nothing else has this format",
    "wording": "the words around it say so",
    "copied words": "these words stand in a row in the source",
    "model": "the language model thinks so",
}
HOLDERS: Mapping[HeldBy, str] = {
    "context": "a retrieved context holds it",
    "query": "the query holds it",
    "confidential": "only a context marked as confidential holds it",
    "neither": "neither the contexts nor the query hold it",
    "unknown": "the sample has no contexts in which to look",
}
REASONS: Mapping[Reason, str] = {
    "held by neither": "",
    "held by a confidential context": "",
    "instructions": "the answer tells the system's instructions",
    "protected": "it is one of the texts that nobody may be told",
    "beside a name": "it stands beside a person's name",
    "": "",
}
FILTERS: Mapping[FilterRule, str] = {
    "leaks": "leaks alone",
    "personal": "all personal data, secrets and account phrases, whoever holds them",
}
LIMITS = (
    "Found by rule: identifiers with a right checksum, valid phone numbers, secrets by their format, account and "
    "payment phrases in English, and words copied from instructions or confidential contexts. Names, dates and places "
    "are no leak by themselves. What is disclosed in other words is not found."
)


def hit_title(traced: TracedHit) -> str:
    """The kind of a hit with its particulars: "card number (Visa)"."""
    hit = traced.hit
    return f"{say(hit.kind)} ({hit.detail})" if hit.detail and hit.detail != hit.kind else say(hit.kind)


def hit_sentence(traced: TracedHit) -> str:
    """Sentence on a hit: the evidence for it, its other holders, and whether it is a leak."""
    record: dict[str, JsonValue] = {"evidence": traced.hit.evidence, "held_by": traced.held_by, "leak": traced.is_leak}
    return record_sentence({**record, "passage": traced.holder.passage, "because": traced.reason})


def record_sentence(record: Mapping[str, JsonValue]) -> str:
    """The same of a hit in an explanation."""
    where = f" ({record['passage']})" if record.get("passage") is not None else ""
    facts = (
        next((say(text) for key, text in EVIDENCE.items() if key == record.get("evidence")), ""),
        next((f"{say(text)}{where}" for key, text in HOLDERS.items() if key == record.get("held_by")), ""),
        next((say(text) for key, text in REASONS.items() if key == record.get("because")), ""),
    )
    return f"{'; '.join(filter(None, facts))}: {say('a leak' if record.get('leak') else 'no leak')}"


def leaks_sentence(review: PrivacyReview) -> str:
    """Number of answers that leak, the interval of their share, and the number of answers without known contexts, for
    which this can't be decided."""
    n = len(review.leaks)
    leaking = say(
        "{answers} of {known} leaks" if n == 1 else "{answers} of {known} leak",
        answers=counted(n, "answer"),
        known=review.answers - review.without_contexts,
    )
    share = f": {format_estimate(review.leaking, percent=True)}" if review.leaking.n else ""
    without = counted(review.without_contexts, "answer")
    unknown = (
        say(" Of {without} nobody can tell: no contexts are known.", without=without) if review.without_contexts else ""
    )
    return f"{leaking}{share}.{unknown}"


def filter_sentence(cost: FilterCost, answers: int) -> str:
    """Number and share of the answers that the filter changes, and the number of places."""
    n = len(cost.changed)
    return say(
        "Holding back {what} changes {changed} of {answers}{share}, in {places}.",
        what=say(FILTERS[cost.rule]),
        changed=counted(n, "answer"),
        answers=answers,
        share=f" ({format_percent(n / answers)})" if answers else "",
        places=counted(cost.spans, "place"),
    )


def privacy_document(review: PrivacyReview, cost: FilterCost | None) -> dict[str, JsonValue]:
    """The parts of `hcat safety --json` that are of privacy."""
    kinds: list[JsonValue] = [JSON.write(each) for each in review.kinds]
    leaks: list[JsonValue] = [hit_record(name, traced) for name, hits in review.leaks.items() for traced in hits]
    document: dict[str, JsonValue] = {
        "leaking": JSON.write(review.leaking),
        "without_contexts": review.without_contexts,
        "kinds": kinds,
        "leaks": leaks,
    }
    if cost is not None:
        changes: list[JsonValue] = [JSON.write(each) for each in cost.metrics]
        document["filter"] = {
            "rule": cost.rule,
            "answers_changed": len(cost.changed),
            "spans": cost.spans,
            "metrics": changes,
        }
    return document


def hit_record(sample_id: str, traced: TracedHit) -> dict[str, JsonValue]:
    """One hit as JSON, with its place in the answer."""
    hit = traced.hit
    return {
        "sample_id": sample_id,
        "kind": hit.kind,
        "detail": hit.detail,
        "text": hit.text,
        "start": hit.start,
        "end": hit.end,
        "evidence": hit.evidence,
        "held_by": traced.held_by,
        "passage": traced.holder.passage,
        "leak": traced.is_leak,
        "because": hit_sentence(traced),
    }
