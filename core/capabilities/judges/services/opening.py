"""The judge that a request names: a rubric, examples, and the language model of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from hcat.core.errors import ModelError
from hcat.core.settings import Settings

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.judge import Judge, JudgedExample
    from hcat.core.capabilities.judges.rubric import Rubric

Order = Literal["reason first", "verdict first"]


class Asked(Protocol):
    """Settings of a judge in a request. `model` is another model at the address of the settings, or ""."""

    @property
    def model(self) -> str: ...
    @property
    def trials(self) -> int: ...
    @property
    def temperature(self) -> float: ...
    @property
    def order(self) -> Order: ...


def open_judge(settings: Settings, rubric: Rubric, asked: Asked, examples: Sequence[JudgedExample] = ()) -> Judge:
    """The judge. ModelError where no language model is set."""
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.models.llm.loading import load_trials

    own = settings.model_copy(update={"llm_model": asked.model}) if asked.model else settings
    models = load_trials(own, asked.trials, temperature=asked.temperature)
    if not models:
        raise ModelError("No language model is set to judge: set HCAT_LLM_BASE_URL and HCAT_LLM_MODEL.")
    return Judge(rubric, models, tuple(examples), asked.order)
