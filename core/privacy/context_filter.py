"""A filter that holds text back before an answer goes out (HCAT 4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from hcat.core.privacy.leaks import TracedHit
from hcat.core.types import Sample

FilterRule = Literal["leaks", "personal"]
"""Hold back leaks alone; or every identifier, secret and account phrase, whoever else holds it."""

FILTER_RULES: tuple[FilterRule, ...] = get_args(FilterRule)


def held_back(hits: Iterable[TracedHit], rule: FilterRule) -> tuple[TracedHit, ...]:
    """Those of the hits that the filter would hold back. Names and dates alone never are."""
    return tuple(each for each in hits if each.is_leak or (rule == "personal" and each.hit.counts_alone))


def filtered(sample: Sample, hits: Iterable[TracedHit], rule: FilterRule) -> Sample:
    """The sample with what is held back replaced by its kind in brackets; `hits` are those of its answer."""
    answer = sample.answer or ""
    for each in sorted(held_back(hits, rule), key=lambda traced: -traced.hit.start):
        answer = f"{answer[: each.hit.start]}[{each.hit.kind} withheld]{answer[each.hit.end :]}"
    return sample if answer == (sample.answer or "") else replace(sample, answer=answer)
