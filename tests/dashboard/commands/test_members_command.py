"""`hcat members`: roles come into use with the first administrator, and bind every other command from then on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import HcatError, NotAllowedError
from hcat.core.project.roles.access import local_account
from hcat.core.records.people import ROLES, Identity
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

OWN = local_account().subject
ADMINISTRATOR, REVIEWER, VALIDATOR = (
    {"administrator"},
    {"administrator", "validator", "reviewer"},
    {"administrator", "validator"},
)
COMMANDS = {
    "import more.jsonl --project bank --run more": VALIDATOR,
    "runs archive v1 --project bank": VALIDATOR,
    "runs rename v1 v2 --project bank": ADMINISTRATOR,
    "runs delete v1 --project bank --confirm v1 --author {own}": ADMINISTRATOR,
    "projects delete bank --confirm bank --author {own}": ADMINISTRATOR,
    "import labels.csv --format labels --project bank --run v1": VALIDATOR,
    "queue plan --project bank --run v1 --size 2": VALIDATOR,
    "labels export --project bank -o out.csv": REVIEWER,
    "labels decide s0 pass --project bank --run v1 --author {own} --rationale right": REVIEWER,
    "report --project bank -o out.html": REVIEWER,
    "bias --project bank --margin 0.05 --settle {own}": VALIDATOR,
    "members add Lee --project bank --role viewer": ADMINISTRATOR,
    "members role Lee viewer --project bank": ADMINISTRATOR,
    "members remove Lee --project bank": ADMINISTRATOR,
    "members list --project bank": set(ROLES) - {"annotator"},
    "members add Lee --administrator": set(),
    "findings list --project bank": set(ROLES) - {"annotator"},
    "runs list --project bank": set(ROLES),
}
"""Which roles a command is not refused to; an administrator of a project is none of the installation."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    rows = [f'{{"id": "s{k}", "query": "q{k}", "answer": "a"}}\n' for k in range(4)]
    for name in ("run.jsonl", "more.jsonl"):
        Path(name).write_text("".join(rows), "utf-8")
    Path("labels.csv").write_text("sample_id,criterion,label,annotator\ns0,correctness,pass,ann\n", "utf-8")
    for call in ("import run.jsonl", "import labels.csv --format labels"):
        assert said(f"{call} --project bank --run v1").exit_code == 0
    yield tmp_path
    settings.cache_clear()


def said(call: str) -> Result:
    return CliRunner().invoke(app, call.format(own=OWN).split())


def known(name: str, role: str | None = None) -> None:
    """Somebody signed in, and has a role in the bank where one is named."""
    with Workspace.open() as workspace:
        person = workspace.people.register(Identity("https://login.example", name.lower(), name, f"{name}@example.com"))
        if role is not None:
            workspace.people.set_role("bank", person, role)


def own_role(role: str) -> None:
    """The account that runs this has the role; Chief administers the installation."""
    known("Chief")
    known("Lee", "viewer")
    assert said(f"members add {OWN} --account --project bank --role {role}").exit_code == 0
    assert said("members add Chief --administrator").exit_code == 0


def test_members_come_go_and_are_listed(folder: Path) -> None:
    known("Lee")
    assert said("members add Lee --project bank --role reviewer").output == "Lee is a member of bank, as reviewer\n"
    assert said("members role lee validator --project bank").output == "Lee is validator of bank from now on\n"
    listed = json.loads(said("members list --project bank --json").output)["people"]
    assert [(each["name"], each["role"]) for each in listed] == [("Lee", "validator")]
    assert said("members remove Lee --project bank").output == "Lee is no member of bank any more\n"
    assert json.loads(said("members list --project bank --json").output)["people"] == []
    assert json.loads(said("members list --json").output)["people"][0]["subject"] == "lee"


def test_an_address_that_nobody_verified_gives_no_role(folder: Path) -> None:
    """Whoever signs in may say that they have the address of somebody else, who has not signed in yet."""
    with Workspace.open() as workspace:
        workspace.people.register(Identity("https://login.example", "7", "mallory", "boss@bank.example"))
        assert workspace.people.register(Identity("https://login.example", "8", "", "boss@bank.example")).name == "8"
    result = said("members add boss@bank.example --administrator")
    assert "'8' and 'mallory' signed in with, which nobody verified" in str(result.exception)
    assert {each["role"] for each in json.loads(said("members list --json").output)["people"]} == {""}


def test_the_last_administrator_stays(folder: Path) -> None:
    assert said(f"members add {OWN} --account --administrator").exit_code == 0
    result = said(f"members remove {OWN} --administrator")
    assert isinstance(result.exception, HcatError)
    assert "the last administrator: make somebody else one first" in str(result.exception)


def test_a_role_or_person_that_is_none_is_said(folder: Path) -> None:
    known("Lee")
    known("Lee")
    for call, line in (
        ("members add Lee --project bank --role chief", "there is no role 'chief': choose one of viewer, annotator"),
        ("members add Ann --project bank", "nobody here is called 'Ann': they sign in once"),
        ("members role Lee viewer --project bank", "Lee is no member of bank"),
    ):
        assert line in str(said(call).exception)


@pytest.mark.parametrize("role", ROLES)
def test_commands_do_what_the_role_of_the_account_allows(folder: Path, role: str) -> None:
    own_role(role)
    for call, roles in COMMANDS.items():
        if role not in roles:
            result = said(call)
            assert isinstance(result.exception, NotAllowedError), (call, result.output, result.exception)
    for call, roles in COMMANDS.items():
        if role in roles and " delete " not in call:
            assert not isinstance(said(call).exception, NotAllowedError), call


def test_an_account_without_a_role_sees_no_project(folder: Path) -> None:
    known("Chief")
    assert said("members add Chief --administrator").exit_code == 0
    assert "bank" not in said("projects list").output
    assert str(said("runs list --project bank").exception) == "you are no member of project 'bank': ask Chief"
