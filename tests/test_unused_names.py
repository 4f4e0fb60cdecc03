"""Nothing stands in the product that only tests use.

A function, class or constant of a module is used where another line of that module reads it, or where another module
imports it or asks for it by attribute. What a decorator takes is in use by that: metrics, pages, commands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import ROOT, Settings

PRODUCT = ("core", "dashboard", "pages", "benchmarks", "training")
MEASURES = "benchmarks"
"""Tests may use what only measures the product."""
FILES = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]
TREES = {path: ast.parse(path.read_text("utf-8")) for path in FILES}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def definitions(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if not node.decorator_list or isinstance(node, ast.ClassDef):
                yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name) and one.id.isupper())


def read_names(tree: ast.AST) -> set[str]:
    """What is read by name or attribute, or in an annotation or a cast that is a text."""
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    read |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return read | {
        word
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 100
        for word in node.value.replace("[", " ").replace("]", " ").split()
    }


def imported(tree: ast.AST) -> set[str]:
    return {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


IMPORTED = set().union(*map(imported, TREES.values()))
ATTRIBUTES = {
    node.attr for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)
}  # of modules too: `figures.draw`


@pytest.mark.parametrize("path", [path for path in FILES if ROOT / MEASURES not in path.parents], ids=module_name)
def test_every_name_of_a_module_is_used_by_the_product(path: Path) -> None:
    module, read = module_name(path), read_names(TREES[path])
    unused = [
        name
        for name in definitions(TREES[path])
        if name not in read and name not in ATTRIBUTES and f"{module}.{name}" not in IMPORTED and name[:2] != "__"
    ]
    assert not unused, f"{module} defines what nothing but a test uses: {', '.join(unused)}"


def test_every_setting_is_read() -> None:
    unread = set(Settings.model_fields) - ATTRIBUTES
    assert not unread
