"""The options by which a command names a project, one of its runs and a criterion."""

from __future__ import annotations

from typing import Annotated

import typer

ProjectOption = Annotated[str, typer.Option("--project", help="The project.")]
RunOption = Annotated[str, typer.Option("--run", help="The run of the project.")]
CriterionOption = Annotated[str, typer.Option("--criterion", help="The criterion.")]
