"""Verdicts on claims in the form that metrics use: whether they are complete, and how they are explained."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.claims.claim import Check
from hcat.core.claims.verdict import ClaimVerdicts, Verdict
from hcat.core.metrics.declaration import Explanation, Outcome
from hcat.core.metrics.sample_view import SampleView
from hcat.core.types import JsonValue, Score

NOT_VERIFIED = "no model that verifies claims"


def verdicts_of(sample: SampleView) -> Mapping[Check, tuple[Verdict, ...]]:
    """The verdicts for each check of the sample."""
    verdicts = sample.result(ClaimVerdicts)
    return {} if verdicts is None else verdicts.of


def missing_verdict(sample: SampleView, *checks: Check) -> str | None:
    """The reason why these checks do not suffice for a score: not verified, no claims, or a missing verdict."""
    verdicts = verdicts_of(sample)
    for check in checks:
        if check not in verdicts:
            return NOT_VERIFIED
        of_check = verdicts[check]
        if not of_check:
            return f"no claims in the {check.part}"
        missing = [verdict.reason or "no reason given" for verdict in of_check if verdict.supported is None]
        if missing:
            return f"no verdict on a claim: {missing[0]}"
    return None


def unscored_with_verdicts(reason: str, explanation: Explanation) -> Outcome:
    """No score, with the reason and the verdicts that exist."""
    return Outcome(Score(None, reason), lambda: {"unscored": reason, **explanation})


def verdict_rows(sample: SampleView, check: Check) -> list[JsonValue]:
    """Each claim with its verdict and the deciding evidence, as JSON."""
    return [verdict_row(sample, check, verdict) for verdict in verdicts_of(sample).get(check, ())]


def verdict_row(sample: SampleView, check: Check, verdict: Verdict) -> dict[str, JsonValue]:
    """A claim with its verdict and evidence as JSON.

    Text and offsets of the claim; `supported`, and `verdict` in words, which separates "partly supported"; the
    `hypothesis` compared in its place, and the `facts` of a claim that is not supported as a whole. By entailment `D`,
    `score` and the best `premise` with its sentences, of which `match` is the one most similar to the claim's sentence;
    by a language model the question that was `asked`."""
    claim = verdict.claim
    row: dict[str, JsonValue] = {
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "supported": verdict.supported,
        "verdict": verdict_word(verdict),
    }
    if verdict.hypothesis is not None:
        row["hypothesis"] = {"text": verdict.hypothesis.text, "note": verdict.hypothesis.note}
    if verdict.D is not None and verdict.score is not None:
        row |= {"D": verdict.D, "score": verdict.score}
    if verdict.reason is not None:
        row["reason"] = verdict.reason
    if verdict.passage is not None:
        row["supported_by"] = verdict.passage
    if verdict.premise is not None and verdict.sentences:
        sentences = sample.parts[check.against]
        located: list[JsonValue] = [sentences[place].located() for place in verdict.sentences]
        row |= {
            "match": located[_nearest(sample, check, verdict)],
            "premise": {"text": verdict.premise, "sentences": located},
        }
    if verdict.asked:
        row["asked"] = dict(verdict.asked)
    if verdict.facts:
        row["facts"] = [verdict_row(sample, check, fact) for fact in verdict.facts]
    return row


def verdict_word(verdict: Verdict) -> str:
    """The verdict in words; a missing verdict is neither supported nor unsupported."""
    if verdict.supported is None:
        return "no verdict"
    return "supported" if verdict.supported else "partly supported" if verdict.partly else "not supported"


def partly_supported(sample: SampleView, check: Check) -> int:
    """The number of claims with support for some of their facts only: they count as not supported."""
    return sum(verdict.partly for verdict in verdicts_of(sample).get(check, ()))


def _nearest(sample: SampleView, check: Check, verdict: Verdict) -> int:
    """The index of the premise's sentence that is most similar to the sentence with the claim."""
    start = verdict.claim.start or 0
    rows = [row for row, placed in enumerate(sample.parts[check.part]) if placed.sentence.start <= start]
    return int(sample.similarity(check.part, check.against)[rows[-1], list(verdict.sentences)].argmax())
