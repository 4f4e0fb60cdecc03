"""The group `hcat judge`: a run, or one of its checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

from hcat.dashboard.capabilities.judges.commands.distilling import distil, gain
from hcat.dashboard.capabilities.judges.commands.judge import judge
from hcat.dashboard.capabilities.judges.commands.pair_bias import bias
from hcat.dashboard.capabilities.judges.commands.pairs import pairs
from hcat.dashboard.capabilities.judges.commands.panels import panel
from hcat.dashboard.capabilities.judges.commands.rubrics import rubric
from hcat.dashboard.capabilities.judges.commands.self_preference import self_preference
from hcat.dashboard.commands.file_options import reads_files

if TYPE_CHECKING:
    from typer._click import Context

DEFAULT = "run"


class _RunByDefault(TyperGroup):
    """A first word that names no command is a run: `hcat judge RUN` is `hcat judge run RUN`."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        words = [DEFAULT, *args] if args and args[0] not in (*self.commands, "--help") else args
        return super().parse_args(ctx, words)


app = typer.Typer(
    name="judge",
    help="Let a language model judge a run by a rubric (`hcat judge RUN`), and check such judges.",
    cls=_RunByDefault,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command(name=DEFAULT)(reads_files(judge))
app.command()(bias)
app.command()(reads_files(distil))
app.command()(reads_files(gain))
app.command()(reads_files(pairs))
app.command()(panel)
app.command()(rubric)
app.command(name="self-preference")(reads_files(self_preference))
