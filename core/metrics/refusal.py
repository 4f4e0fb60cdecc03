"""Refusals: does the answer decline to answer, and is that right? Abstention is an answer, never a hallucination."""

from __future__ import annotations

from hcat.core.metrics.declaration import Explanation, Outcome, metric, scored, unscored
from hcat.core.metrics.sample_view import SampleView
from hcat.core.refusals.detection import Answering, answerable, answering
from hcat.core.types import JsonValue

FAMILY = "refusal"
SHARE = (0.0, 1.0)
SOURCE = "rules on the wording of each sentence and on where it stands, for English; core/refusals/detection.py"


@metric(
    title="Refusal",
    family=FAMILY,
    needs=("answer",),
    range=SHARE,
    direction="none",
    models=(),
    skip_refusals="never",
    source=SOURCE,
    description="1 if the answer declines to answer, 0 if it answers.",
    formula=r"\mathbf{1}[\text{the answer declines}]",
)
def refusal(sample: SampleView) -> Outcome:
    detection = answering(sample.sample.answer)
    return scored(float(detection.kind == "refused"), lambda: _explain(detection))


@metric(
    title="Refusal, correct",
    family=FAMILY,
    needs=("answer",),
    range=SHARE,
    models=(),
    skip_refusals="never",
    source=f"{SOURCE}; the corpus holds the answer where passages are relevant or the reference does not decline",
    description="1 if the system answers when the corpus has the answer and declines when it does not; otherwise 0.",
    formula=r"\mathbf{1}[\text{the answer declines} \iff \text{the corpus does not hold the answer}]",
)
def refusal_correct(sample: SampleView) -> Outcome:
    is_answerable = answerable(sample.sample)
    if is_answerable is None:
        return unscored("not known whether the corpus holds the answer")
    detection = answering(sample.sample.answer)
    refused = detection.kind == "refused"
    verdict = _VERDICTS[refused, is_answerable]
    return scored(
        float(refused != is_answerable),
        lambda: {"verdict": verdict, "answerable": is_answerable, **_explain(detection)},
    )


_VERDICTS = {
    (True, False): "correct refusal",
    (True, True): "wrong refusal",
    (False, True): "answers what the corpus holds",
    (False, False): "should have refused",
}


def _explain(detection: Answering) -> Explanation:
    phrases: list[JsonValue] = [
        {"phrase": role.phrase, "text": role.sentence.text, "start": role.sentence.start, "end": role.sentence.end}
        for role in detection.declining
    ]
    return {
        "kind": detection.kind,
        "because": detection.because,
        "wholly": detection.wholly_refused,
        "declining": phrases,
        "sentences": [role.role for role in detection.roles],
    }
