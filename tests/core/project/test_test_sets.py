"""Test sets in a project: whole or not there, versions that never change, an append-only log of reviews."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.errors import ConflictError, HcatError, NotFoundError, StorageError
from hcat.core.records import test_case
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import TestSetInfo
from hcat.core.workspace import Workspace

CASES = tuple(TestCase(f"c{k}", f"What is fee {k}?", f"{k} euros", ("p1",)) for k in range(5))


@pytest.fixture
def made(workspace: Workspace) -> TestSetInfo:
    workspace.projects.create("bank")
    return workspace.test_sets.add("bank", "fees", CASES, source="a file", account={"asked": 5})


def test_cases_come_back_as_they_were_with_the_hash_of_their_file(workspace: Workspace, made: TestSetInfo) -> None:
    text = test_case.test_cases_jsonl(workspace.test_sets.cases(made))
    assert read_cases(text.encode(), filename="f") == CASES
    assert made.content_hash == sha256_of_text(text)
    assert (made.version, made.n_cases, made.frozen, made.account) == (1, 5, False, {"asked": 5})


@pytest.mark.parametrize("name", ["", "  ", "fees", " fees ", "x" * 201, "a\nb"])
def test_a_name_must_be_new_and_readable(workspace: Workspace, made: TestSetInfo, name: str) -> None:
    with pytest.raises(HcatError):
        workspace.test_sets.add("bank", name, CASES, source="x")
    assert workspace.test_sets.all("bank") == [made]


def test_a_set_needs_cases_with_ids_of_their_own(workspace: Workspace, made: TestSetInfo) -> None:
    with pytest.raises(HcatError, match="no test cases"):
        workspace.test_sets.add("bank", "none", (), source="x")
    with pytest.raises(HcatError, match="same id"):
        workspace.test_sets.add("bank", "twice", (CASES[0], CASES[0]), source="x")
    with pytest.raises(NotFoundError, match="no test set"):
        workspace.test_sets.versions("bank", "none")
    with pytest.raises(NotFoundError, match="versions 1 to 1"):
        workspace.test_sets.version("bank", "fees", 7)


def test_a_damaged_file_is_not_read(workspace: Workspace, made: TestSetInfo) -> None:
    [path] = (Path(workspace.store.artifacts.root) / "cases").glob("*")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StorageError, match="damaged"):
        workspace.test_sets.cases(made)


def test_another_file_than_the_stored_one_is_not_taken_for_it(workspace: Workspace, made: TestSetInfo) -> None:
    other = workspace.test_sets.add("bank", "other", CASES[:2], source="x")
    with pytest.raises(StorageError, match="content hash"):
        workspace.test_sets.cases(replace(made, artifact=other.artifact))


def test_frozen_versions_hold_what_stands_and_take_no_decision(workspace: Workspace, made: TestSetInfo) -> None:
    sets = workspace.test_sets
    sets.decide(made, CASES[0], "accept", reviewer="ann")
    sets.decide(made, CASES[1], "edit", reviewer="ann", edited=replace(CASES[1], query="How high is fee 1?"))
    sets.decide(made, CASES[2], "reject", reviewer="bob", reason="nobody asks that")
    frozen = sets.freeze(made, unreviewed="left out", actor="ann")
    assert (frozen.version, frozen.frozen, frozen.actor) == (2, True, "ann")
    assert [case.query for case in sets.cases(frozen)] == ["What is fee 0?", "How high is fee 1?"]
    assert frozen.account == {
        "asked": 5,
        "frozen_from": {
            "version": 1, "unreviewed": "left out", "accepted": 1, "edited": 1, "rejected": 1, "unreviewed_cases": 2,
        },
    }  # fmt: skip
    assert len(sets.cases(sets.freeze(made, unreviewed="included", actor="ann"))) == 4
    assert sets.cases(made) == CASES
    with pytest.raises(HcatError, match="frozen"):
        sets.decide(frozen, CASES[0], "reject", reviewer="ann", reason="x")
    with pytest.raises(HcatError, match="frozen already"):
        sets.freeze(frozen, unreviewed="included", actor="ann")
    changes = sets.changes(made, frozen)
    assert [case.id for case in changes.gone] == ["c2", "c3", "c4"]
    assert [change.fields for change in changes.changed] == [("query",)]


def test_nothing_is_frozen_where_nothing_stands(workspace: Workspace, made: TestSetInfo) -> None:
    with pytest.raises(HcatError, match="no case would stand"):
        workspace.test_sets.freeze(made, unreviewed="left out", actor="ann")
    assert workspace.test_sets.versions("bank", "fees") == [made]


def test_decisions_need_what_belongs_to_them(workspace: Workspace, made: TestSetInfo) -> None:
    with pytest.raises(HcatError, match="why"):
        workspace.test_sets.decide(made, CASES[0], "reject", reviewer="ann", reason=" ")
    with pytest.raises(HcatError, match="query"):
        workspace.test_sets.decide(made, CASES[0], "edit", reviewer="ann", edited=replace(CASES[0], query=" "))
    with pytest.raises(HcatError, match="name"):
        workspace.test_sets.decide(made, CASES[0], "accept", reviewer=" ")
    assert workspace.test_sets.decisions(made) == []


def test_two_reviewers_of_one_case_at_once_leave_one_decision(workspace: Workspace, made: TestSetInfo) -> None:
    results: list[str] = []
    together = threading.Barrier(2)

    def review(name: str) -> None:
        together.wait()
        try:
            workspace.test_sets.decide(made, CASES[0], "accept", reviewer=name)
            results.append("done")
        except ConflictError:
            results.append("refused")

    threads = [threading.Thread(target=review, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["done", "refused"]
    [entry] = workspace.test_sets.decisions(made)
    workspace.test_sets.decide(made, CASES[0], "undo", reviewer=entry.reviewer, previous=entry.id)
    with pytest.raises(ConflictError, match="meanwhile"):
        workspace.test_sets.decide(made, CASES[0], "undo", reviewer="bob", previous=entry.id)


def test_a_version_is_not_written_over(workspace: Workspace, made: TestSetInfo) -> None:
    second = workspace.test_sets.add_version(made, CASES[:2], source="x")
    assert second.version == 2
    with pytest.raises(ConflictError, match="meanwhile"):
        workspace.test_sets.add_version(made, CASES[:3], source="x")
    assert [version.n_cases for version in workspace.test_sets.versions("bank", "fees")] == [2, 5]


def test_variants_need_a_family_origins_and_something_to_change(workspace: Workspace, made: TestSetInfo) -> None:
    add = partial(workspace.test_sets.add_variants, "bank", made, "variants", seed=1)
    for families, strengths, message in (
        ([], [0.2], "at least one family"),
        (["none"], [0.2], "no family of variants"),
        (["filler"], [2.0], "strength"),
        (["opposite"], [0.2], "no variant could be made, and nothing is stored: opposite: 5 variants not made"),
    ):
        with pytest.raises(HcatError, match=message):
            add(families=families, strengths=strengths)
    assert workspace.test_sets.all("bank") == [made]
    variants = add(families=["filler"], strengths=[0.2])
    assert workspace.test_sets.cases(variants)[:5] == CASES
    with pytest.raises(HcatError, match="holds variants"):
        workspace.test_sets.add_variants("bank", variants, "again", families=["filler"], strengths=[0.2], seed=1)
    with pytest.raises(ConflictError, match="already has a test set"):
        add(families=["filler"], strengths=[0.2])
