"""A filter that withholds text before an answer is sent (HCAT 4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from hcat.core.privacy.leaks import TracedHit
from hcat.core.types import Sample

FilterRule = Literal["leaks", "personal"]
"""Withhold leaks alone; or every identifier, secret and account phrase, regardless of who else has it."""

FILTER_RULES: tuple[FilterRule, ...] = get_args(FilterRule)


def held_back(hits: Iterable[TracedHit], rule: FilterRule) -> tuple[TracedHit, ...]:
    """The hits that the filter would withhold. Names and dates alone never are."""
    return tuple(each for each in hits if each.is_leak or (rule == "personal" and each.hit.counts_alone))


def filtered(sample: Sample, hits: Iterable[TracedHit], rule: FilterRule) -> Sample:
    """The sample with withheld text replaced by its kind in brackets; `hits` are those of its answer."""
    answer = sample.answer or ""
    for each in sorted(held_back(hits, rule), key=lambda traced: -traced.hit.start):
        answer = f"{answer[: each.hit.start]}[{each.hit.kind} withheld]{answer[each.hit.end :]}"
    return sample if answer == (sample.answer or "") else replace(sample, answer=answer)
