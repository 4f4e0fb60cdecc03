"""Roles × verbs: what the walk does as a local user, each role tries again; what the table refuses changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from pathlib import Path

import pytest

from hcat.core.capabilities import CAPABILITIES
from hcat.core.errors import HcatError, NotAllowedError
from hcat.core.project.actions import OF_PROJECTS, Action
from hcat.core.project.open_store import OpenStore
from hcat.core.project.roles.permissions import ANYBODY, AREAS, MAY_DO, MAY_DO_IN, role_table
from hcat.core.records.people import ROLES, Identity, Role
from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from tests.core.project.test_services import SERVICES, verbs
from tests.core.project.walk import walk
from tests.pages.conftest import word_models

Seen = list[tuple[str, str]]
ALREADY_DONE = {
    "queues.plan",
    "disagreements.reveal",
    "risks.state",
    "opinions.state",
    "preregistrations.register",
    "reports.build",
    "jobs.cancel",
} | {"regenerations.regenerate"}
"""Verbs that give what is there where the same was asked for before, and change nothing then."""
OF_THE_INSTALLATION = {"project.create", "person.register", "person.set_administrator"}
"""What no role in a project allows, not even an administrator's."""


@dataclass
class Calls:
    """Which verb, with what, led to each action for the first time, and which projects each action named."""

    of: dict[str, tuple[str, str, tuple[object, ...], dict[str, object]]] = field(default_factory=dict)
    projects: dict[str, set[int | None]] = field(default_factory=dict)
    first: dict[str, tuple[str, str, tuple[object, ...], dict[str, object]]] = field(default_factory=dict)
    """Each verb's first call."""
    _outermost: list[tuple[str, str, tuple[object, ...], dict[str, object]]] = field(default_factory=list)

    def noted(self, service: str, verb: str, made: Callable[..., object]) -> Callable[..., object]:
        @wraps(made)
        def call(own: object, *given: object, **named: object) -> object:
            self.first.setdefault(f"{service}.{verb}", (service, verb, given, named))
            self._outermost.append((service, verb, given, named))
            try:
                return made(own, *given, **named)
            finally:
                self._outermost.pop()

        return call

    def wrote(self, action: str, project_id: int | None) -> None:
        self.projects.setdefault(action, set()).add(project_id)
        if self._outermost:
            self.of.setdefault(action, self._outermost[0])


@dataclass
class Walked:
    """A store in which everything was done once, with people of each role."""

    workspace: Workspace
    calls: Calls
    project_id: int
    seen: Seen

    def as_(self, role: Role) -> Workspace:
        return self.workspace.acting_for(identity(role), actor=role.title())


def identity(role: str) -> Identity:
    return Identity("https://login.example", role, role.title())


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walked]:
    folder: Path = tmp_path_factory.mktemp("roles")
    given = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    seen: Seen = []

    def note(actor: str, action: Action, at: datetime) -> None:
        seen.append((actor, action))

    calls, made = Calls(), OpenStore.write

    def write(store: OpenStore, actor: str, action: Action, project_id: int | None) -> object:
        calls.wrote(action, project_id)
        return made(store, actor, action, project_id)

    with (
        word_models(),
        Workspace.open(given, actor="tests", observer=note) as workspace,
        pytest.MonkeyPatch.context() as m,
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(OpenStore, "write", write)
            for name, service in SERVICES.items():
                for verb in verbs(service):
                    patch.setattr(service, verb, calls.noted(name, verb, getattr(service, verb)))
            walk(workspace, patch)
        m.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: pytest.fail("a job was started"))
        project = workspace.projects.get("bank")
        for role in ROLES:
            workspace.people.set_role(project, workspace.people.register(identity(role)), role)
        workspace.people.register(identity("stranger"))
        yield Walked(workspace, calls, project.id, seen)


def test_each_action_has_its_roles_and_the_walk_does_each_in_its_project(walked: Walked) -> None:
    assert set(MAY_DO) == set(walked.calls.of)
    steps = ANYBODY | OF_THE_INSTALLATION
    named = {action: walked.calls.projects[action] for action in MAY_DO if action not in steps}
    assert [
        action for action, projects in named.items() if walked.project_id not in projects and "house" not in action
    ] == []
    assert [action for action, projects in named.items() if None in projects and not action.startswith("job.")] == []


