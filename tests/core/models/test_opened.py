"""Models as workers open them: what may run at once at an endpoint is shared out among them."""

from __future__ import annotations

import pytest

from hcat.core.models.opened import ModelsOfSettings, OpenModels, openings_among
from hcat.core.settings import Settings


@pytest.mark.parametrize(("parallel", "workers", "shares"), [(8, 2, [4, 4]), (5, 3, [2, 2, 1]), (2, 8, [1, 1])])
def test_the_limit_of_an_endpoint_holds_for_all_workers_together(
    parallel: int, workers: int, shares: list[int]
) -> None:
    settings = Settings(llm_base_url="http://127.0.0.1:1/v1", llm_model="m", llm_parallel=parallel)
    for opening in (
        ModelsOfSettings(settings, frozenset({"language"})),
        ModelsOfSettings(settings, frozenset({"verifier"}), verifier="llm"),
    ):
        assert [each.settings.llm_parallel for each in opening.among(workers)] == shares


def test_work_that_asks_nobody_has_as_many_workers_as_wanted() -> None:
    settings = Settings(llm_base_url="http://127.0.0.1:1/v1", llm_model="m", llm_parallel=2)
    opening = ModelsOfSettings(settings, frozenset({"entailment"}))
    assert openings_among(opening, 5) == [opening] * 5

    def plain() -> OpenModels:
        raise AssertionError("nothing is opened yet")

    assert openings_among(plain, 3) == [plain] * 3
