"""What keeps the workspace from growing into one thing again."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from pathlib import Path

import pytest

import hcat.core.workspace
from hcat.core.workspace import Workspace

SERVICES = {
    field.name: inspect.get_annotations(Workspace, eval_str=True)[field.name]
    for field in dataclasses.fields(Workspace)
    if field.name != "store"
}
MODULES = sorted(Path(hcat.core.workspace.__file__).parent.glob("*.py"))


def verbs(service: type) -> list[str]:
    return [name for name in vars(service) if not name.startswith("_") and inspect.isfunction(vars(service)[name])]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_at_most_a_dozen_verbs(name: str) -> None:
    assert 1 <= len(verbs(SERVICES[name])) <= 12


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_no_service_imports_the_workspace(module: Path) -> None:
    """Not for annotations either: a service says which services it needs. Cycles among them break a contract."""
    imported = [
        node.module for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    assert "hcat.core.workspace" not in imported


def test_a_service_holds_the_very_services_that_the_workspace_has(workspace: Workspace) -> None:
    for name in SERVICES:
        service = getattr(workspace, name)
        for field in dataclasses.fields(service):
            if field.name in (*SERVICES, "store"):
                assert getattr(service, field.name) is getattr(workspace, field.name)