@pytest.mark.parametrize("action", MAY_DO)
def test_a_write_is_refused_to_each_role_that_the_table_does_not_name(walked: Walked, action: Action) -> None:
    for role in ROLES:
        acting = walked.as_(role)
        if role in MAY_DO[action] or action in ANYBODY:
            with acting.write(role.title(), action, walked.project_id) as write:
                assert write.role == ("" if action in ANYBODY else role)
        else:
            with pytest.raises(NotAllowedError, match=f"in project 'bank', and yours is {role}: ask"):
                acting.write(role.title(), action, walked.project_id).__enter__()
        if action not in ANYBODY:
            with pytest.raises(NotAllowedError, match="only an administrator of the installation"):
                acting.write(role.title(), action, None).__enter__()
    stranger = walked.workspace.acting_for(identity("stranger"), actor="Stranger")
    if action not in ANYBODY:
        with pytest.raises(NotAllowedError, match="no member of project 'bank': ask"):
            stranger.write("Stranger", action, walked.project_id).__enter__()


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_may_not_do_no_verb_does_for_it(walked: Walked, role: Role) -> None:
    for action, (service, verb, given, named) in walked.calls.of.items():
        if role in MAY_DO[action] or action in ANYBODY:
            continue
        before = len(walked.seen)
        try:
            getattr(getattr(walked.as_(role), service), verb)(*given, **named)
        except (HcatError, KeyError):
            continue
        finally:
            assert walked.seen[before:] == [], (action, service, verb)
        assert f"{service}.{verb}" in ALREADY_DONE


def test_nobody_signs_for_somebody_else(walked: Walked) -> None:
    with pytest.raises(NotAllowedError, match="you are 'Validator' here and can't sign as 'Reviewer'"):
        walked.as_("validator").write("Reviewer", "label.record", walked.project_id).__enter__()


@pytest.mark.parametrize("role", ROLES)
def test_results_are_read_by_all_but_those_who_label_blind(walked: Walked, role: Role) -> None:
    acting = walked.as_(role)
    project = acting.projects.get("bank")
    run = acting.runs.get(project, "v1")
    criterion = acting.criteria.get(project, "correctness")
    readings: list[Callable[[], object]] = [
        lambda: acting.labels.current(project),
        lambda: acting.labels.history(project),
        lambda: acting.labels.judgements(run, criterion),
        lambda: acting.scoring.table(run),
        lambda: acting.scoring.latest(run),
        lambda: acting.scoring.required(run),
        lambda: acting.gold.items(run, criterion),
        lambda: acting.disagreements.all(run, criterion),
        lambda: acting.disagreements.adjudications(run),
        lambda: acting.calibrations.all(run),
        lambda: acting.findings.all(project),
        lambda: acting.reports.versions(project),
        lambda: acting.reports.evidence(project),
        lambda: acting.opinions.all(project),
        lambda: acting.judges.all(run),
        lambda: acting.policies.all(project),
        lambda: acting.people.members(project),
    ]
    for read in readings:
        if role == "annotator":
            with pytest.raises(NotAllowedError):
                read()
        else:
            read()


@pytest.mark.parametrize("role", ROLES)
def test_label_files_are_for_those_who_answer_for_them(walked: Walked, role: Role) -> None:
    acting = walked.as_(role)
    project, criterion = acting.projects.get("bank"), acting.criteria.get("bank", "correctness")
    hidden, named = acting.exports.label_file, acting.exports.named_label_file
    for export, allowed in (
        (hidden, {"reviewer", "validator", "administrator"}),
        (named, {"validator", "administrator"}),
    ):
        if role in allowed:
            assert export(project, criterion)
        else:
            with pytest.raises(NotAllowedError):
                export(project, criterion)


def test_who_is_no_member_reads_nothing(walked: Walked) -> None:
    stranger = walked.workspace.acting_for(identity("stranger"), actor="Stranger")
    project = walked.workspace.projects.get("bank")
    run = walked.workspace.runs.all(project)[0]
    assert (
        stranger.projects.all()
        == stranger.jobs.all()
        == stranger.housekeeping.all()
        == stranger.housekeeping.log()
        == []
    )
    readings: list[Callable[[], object]] = [
        lambda: stranger.projects.get("bank"),
        lambda: stranger.projects.by_id(project.id),
        lambda: stranger.projects.of(run),
        lambda: stranger.runs.all(project),
        lambda: stranger.runs.get("bank", "v1"),
        lambda: stranger.runs.by_id(run.id),
        lambda: stranger.runs.samples(run),
        lambda: stranger.runs.sample(run, "q0"),
        lambda: stranger.runs.some(run, ["q0"]),
        lambda: stranger.runs.each_sample(run),
        lambda: stranger.runs.columns(run),
        lambda: stranger.run_data.holding(run, "fee"),
        lambda: stranger.jobs.all(project),
        lambda: stranger.labels.current("bank"),
        lambda: stranger.exports.label_file("bank", stranger.criteria.get("bank", "correctness")),
        lambda: stranger.reports.versions(project),
    ]
    for read in readings:
        with pytest.raises(NotAllowedError, match="no member of project 'bank': ask Administrator"):
            read()
    with pytest.raises(NotAllowedError, match="only administrators see who is known"):
        stranger.people.all()


