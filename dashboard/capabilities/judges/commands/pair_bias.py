"""`hcat judge bias`: biases in recorded verdicts on pairs, or of a judge on changed answers of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.files import read_samples
from hcat.dashboard.capabilities.judges.commands.judge_options import (
    Criteria,
    Endpoint,
    JudgeOptions,
    Model,
    RubricFile,
    chosen_rubric,
    opened_judge,
)
from hcat.dashboard.commands.output import AsJson, existing, print_json, print_note, progress_bar

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.rubric import Rubric
    from hcat.core.types import JsonValue


def bias(
    file: Annotated[
        Path,
        typer.Argument(help="Recorded verdicts on pairs in both orders (JSON Lines, also .gz); or a run file."),
    ],
    endpoint: Endpoint = None,
    model: Model = None,
    rubric: RubricFile = None,
    criteria: Criteria = "",
    fresh: Annotated[
        bool, typer.Option("--run", help="The file is a run: ask the judge about its answers, as they are and changed.")
    ] = False,
    sample: Annotated[int | None, typer.Option(min=1, help="With --run: so many samples, drawn at random.")] = None,
    name: Annotated[str, typer.Option(help="With --run: the judge's name, as in `hcat judge RUN --name`.")] = "judge",
    own: Annotated[
        list[str] | None,
        typer.Option("--own", help="JUDGE=FAMILY: which models in model_a and model_b are the judge's own family."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check judges for bias: position, verbosity, self-preference, authority, consistency on refusals."""
    if fresh:
        _of_run(file, JudgeOptions(endpoint, model), chosen_rubric(rubric, criteria), sample, name, as_json)
    else:
        _of_pairs(file, own or [], as_json)


def _of_pairs(file: Path, own: list[str], as_json: bool) -> None:
    from hcat.core.capabilities.judges.pair_file import read_pair_file
    from hcat.core.capabilities.judges.pairs import pair_biases
    from hcat.core.capabilities.judges.view import pair_biases_view
    from hcat.core.capabilities.judges.wording.biases import PAIR_MEANINGS
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    families = dict(_family(text) for text in own)
    biases = pair_biases(read_pair_file(existing(file).read_bytes(), name=file.name), own=families)
    if as_json:
        judges: list[JsonValue] = [JSON.write(each) for each in biases]
        meanings: dict[str, JsonValue] = {**PAIR_MEANINGS}
        print_json(inputs={"verdicts": file}, settings={"own": dict(families)}, judges=judges, effects=meanings)
        return
    print_view(pair_biases_view(biases))


def _of_run(file: Path, options: JudgeOptions, rubric: Rubric, sample: int | None, name: str, as_json: bool) -> None:
    from hcat.core.capabilities.judges.drawing import drawn_samples
    from hcat.core.capabilities.judges.manipulations import MANIPULATIONS, REFUSALS, score_biases
    from hcat.core.capabilities.judges.view import biases_view
    from hcat.core.records.codec import JSON
    from hcat.core.records.run_file import content_hash
    from hcat.core.settings import settings
    from hcat.dashboard.commands.printed_view import print_view

    judge, whole = opened_judge(options, rubric), read_samples(file)
    samples = whole if sample is None else drawn_samples(judge, whole, sample, seed=settings().seed)
    times = 1 + len(MANIPULATIONS) + len(REFUSALS)
    print_note(f"At most {times * len(samples)} requests: each answer as it is, changed, and as a refusal.")
    with progress_bar() as show:
        biases = score_biases(judge, samples, on_progress=show)
    if as_json:
        about: dict[str, JsonValue] = {**judge.settings(), "version": judge.version, "name": name}
        print_json(
            inputs={"run": file},
            settings=about,
            n=len(samples),
            run_hash=content_hash(whole),
            shifts=[JSON.write(each) for each in biases.shifts],
            refusals=[JSON.write(each) for each in biases.refusals],
            usage=biases.usage.record(),
        )
        return
    print_view(biases_view(biases, len(samples)))


def _family(text: str) -> tuple[str, str]:
    judge, _, family = text.rpartition("=")
    if not judge.strip() or not family.strip():
        raise HcatError(f'--own {text!r}: write it as "JUDGE=FAMILY", such as "gpt-4o=gpt"')
    return judge.strip(), family.strip()
