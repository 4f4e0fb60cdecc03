"""The command line. Each capability declares its commands; heavy imports happen inside them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import typer

from hcat.core import __version__
from hcat.core.capabilities import CAPABILITIES
from hcat.core.display.control_characters import one_line, visible_output
from hcat.core.errors import HcatError
from hcat.core.faults.expected import expected_line
from hcat.core.settings import FILE_VARIABLE, settings_file
from hcat.dashboard.commands import language_models, serving
from hcat.dashboard.commands.output_files import checks_outputs
from hcat.dashboard.commands.store import backups, installation

app = typer.Typer(
    name="hcat",
    help="Test retrieval-augmented generation systems: score, calibrate against people, find weaknesses, report.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def commands_of(group: typer.Typer) -> Iterator[typer.models.CommandInfo]:
    """The commands of the group and of the groups in it."""
    yield from group.registered_commands
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            yield from commands_of(inner.typer_instance)


def _add(name: str, command: object) -> None:
    """Add a command, or a group of commands, under its name."""
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        assert callable(command)
        app.command(name=name)(command)


_add("demo", serving.demo)
_add("serve", serving.serve)
for capability in CAPABILITIES:
    for name, place in capability.commands.items():
        _add(name, capability.part(place, of="dashboard"))
_add("llm", language_models.app)
_add("backup", backups.backup)
_add("restore", backups.restore)
_add("migrate", installation.migrate)
_add("doctor", installation.doctor)

for named in commands_of(app):
    if named.callback is not None:
        named.callback = checks_outputs(named.callback)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_version, is_eager=True),
) -> None:
    """Each command takes files and needs no database unless --project is given."""


MISTAKE, DEFECT, STOPPED = 2, 70, 130
"""Exit codes: what the user can mend; what hcat's authors must (EX_SOFTWARE of sysexits.h); Ctrl+C."""


def main() -> None:
    """Run a command; no character of a file acts on the terminal."""
    with visible_output():
        _run()


def _run() -> None:
    """Run a command, or show the help where none is named. A mistake becomes one clear line and exit code 2; a defect
    of hcat one line that names a log file."""
    arguments = sys.argv[1:] or ["--help"]
    try:
        _check_characters(arguments)
        _tell_of_unread_settings()
        sys.exit(app(args=arguments, prog_name="hcat", standalone_mode=False))
    except typer.TyperException as error:
        _end(f"{error.format_message().rstrip('.')}; see `{_help_for(arguments)}`", MISTAKE)
    except (typer.Abort, KeyboardInterrupt):
        _end("stopped", STOPPED)
    except Exception as error:  # noqa: BLE001 - nobody after this would report it
        known = expected_line(error)
        if known is not None:
            _end(known, MISTAKE)
        from hcat.core.faults.error_log import line_for

        _end(line_for(error, during=f"hcat {_words(arguments)}"), DEFECT)


def _check_characters(arguments: Sequence[str]) -> None:
    """HcatError for an argument that is not UTF-8: nothing could be stored or written under that name."""
    for argument in arguments:
        if any("\ud800" <= letter <= "\udfff" for letter in argument):
            raise HcatError(f"{argument[:80]!a} is not UTF-8: write it anew, or rename the file")


def _tell_of_unread_settings() -> None:
    here = Path(".env")
    if here.is_file() and "HCAT_" in here.read_text("utf-8", "replace") and here.resolve() != settings_file():
        typer.echo(f"hcat: {here.resolve()} is not read; to use it, set {FILE_VARIABLE} to its path", err=True)


def _end(message: str, code: int) -> NoReturn:
    typer.echo(f"hcat: {one_line(message)}", err=True)
    sys.exit(code)


def _words(arguments: Sequence[str]) -> str:
    """The names of the command and of its options, without what was given to them."""
    names = [word for word in arguments[:1] if word.isidentifier() or "-" in word]
    return " ".join([*names, *(word.partition("=")[0] for word in arguments[1:] if word.startswith("--"))])


def _help_for(arguments: Sequence[str]) -> str:
    names = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    return " ".join(["hcat", *(word for word in arguments[:1] if word in names), "--help"])


if __name__ == "__main__":
    main()
