"""Disclosures in answers, the share of copied text, and the cost of a filter."""

from __future__ import annotations

from hcat.core.capabilities.safety.wording.privacy import filter_sentence, hit_sentence, hit_title, leaks_sentence
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_with_interval
from hcat.core.privacy.review import FilterCost, PrivacyReview
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Paragraph, Quantity, Table, Text, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

MOST = 50
"""So many leaks are listed."""
MOST_COPIES = 20
HOLDERS = ("Hits", "Answers", "A context", "The query", "Confidential", "Neither", "Not known", "Leaks")


def leaks_view(review: PrivacyReview, *, quoted: bool) -> View:
    """Number of answers that leak, disclosures by kind and holder, and each leak; `quoted` repeats its words."""
    blocks: list[Block] = [Paragraph((leaks_sentence(review),))]
    if review.kinds:
        kinds: tuple[tuple[Value, ...], ...] = tuple((say(each.kind), *each.counts) for each in review.kinds)
        columns = (column("Kind"), *(column(name, "count") for name in HOLDERS))
        blocks.append(Table(say("What is disclosed, and who else holds it"), columns, kinds))
    leaks = [(name, traced) for name, hits in review.leaks.items() for traced in hits]
    if leaks:
        rows: tuple[tuple[Value, ...], ...] = tuple(
            (
                *(name, hit_title(traced), f"{traced.hit.start}–{traced.hit.end}"),
                *((traced.hit.text,) if quoted else ()),
                hit_sentence(traced),
            )
            for name, traced in leaks[:MOST]
        )
        more: Text = (say("{most} of {leaks}; `hcat safety --leaks` writes all.", most=MOST, leaks=len(leaks)),)
        columns = (
            *(column("Sample"), column("Kind"), column("Characters of the answer")),
            *((column("Text"),) if quoted else ()),
            column("Why"),
        )
        blocks.append(Table(say("Leaks"), columns, rows, more if len(leaks) > MOST else ()))
    return View(tuple(blocks))


def copying_view(review: PrivacyReview) -> View:
    """Share of the answers that is copied word for word, and the answers with the largest shares."""
    if not review.copying.n:
        return View((Paragraph((say("No answer with contexts: nothing to compare the words with."),)),))
    sentence = say(
        "On average {share} of an answer's words, over {answers}, stand in runs of at least 20 words of one context; "
        "{copied} have such a run. Copying is what an extractive system does; it matters where the documents are not "
        "yours to publish.",
        share=format_with_interval(review.copying, percent=True),
        answers=counted(review.copying.n, "answer"),
        copied=len(review.copied),
    )
    most = sorted(review.copied.items(), key=lambda each: -each[1])[:MOST_COPIES]
    columns = (column("Sample"), column("Share of its words", "percent"))
    table = Table(say("Answers by copied words"), columns, tuple(most))
    return View((Paragraph((sentence,)), *([table] if most else [])))


def filter_view(cost: FilterCost, answers: int) -> View:
    """Answers that a filter changes, and each metric before and after."""
    sentence = Paragraph((filter_sentence(cost, answers),))
    if not cost.metrics:
        return View((sentence,))
    rows = tuple(
        (slice_metric_title(each.metric), each.before, each.after, Quantity(each.difference, "difference"))
        for each in cost.metrics
    )
    columns = (column("Metric"), column("Before", "number"), column("After", "number"), column("Change", "difference"))
    paired = say("Paired over all answers with a score, those that stay as they are included; clusters as everywhere.")
    return View((sentence, Table(say("Cost of the filter"), columns, rows, (paired,))))
