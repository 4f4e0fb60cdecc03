"""Nothing stands in the product that only tests use.

A function, class or constant of a module is used where another line of that module reads it, or where another module
imports it or asks for it by attribute. What a decorator takes is in use by that: metrics, pages, commands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from core.settings import ROOT, Settings

PRODUCT = ("core", "dashboard", "pages", "benchmarks", "training")
MEASURES = "benchmarks"
"""Tests may use what only measures the product."""
FILES = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in FILES}


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


@cache
def attributes() -> set[str]:
    """Of modules too: `figures.draw`."""
    return {node.attr for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_every_name_of_a_module_is_used_by_the_product() -> None:
    names = set().union(*map(imported, trees().values()))
    unused: list[str] = []
    for path in FILES:
        if ROOT / MEASURES in path.parents:
            continue
        module, read = module_name(path), read_names(trees()[path])
        unused += [
            f"{module}.{name}"
            for name in definitions(trees()[path])
            if name not in read and name not in attributes() and f"{module}.{name}" not in names and name[:2] != "__"
        ]
    assert not unused, f"nothing but a test uses these: {', '.join(unused)}"


def test_every_setting_is_read() -> None:
    unread = set(Settings.model_fields) - attributes()
    assert not unread
