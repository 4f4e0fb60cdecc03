"""The command line. Each command is one function in `dashboard/commands/`; heavy imports happen inside them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import typer

from hcat.core import __version__
from hcat.core.display.control_characters import one_line, visible_output
from hcat.core.errors import HcatError
from hcat.core.faults.expected import expected_line
from hcat.core.settings import FILE_VARIABLE, settings_file
from hcat.dashboard.capabilities.agreement import command as agreement
from hcat.dashboard.capabilities.attacks.commands import making, rates
from hcat.dashboard.capabilities.audit import command as audit
from hcat.dashboard.capabilities.calibration.commands import calibration, calibrations
from hcat.dashboard.capabilities.collect import command as collecting
from hcat.dashboard.capabilities.corpus.commands import corpus
from hcat.dashboard.capabilities.coverage import command as coverage
from hcat.dashboard.capabilities.erasure import command as erasing
from hcat.dashboard.capabilities.estimates.commands import estimates, planning
from hcat.dashboard.capabilities.evidence.commands import key, verify
from hcat.dashboard.capabilities.fairness import command as bias
from hcat.dashboard.capabilities.findings import command as findings
from hcat.dashboard.capabilities.glossary import command as glossary
from hcat.dashboard.capabilities.grammar.commands import grammar
from hcat.dashboard.capabilities.judges.commands import group as judging
from hcat.dashboard.capabilities.labelling.commands import labels, queues
from hcat.dashboard.capabilities.members import command as members
from hcat.dashboard.capabilities.metrics import command as scoring
from hcat.dashboard.capabilities.policy.commands import app as policy
from hcat.dashboard.capabilities.report.commands import report
from hcat.dashboard.capabilities.retrieval import command as retrieval
from hcat.dashboard.capabilities.risks import command as risks
from hcat.dashboard.capabilities.robustness.commands import perturbing, robustness
from hcat.dashboard.capabilities.runs.commands import housekeeping, project
from hcat.dashboard.capabilities.safety import command as safety
from hcat.dashboard.capabilities.samples import command as samples
from hcat.dashboard.capabilities.sign_off.commands import preregistration, sign_off
from hcat.dashboard.capabilities.test_sets.commands import design, generating, selecting, test_sets
from hcat.dashboard.capabilities.topics.commands import topics
from hcat.dashboard.capabilities.trials import command as trials
from hcat.dashboard.capabilities.weaknesses.commands import paired_slices, weaknesses
from hcat.dashboard.commands import language_models, serving
from hcat.dashboard.commands.file_options import reads_files
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


COMMANDS: tuple[Callable[..., None], ...] = (
    serving.demo,
    serving.serve,
    reads_files(project.import_),
    reads_files(scoring.score),
    scoring.metrics,
    reads_files(agreement.agreement),
    reads_files(calibration.calibrate),
    reads_files(calibration.fitness),
    reads_files(calibration.predict),
    reads_files(estimates.estimate),
    reads_files(estimates.compare),
    reads_files(planning.plan),
    reads_files(trials.trials),
    reads_files(weaknesses.weakness),
    reads_files(paired_slices.compare_slices),
    reads_files(topics.topics),
    corpus.corpus,
    design.design,
    generating.generate,
    selecting.select,
    perturbing.perturb,
    reads_files(robustness.robustness),
    making.attack,
    reads_files(rates.attack_rates),
    reads_files(bias.bias),
    coverage.coverage,
    collecting.collect,
    reads_files(retrieval.retrieval),
    reads_files(safety.safety),
    reads_files(report.report),
    verify.verify,
    glossary.glossary,
    erasing.erase,
    erasing.erasures,
    backups.backup,
    backups.restore,
    installation.migrate,
    installation.doctor,
)
"""Those that read run, score or label files take the same options of how."""

for command in COMMANDS:
    app.command(name=command.__name__.rstrip("_").replace("_", "-"))(command)

for name, group in (
    ("queue", queues.app),
    ("labels", labels.app),
    ("samples", samples.app),
    ("findings", findings.app),
    ("grammar", grammar.app),
    ("tests", test_sets.app),
    ("llm", language_models.app),
    ("judge", judging.app),
    ("calibration", calibrations.app),
    ("projects", housekeeping.projects),
    ("runs", housekeeping.runs),
    ("criteria", housekeeping.criteria),
    ("corpora", corpus.app),
    ("policy", policy.app),
    ("risks", risks.app),
    ("preregistration", preregistration.app),
    ("sign-off", sign_off.app),
    ("key", key.app),
    ("audit", audit.app),
    ("members", members.app),
    ("retention", erasing.retention),
):
    app.add_typer(group, name=name)

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
    except Exception as error:  # noqa: BLE001 - nobody after this would tell of it
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
