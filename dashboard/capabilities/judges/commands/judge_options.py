"""Shared parts of the `hcat judge` commands: options of the model and the rubric, and the judge that they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.labels import labelled_criterion, read_label_file, stated_criterion
from hcat.dashboard.commands.output import names_in, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.capabilities.judges.judge import Judge, JudgedExample, ReasonOrder
    from hcat.core.capabilities.judges.rubric import Rubric
    from hcat.core.settings import Settings
    from hcat.core.types import Criterion, Label

Endpoint = Annotated[
    str | None, typer.Option(help="The judge's OpenAI-compatible address; by default HCAT_LLM_BASE_URL.")
]
Model = Annotated[str | None, typer.Option(help="The judge's model; by default HCAT_LLM_MODEL.")]
RubricFile = Annotated[
    Path | None,
    typer.Option("--rubric", help="A rubric (JSON, from `hcat judge rubric`); by default the five criteria."),
]
Criteria = Annotated[str, typer.Option(help="Criteria of the rubric, comma-separated; by default all.")]
Trials = Annotated[
    int, typer.Option(min=1, max=20, help="How often each sample is judged, each time with another seed.")
]
Temperature = Annotated[
    float, typer.Option(min=0.0, max=2.0, help="Of the decoding; above 0 trials differ, at 0 hardly.")
]
Order = Annotated[
    Literal["reason-first", "verdict-first"],
    typer.Option(help="Whether the judge gives its reason or its score first."),
]


class JudgeOptions(NamedTuple):
    """Options of a command that describe the judge."""

    endpoint: str | None
    model: str | None
    trials: int = 1
    temperature: float = 0.0
    order: str = "reason-first"

    @property
    def reason_order(self) -> ReasonOrder:
        return "verdict first" if self.order == "verdict-first" else "reason first"


class PeopleLabels(NamedTuple):
    """The labels in a file, and the criterion that they are on."""

    labels: tuple[Label, ...]
    criterion: Criterion


def chosen_rubric(file: Path | None, criteria: str) -> Rubric:
    """The rubric in the file, or the one that comes with hcat, with these criteria alone."""
    from hcat.core.capabilities.judges.funnel import FUNNEL
    from hcat.core.capabilities.judges.rubric import read_rubric

    rubric = FUNNEL if file is None else read_rubric(read_text(file), name=file.name)
    return rubric if not names_in(criteria) else rubric.only(names_in(criteria))


def opened_judge(options: JudgeOptions, rubric: Rubric, examples: Sequence[JudgedExample] = ()) -> Judge:
    """The judge of these options and the settings. HcatError where no model is named."""
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.models.llm.loading import load_trials

    models = load_trials(endpoint_settings(options), options.trials, temperature=options.temperature)
    if not models:
        raise HcatError(
            "no language model is set: name --endpoint and --model, or set HCAT_LLM_BASE_URL and HCAT_LLM_MODEL"
        )
    return Judge(rubric, models, tuple(examples), options.reason_order)


def endpoint_settings(options: JudgeOptions) -> Settings:
    """The settings with the endpoint and the model of the options, where these are named."""
    from hcat.core.settings import settings

    if (options.endpoint is None) != (options.model is None):
        raise HcatError("name both --endpoint and --model: a language model needs an address and a name")
    if options.endpoint is None:
        return settings()
    return settings().model_copy(update={"llm_base_url": options.endpoint, "llm_model": options.model})


def people_labels(
    labels: Path, criterion: str | None, positive: str | None, levels: str | None, passing: str | None, run: str | None
) -> PeopleLabels:
    """The labels in a file on this criterion."""
    if criterion is None:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    stated = stated_criterion(criterion, levels, positive)
    preview = read_label_file(labels, criterion=criterion, positive=positive, run=run, levels=stated)
    return PeopleLabels(preview.labels, labelled_criterion(preview, criterion, passing=passing))
