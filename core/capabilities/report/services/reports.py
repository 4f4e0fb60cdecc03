"""A project's reports, built from the evidence that is stored and kept as versions."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from hcat.core.capabilities.report.evidence.records import Evidence, ReportChange
from hcat.core.capabilities.report.services.basis import ReportBasis
from hcat.core.capabilities.report.services.report_evidence import ReportEvidence
from hcat.core.display.edition import Language, edition
from hcat.core.errors import FileFormatError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.records.codec import JSON
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.layout import JsonObject
from hcat.core.records.parquet import read_table
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import ReportVersion
from hcat.core.records.sign_off import Basis
from hcat.core.types import JsonValue, OnProgress

if TYPE_CHECKING:
    from hcat.core.capabilities.evidence.source import ReportSource
    from hcat.core.capabilities.report.template import ReportTemplate
    from hcat.core.view.tree import Report

KIND = "reports"


@dataclass(frozen=True)
class Reports:
    """The validation report of each project."""

    store: OpenStore
    runs: Runs
    basis: ReportBasis
    report_evidence: ReportEvidence

    def build(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        chapters: Sequence[str] | None = None,
        template: ReportTemplate | None = None,
        note: str = "",
        on_progress: OnProgress | None = None,
    ) -> Report:
        """The validation report of a project, from the current evidence, stored under its number.

        `runs` and `chapters` select its content, `template` sets its form, `note` describes the change. Where nothing
        has changed since the newest version, that one is given again. Its basis is hashed before it is read: a label
        that comes in between makes the version superseded, never signed as if it were in it.
        """
        return self._built(project, author, runs, chapters, template, note, on_progress).report

    def with_source(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        chapters: Sequence[str] | None = None,
        template: ReportTemplate | None = None,
        note: str = "",
        at: datetime | None = None,
        on_progress: OnProgress | None = None,
    ) -> ReportSource:
        """The same, with all that the report was built from, for an evidence pack. `at` is the time that it states."""
        self.store.access.check_reading("label file", project.id)
        built = self._built(project, author, runs, chapters, template, note, on_progress, at)
        return replace(built, label_log=tuple(self._label_log(project, [each.run.name for each in built.runs])))

    def _built(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        chapters: Sequence[str] | None,
        template: ReportTemplate | None,
        note: str,
        on_progress: OnProgress | None = None,
        at: datetime | None = None,
    ) -> ReportSource:
        from hcat.core.capabilities.report.template import DEFAULT

        look = template or DEFAULT
        with edition(look.language):
            return self._build(project, author, runs, chapters, look, note, on_progress, at)

    def _build(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        chapters: Sequence[str] | None,
        look: ReportTemplate,
        note: str,
        on_progress: OnProgress | None,
        at: datetime | None,
    ) -> ReportSource:
        from hcat.core.capabilities.evidence.source import ReportSource
        from hcat.core.capabilities.report.build import build_report

        names = [run.name for run in self.runs.all(project)] if runs is None else list(dict.fromkeys(runs))
        basis = self.basis.now(project, names)
        evidence, reported = self.report_evidence.gathered(project, author, runs, on_progress)
        evidence = evidence if at is None else replace(evidence, created_at=at)
        content = _content_hash(build_report(evidence, chapters=chapters, template=look), basis)
        versions = self.versions(project)
        kept = versions.pop() if versions and versions[-1].content == content else None
        if kept is None:
            contents: dict[str, JsonValue] = {**_contents(evidence), "basis": dict(basis), "language": look.language}
            number = versions[-1].version + 1 if versions else 1
            newest = _change(number, evidence.created_at, author, note, contents)
        else:
            evidence = replace(evidence, created_at=self.read(kept).created_at)
            newest = _change(kept.version, evidence.created_at, kept.author, kept.note, kept.contents)
        changes = tuple(_change(x.version, x.at, x.author, x.note, x.contents, hash=x.hash) for x in versions)
        evidence = replace(evidence, changes=(*changes, newest), previous=self._previous(versions, look.language))
        if kept is None:
            report = build_report(evidence, chapters=chapters, template=look)
            self._keep(project, report, newest, content=content, contents=contents)
        else:
            report = self.read(kept)
        chosen = None if chapters is None else tuple(chapters)
        return ReportSource(report, evidence, reported, chosen, look, self.store.settings.seed)

    def _label_log(self, project: ProjectInfo, runs: Sequence[str]) -> Iterator[JsonObject]:
        """The entries of the label log on these runs, oldest first, each with the name of its run."""
        names = {self.runs.get(project, name).id: name for name in runs}
        for record in self.store.log.history(project.id):
            if record.run_id in names:
                entry = JSON.write_object(record)
                yield {"run": names[record.run_id], **{name: x for name, x in entry.items() if name != "run_id"}}

    def versions(self, project: ProjectInfo) -> list[ReportVersion]:
        """The reports that were built of the project, oldest first."""
        self.store.access.check_reading("results", project.id)
        return self.store.report_table.versions(project.id)

    def read(self, version: ReportVersion) -> Report:
        """A report as it was built."""
        self.store.access.check_reading("results", version.project_id)
        from hcat.core.view.renderers.json_tree import read_report

        return read_report(report_text(self.store.sealed_files.get(KIND, version.artifact)))

    def _previous(self, versions: Sequence[ReportVersion], language: Language) -> Report | None:
        """The last report in this language; None where there is none, or its file is lost."""
        alike = [version for version in versions if version.contents.get("language", "en") == language]
        try:
            return self.read(alike[-1]) if alike else None
        except (StorageError, FileFormatError):
            return None

    def _keep(
        self,
        project: ProjectInfo,
        report: Report,
        change: ReportChange,
        *,
        content: str,
        contents: Mapping[str, JsonValue],
    ) -> None:
        from hcat.core.view.renderers.json_tree import render_json, report_hash

        artifact, keys = self.store.sealed_files.put(KIND, render_json(report))
        with self.store.write(change.author or self.store.actor, "report.build", project.id) as write:
            self.store.report_table.add_version(
                write,
                project.id,
                version=change.version,
                hash=report_hash(report),
                content=content,
                artifact=artifact,
                author=change.author,
                note=change.note,
                contents=contents,
                keys=keys,
            )

    def evidence(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        language: Language = "en",
        on_progress: OnProgress | None = None,
    ) -> Evidence:
        """All evidence of the report: each run, opened once, with its saved calibrations; criteria and findings.

        `runs` names those that it is on, by default all; findings of others are left out with them. `language` is that
        of the edition that it is for: sentences about samples and metrics are in it.
        """
        self.store.access.check_reading("results", project.id)
        with edition(language):
            return self.report_evidence.gathered(project, author, runs, on_progress)[0]


def report_text(stored: bytes) -> str:
    """The JSON document of a stored report; before files were sealed it was a Parquet table of one cell."""
    if not stored.startswith(_PARQUET):
        return stored.decode("utf-8")
    return str(read_table(io.BytesIO(stored))["document"][0].as_py())


_PARQUET = b"PAR1"


def _content_hash(report: Report, basis: Basis) -> str:
    """Hash of the report's content, without the time of its build, and of its basis."""
    from hcat.core.view.renderers.json_tree import report_hash

    facts = {name: text for name, text in report.facts.items() if name != "Prepared"}
    said = report_hash(replace(report, created_at=datetime.min, facts=facts))
    return sha256_of_json([said, dict(basis)])


def _contents(evidence: Evidence) -> dict[str, JsonValue]:
    return {
        "runs": len(evidence.runs),
        "labels": sum(labels.labels for labels in evidence.labels),
        "findings": len(evidence.findings),
        "opinion": "" if evidence.opinion is None else evidence.opinion.rating,
        "run_names": [run.name for run in evidence.runs],
        "criterion_names": [criterion.name for criterion in evidence.criteria],
    }


def _change(
    version: int,
    at: datetime,
    author: str,
    note: str,
    contents: Mapping[str, JsonValue],
    *,
    hash: str = "",  # noqa: A002
) -> ReportChange:
    runs, labels, findings = (int(str(contents.get(name, 0))) for name in ("runs", "labels", "findings"))
    opinion = str(contents.get("opinion", ""))
    language = str(contents.get("language", "en"))
    return ReportChange(version, at, author.strip(), note.strip(), opinion, runs, labels, findings, hash, language)
