"""Every metric and every method has its five heads, each written once."""

from __future__ import annotations

from collections import Counter

import pytest

from hcat.core.capabilities.metrics.heads import Method, kinds, kinds_of, methods
from hcat.core.capabilities.metrics.view import methods_view
from hcat.core.metrics.registry import METRICS
from hcat.core.settings import ROOT
from hcat.core.view.tree import Bullets, Heading
from tests.views import snapshots

HEADS = ["Purpose", "Mechanism", "Signs of high risk", "Strengths", "Limitations"]
PAGES = {path.stem for path in (ROOT / "docs" / "methods").glob("*.md")} - {"README"}


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_is_of_one_kind(metric: object) -> None:
    assert len(kinds_of([metric.name])) == 1  # type: ignore[attr-defined]


def test_every_metric_at_any_cut_off_has_its_kind_and_foreign_ones_have_none() -> None:
    assert kinds_of(["ndcg@5", "recall@3"]) == kinds_of(["rr"]) and kinds_of(["their_judge"]) == ()


@pytest.mark.parametrize("method", (*kinds(), *methods()), ids=lambda method: method.key)
def test_every_kind_and_method_has_five_heads(method: Method) -> None:
    assert list(method.heads) == HEADS
    for text in method.heads.values():
        assert len(text) >= 20 and text.endswith(".") and text.lstrip("“")[0].isupper()


def test_no_metric_is_covered_twice_and_no_text_is_written_twice() -> None:
    known = {metric.name.partition("@")[0] for metric in METRICS}
    covered = Counter(name for kind in kinds() for name in kind.covers)
    assert set(covered.values()) == {1} and set(covered) == known
    texts = Counter(text for each in (*kinds(), *methods()) for text in each.heads.values())
    assert set(texts.values()) == {1}
    assert not set(texts) & {metric.description for metric in METRICS}


def test_every_page_of_the_methods_has_its_method() -> None:
    assert {method.key for method in methods()} >= PAGES


def test_the_view_has_a_heading_and_five_bullets_each(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = (*kinds_of(["groundedness_nli"]), methods()[2])
    blocks = methods_view(chosen).blocks
    assert [type(block) for block in blocks] == [Heading, Bullets] * 2
    snapshots.check("heads-of-methods", lambda: methods_view(chosen), capsys)
