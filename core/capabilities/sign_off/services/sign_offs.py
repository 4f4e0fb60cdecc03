"""Sign-off of reports in two steps: the author submits a version, and somebody with no part in it approves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.report.services.opinions import Opinions
from hcat.core.capabilities.report.services.reports import Reports
from hcat.core.capabilities.sign_off.wording.sign_off import changed_text, cover_text, part_text
from hcat.core.display.edition import edition
from hcat.core.errors import ConflictError, HcatError
from hcat.core.project.actions import Action
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.runs import Runs
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import ReportVersion
from hcat.core.records.sign_off import Basis, Signature, SignOff, Step, basis_changes, is_same_person

if TYPE_CHECKING:
    from hcat.core.view.tree import Report

ACTIONS: dict[Step, Action] = {
    "submitted": "report.submit",
    "returned": "report.return",
    "approved": "report.approve",
}


@dataclass(frozen=True)
class SignOffs:
    """The signatures on each project's reports. They are only ever added, and change nothing of a report."""

    store: OpenStore
    projects: Projects
    runs: Runs
    labels: Labels
    opinions: Opinions
    reports: Reports

    def submit(self, version: ReportVersion, *, author: str, comment: str = "") -> SignOff:
        """Hand a version over for review. HcatError unless it is a draft or was returned, is the newest, and its basis
        is that of the project now."""
        stands = self._ready(version, "submitted")
        newest = self.reports.versions(self.projects.by_id(version.project_id))[-1]
        if newest.version != version.version:
            raise HcatError(f"version {newest.version} of this report is newer: submit that one")
        return self._sign(version, stands, "submitted", checked_name(author, "author"), comment)

    def approve(self, version: ReportVersion, *, reviewer: str, comment: str = "", condition: str = "") -> SignOff:
        """Approve a version that was submitted. HcatError for anyone who wrote it. A reviewer who labelled or decided
        for one of its runs states that in a `condition`, which is printed on the cover."""
        stands = self._ready(version, "approved")
        name = self._independent(version, stands, reviewer)
        part = self._part_in_labels(version, name)
        if part and not condition.strip():
            raise HcatError(f"{part}: state that as a condition of the approval, or let somebody else review")
        return self._sign(version, stands, "approved", name, comment, condition)

    def return_(self, version: ReportVersion, *, reviewer: str, comment: str) -> SignOff:
        """Return a submitted version to its author, with a comment. HcatError for anyone who wrote it."""
        stands = self._ready(version, "returned")
        name = self._independent(version, stands, reviewer)
        if not comment.strip():
            raise HcatError("say what has to change: a report is returned with a comment")
        return self._sign(version, stands, "returned", name, comment)

    def of(self, version: ReportVersion) -> SignOff:
        """State of sign-off of the version, and changes of its basis since the last signature."""
        signed = self.store.signatures.of(version.project_id).get(version.id, ())
        changed = basis_changes(signed[-1].basis, self._now(version)) if signed else ()
        return SignOff(version.version, version.hash, signed, changed)

    def all(self, project: ProjectInfo) -> list[SignOff]:
        """State of sign-off of each version of the project's report, oldest first."""
        return [self.of(version) for version in self.reports.versions(project)]

    def on_cover(self, project: ProjectInfo, report: Report) -> Report:
        """A report of the project with its sign-off on the cover; as it is, where the project has no such version."""
        from hcat.core.view.signed import with_sign_off

        number = report.facts.get("Version")
        version = next((each for each in self.reports.versions(project) if str(each.version) == number), None)
        with edition(report.language):
            return report if version is None else with_sign_off(report, cover_text(self.of(version)))

    def _now(self, version: ReportVersion) -> Basis:
        return self.reports.basis.now(self.projects.by_id(version.project_id), _run_names(version))

    def _ready(self, version: ReportVersion, step: Step) -> SignOff:
        """State of sign-off of the version. ConflictError where it can't take this step; HcatError where its basis has
        changed."""
        stands = self.of(version)
        if stands.state not in (("draft", "returned") if step == "submitted" else ("submitted",)):
            needed = "can't be submitted again" if step == "submitted" else "has to be submitted first"
            raise ConflictError(f"version {version.version} is {stands.state}: it {needed}")
        changed = basis_changes(_basis(version), self._now(version))
        if changed and step != "returned":
            raise HcatError(
                f"what version {version.version} rests on is another now ({changed_text(changed)}): build the report "
                "again, and submit that version"
            )
        return stands

    def _independent(self, version: ReportVersion, stands: SignOff, reviewer: str) -> str:
        """The reviewer's name. Four eyes: HcatError for anyone who wrote a part of the report."""
        name, submitted = checked_name(reviewer, "reviewer"), stands.submitted
        opinions = self.opinions.all(self.projects.by_id(version.project_id))
        opinion = next((each for each in opinions if each.at and each.at <= version.at), None)
        wrote = {
            "submitted this report": submitted.author if submitted else "",
            "prepared this report": version.author,
            "signed its opinion": opinion.author if opinion else "",
        }
        for did, who in wrote.items():
            if who and is_same_person(who, name):
                raise HcatError(f"{name} {did}: somebody else has to review it")
        return name

    def _part_in_labels(self, version: ReportVersion, name: str) -> str:
        """Text on the person's labels and decisions for the report's runs; "" where there are none."""
        project, labelled, decided = self.projects.by_id(version.project_id), 0, 0
        for run_name in _run_names(version):
            run = self.runs.get(project, run_name)
            log = self.labels.history(project, run=run)
            labelled += len({x.sample_id for x in log if x.judged and is_same_person(x.annotator, name)})
            decisions = self.store.standards.adjudications(project.id, run.id)
            decided += len({x.sample_id for x in decisions if is_same_person(x.author, name)})
        return part_text(name, labelled, decided)

    def _sign(
        self, version: ReportVersion, stands: SignOff, step: Step, author: str, comment: str, condition: str = ""
    ) -> SignOff:
        with self.store.write(author, ACTIONS[step], version.project_id) as write:
            said = (comment.strip(), condition.strip())
            signature = Signature(step, author, *said, version.hash, _basis(version), write.at)
            self.store.signatures.add(write, version, signature, position=len(stands.signatures))
        return self.of(version)


def _run_names(version: ReportVersion) -> list[str]:
    names = version.contents.get("run_names")
    return [str(name) for name in names] if isinstance(names, list) else []


def _basis(version: ReportVersion) -> Basis:
    """Basis of the version at the time of its build. HcatError for a version from before the basis was stored."""
    basis = version.contents.get("basis")
    if not isinstance(basis, Mapping):
        raise HcatError(f"version {version.version} was built before reports could be signed: build it again")
    return {what: str(part) for what, part in basis.items()}
