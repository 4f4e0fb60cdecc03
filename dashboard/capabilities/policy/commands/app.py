"""The group of commands `hcat policy`."""

from __future__ import annotations

import typer

from hcat.dashboard.capabilities.policy.commands import checking, in_use, policies, regenerating
from hcat.dashboard.commands.file_options import reads_files

app = typer.Typer(help="From prediction sets to decisions, with a promise on what gets through.", no_args_is_help=True)

app.command()(reads_files(policies.fit))
app.command()(policies.show)
app.command("apply")(reads_files(policies.apply))
app.command()(reads_files(regenerating.regenerate))
app.command()(reads_files(checking.check))
app.command("switch-on")(in_use.switch_on)
app.command("list")(in_use.list_)