def test_a_role_that_is_taken_away_ends_with_the_next_write(walked: Walked) -> None:
    validator = walked.as_("validator")
    with validator.write("Validator", "run.add", walked.project_id):
        pass
    people = walked.workspace.people
    people.remove("bank", people.find("Validator"))
    try:
        with pytest.raises(NotAllowedError, match="no member"):
            validator.write("Validator", "run.add", walked.project_id).__enter__()
    finally:
        people.set_role("bank", people.find("Validator"), "validator")


def test_a_local_user_may_do_all_until_there_is_an_administrator(workspace: Workspace) -> None:
    project = workspace.projects.create("bank")
    with workspace.write("anybody", "label.record", project.id) as write:
        assert write.role == ""
    stranger = workspace.acting_for(identity("stranger"), actor="Stranger")
    with pytest.raises(NotAllowedError, match="nobody gives roles yet: run `hcat members add NAME"):
        stranger.projects.get("bank")
    lee = workspace.people.register(identity("lee"))
    workspace.people.set_administrator(lee, administrator=True)
    with pytest.raises(NotAllowedError, match="no member of project 'bank': ask Lee"):
        workspace.projects.get("bank")
    assert workspace.acting_for(identity("lee"), actor="Lee").projects.get("bank") == project


def answered(walked: Walked, acting: Workspace) -> set[str]:
    """The verbs that gave something of the store to whoever acts, when called as the walk called them."""
    gave = set()
    for name, (service, verb, given, named) in walked.calls.first.items():
        with suppress(HcatError, KeyError):
            if getattr(getattr(acting, service), verb)(*given, **named) not in (None, [], (), {}, 0, False, ""):
                gave.add(name)
    return gave


OF_NO_STORE = {"jobs.claimed", "people.register", "scoring.encoder_and_store"}
"""Verbs that give back the models that come with hcat, or to a worker the job that it has."""
LABELLING = {
    *("projects.all", "projects.by_id", "projects.get", "projects.id_of", "projects.of", "housekeeping.all"),
    *("runs.all", "runs.by_id", "runs.get", "runs.sample", "runs.samples", "run_data.columns", "run_data.open"),
    "run_data.holding",
    *("runs.columns", "runs.each_sample", "runs.some", "runs.samples_at"),
    *("criteria.all", "criteria.get", "criteria.guidelines", "mappings.find", "mappings.find_levels", "slices.strata"),
    *("queues.all", "queues.held", "queues.items", "queues.plan", "queues.progress", "queues.sizes"),
    *("preregistrations.all", "preregistrations.get", "preregistrations.of", "preregistrations.register"),
    *("corpora.all", "corpora.version", "corpora.versions", "test_sets.all", "test_sets.version", "test_sets.versions"),
    *("jobs.all", "jobs.get", "jobs.cancel", "findings.freeze"),
}
"""What gives an annotator something: samples, guidelines, queues and names of things; no score, no label of others. The
last verbs, and `plan` and `register`, tell of what is there already."""


def test_no_verb_tells_a_stranger_anything(walked: Walked) -> None:
    assert answered(walked, walked.workspace.acting_for(identity("stranger"), actor="Stranger")) == OF_NO_STORE


def test_what_an_annotator_is_told(walked: Walked) -> None:
    assert answered(walked, walked.as_("annotator")) == OF_NO_STORE | LABELLING


def test_annotators_read_their_own_labels_and_nobody_elses(walked: Walked) -> None:
    acting = walked.as_("annotator")
    run, criterion = acting.runs.get("bank", "v1"), acting.criteria.get("bank", "correctness")
    queue = acting.queues.all(run, criterion)[0]
    item = acting.queues.next_item(queue, "Annotator")
    assert item is not None
    acting.labels.record(run, criterion, item.sample_id, 1, annotator="Annotator", item=item)
    assert [record.sample_id for record in acting.labels.own(run, criterion, "Annotator")] == [item.sample_id]
    assert acting.access.labels_only()
    assert not walked.as_("validator").access.labels_only()
    for other in ("ann", "Validator"):
        with pytest.raises(NotAllowedError):
            acting.labels.own(run, criterion, other)
    with pytest.raises(NotAllowedError):
        acting.disagreements.reveal(run, criterion, item.sample_id, "Annotator")


def test_every_area_is_described_and_an_administrator_may_do_all() -> None:
    assert AREAS.keys() | {"anybody"} == MAY_DO_IN.keys()
    assert [may["administrator"] for _, may in role_table()] == [True] * (2 + len(AREAS))


def test_an_action_is_declared_once() -> None:
    declared = [*OF_PROJECTS, *(action for capability in CAPABILITIES for action in capability.actions)]
    assert sorted(declared) == sorted(MAY_DO)
