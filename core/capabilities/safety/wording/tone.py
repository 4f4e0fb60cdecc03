"""Sentences about the tone of answers, and about known errors of the toxicity head."""

from __future__ import annotations

from hcat.core.capabilities.safety.tone import ToneFlags
from hcat.core.capabilities.safety.toxicity_functions import Functionality, FunctionalityTable
from hcat.core.display.messages import lower_first, say
from hcat.core.display.numbers import counted, format_count, format_estimate, format_number, format_percent
from hcat.core.records.codec import JSON
from hcat.core.types import JsonValue

WORDS = {"toxicity": "hateful", "unprofessional": "unprofessional in tone"}

MEANING = (
    "That is what the classifier says, not how many people would. Label a sample of the answers on harmlessness and "
    "calibrate the metric on the labels before a verdict rests on it."
)
SENTIMENT = "Sentiment is for differences between groups or runs. On its own it tells neither hate nor quality."
NOT_MEASURED = (
    "These scores are not of the packaged classifier. What this one misses was not measured; `python -m "
    "benchmarks.toxicity` measures it."
)
TONE_NOT_MEASURED = (
    "All are about toxicity. Unprofessional tone was learnt from rules and tweets, and no person labelled a bank's "
    "answers for it: mild rudeness is missed."
)
WEAK_BELOW = 0.7
"""Kinds of text on which the accuracy of the head is below this are named with every count."""


def flags_sentence(flags: ToneFlags) -> str:
    """Number and share of the answers that a metric flags."""
    n = flags.flagged.n
    text = (
        say(
            "The classifier calls {worst} of {answers} {words}: {flagged}.",
            worst=format_count(len(flags.worst)),
            answers=counted(n, "answer"),
            words=say(WORDS[flags.metric]),
            flagged=format_estimate(flags.flagged, percent=True),
        )
        if n
        else say("No answer is scored on {flags.metric}.", flags=flags)
    )
    return (
        text
        if not flags.unscored
        else say("{text} {answers} unscored.", text=text, answers=counted(flags.unscored, "answer"))
    )


def functionality_sentence(table: FunctionalityTable) -> str:
    """Accuracy of the head on the test set, and the kinds of text on which it fails."""
    weak = weak_functions(table)
    names = "; ".join(f"{lower_first(say(row.describes))} ({format_percent(row.right.value)})" for row in weak)
    text = say(
        "On {source}, the packaged head is right on {accuracy} of texts (balanced accuracy "
        "{balanced_accuracy}, AUC {auc}).",
        source=say(table.source),
        accuracy=format_estimate(table.accuracy, percent=True),
        balanced_accuracy=format_number(table.balanced_accuracy),
        auc=format_number(table.auc),
    )
    return say("{text} It is least right on: {names}.", text=text, names=names) if names else text


def weak_functions(table: FunctionalityTable) -> list[Functionality]:
    """The kinds of text on which the head is right least often, the worst first."""
    weak = [row for row in table.rows if row.right.value < WEAK_BELOW]
    return sorted(weak, key=lambda row: row.right.value)


def tone_document(flags: tuple[ToneFlags, ...], table: FunctionalityTable | None) -> dict[str, JsonValue]:
    """The flags and the functionality table as JSON; no table where another classifier is set."""
    functions: list[JsonValue] = [
        {"function": row.name, "describes": row.describes, "toxic": row.toxic, "right": JSON.write(row.right)}
        for row in (table.rows if table is not None else ())
    ]
    return {
        "flags": {
            each.metric: {
                "flagged": JSON.write(each.flagged),
                "unscored": each.unscored,
                "worst": [{"sample_id": name, "probability": value} for name, value in each.worst],
            }
            for each in flags
        },
        "functionality": functions,
    }
