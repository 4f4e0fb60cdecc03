"""`hcat policy switch-on` and `list`: the policies of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, print_json, read_text
from hcat.dashboard.commands.project_options import ProjectOption, RunOption


def switch_on(
    policy: Annotated[Path, typer.Argument(help="The policy from `hcat policy fit` (JSON).")],
    project: ProjectOption,
    run: RunOption,
    author: Annotated[str, typer.Option(help="Who switches it on.")],
    reason: Annotated[str, typer.Option(help="Why, where its promise is not shown; stored with it.")] = "",
) -> None:
    """Put a policy in use on its criterion; --run is the run whose labels its thresholds are from."""
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.capabilities.policy.wording.policies import policy_sentence
    from hcat.core.workspace import Workspace

    stated = Policy.from_json(read_text(policy))
    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        workspace.criteria.get(project, stated.criterion)
        record = workspace.policies.switch_on(stored, stated, author=author, reason=reason)
    typer.echo(f"Version {record.version} on {record.criterion} is in use. {policy_sentence(stated)}")


def list_(project: ProjectOption, as_json: AsJson = False) -> None:
    """The policies that were switched on, newest first; the first on each criterion is in use."""
    from hcat.core.capabilities.policy.view import policies_view
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.printed_view import print_view

    with Workspace.open(actor="command line") as workspace:
        records = workspace.policies.all(workspace.projects.get(project))
    if not records and not as_json:
        raise HcatError(f"no policy of project {project!r} was ever switched on: `hcat policy switch-on` does that")
    if as_json:
        print_json(
            inputs={},
            settings={"project": project},
            policies=[
                {
                    **{"criterion": each.criterion, "version": each.version, "hash": each.hash},
                    **{"author": each.author, "reason": each.reason, "at": each.at.isoformat()},
                }
                for each in records
            ],
        )
        return
    print_view(policies_view(records))
