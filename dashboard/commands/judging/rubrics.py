"""`hcat judge rubric`: the rubric that comes with hcat, as a file to edit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dashboard.commands.judging.judge_options import Criteria, RubricFile, chosen_rubric
from dashboard.commands.output import AsJson, print_json, print_table


def rubric(
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write it as a file to edit (JSON).")] = None,
    rubric: RubricFile = None,
    criteria: Criteria = "",
    as_json: AsJson = False,
) -> None:
    """Show a rubric, or write the one that comes with hcat to a file, to be edited and given to `hcat judge`."""
    from core.agreement.judges.rubric import rubric_json
    from core.records.atomic import write_whole
    from core.records.codec import JSON

    chosen = chosen_rubric(rubric, criteria)
    if output is not None:
        write_whole(output, rubric_json(chosen).encode())
    if as_json:
        inputs = {} if rubric is None else {"rubric": rubric}
        print_json(inputs=inputs, settings={}, rubric=JSON.write_object(chosen), hash=chosen.hash)
        return
    for each in chosen.criteria:
        print_table(
            f"{each.name}: {each.question}",
            ("score", "level"),
            [(f"{score}{' (passes)' if score >= each.passing else ''}", text) for score, text in
             zip(each.scores, each.levels, strict=True)],
        )  # fmt: skip
    if output is not None:
        typer.echo(f"Written to {output}: edit it and give it to `hcat judge RUN --rubric {output}`.")
