"""The command line. Each command is one function in `dashboard/commands/`; heavy imports happen inside them."""

from __future__ import annotations

import sys

import typer

from core import __version__
from core.errors import HcatError
from dashboard.commands import (
    agreement,
    calibration,
    estimates,
    planning,
    project,
    report,
    scoring,
    serving,
    trials,
    weaknesses,
)

app = typer.Typer(
    name="hcat",
    help="Test retrieval-augmented generation systems: score, calibrate against people, find weaknesses, report.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (
    serving.demo,
    serving.serve,
    project.import_,
    scoring.score,
    scoring.metrics,
    agreement.agreement,
    calibration.calibrate,
    calibration.predict,
    estimates.estimate,
    estimates.compare,
    planning.plan,
    trials.trials,
    weaknesses.weakness,
    weaknesses.topics,
    report.report,
):
    app.command(name=command.__name__.rstrip("_"))(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_version, is_eager=True),
) -> None:
    """Each command takes files and needs no database unless --project is given."""


def main() -> None:
    """Run a command; an error of ours becomes one clear line and exit code 2."""
    try:
        app()
    except HcatError as error:
        typer.echo(f"hcat: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        typer.echo(f"hcat: {error.strerror or error}{place}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
