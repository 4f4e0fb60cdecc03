"""Nothing stands in the product that only tests use.

A function, class or constant of a module is used where another line of that module reads it, or where another module
imports it or asks for it by attribute. What a decorator takes is in use by that: metrics, pages, commands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hcat.core.capabilities import CAPABILITIES
from hcat.core.settings import ROOT, Settings

PRODUCT = ("core", "dashboard", "pages", "benchmarks", "training")
OUTSIDE = ("benchmarks", "training")
MEASURES = "benchmarks"
"""Tests may use what only measures the product."""
FILES = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]


@cache
def modules() -> dict[Path, Read]:
    return {path: read_in(ast.parse(path.read_text("utf-8"))) for path in FILES}


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return name if name.startswith(OUTSIDE) else f"hcat.{name}"


def definitions(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if not node.decorator_list or isinstance(node, ast.ClassDef):
                yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name) and one.id.isupper())


@dataclass(frozen=True, slots=True)
class Read:
    """Of a module: what it defines; what it reads by name or attribute, or in an annotation or a cast that is a text;
    what it imports; and the attributes that it asks for, of modules too: `figures.draw`."""

    defined: list[str]
    names: set[str]
    imported: set[str]
    attributes: set[str]


def read_in(tree: ast.Module) -> Read:
    read = Read([*definitions(tree)], set(), set(), set())
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.names.add(node.id)
        elif isinstance(node, ast.Attribute):
            read.attributes.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 100:
            read.names.update(node.value.replace("[", " ").replace("]", " ").split())
        elif isinstance(node, ast.ImportFrom):
            read.imported.update(f"{node.module}.{alias.name}" for alias in node.names)
    return read


def attributes() -> set[str]:
    return set().union(*(read.attributes for read in modules().values()))


def declared_places() -> set[str]:
    """What declarations of capabilities name."""
    return {
        f"hcat.{root}.capabilities.{each.name}.{place.replace(':', '.')}"
        for each in CAPABILITIES
        for root, places in (("core", (*each.chapters, *each.terms.values())), ("dashboard", each.commands.values()))
        for place in places
    }


def test_every_name_of_a_module_is_used_by_the_product() -> None:
    imported = set().union(*(read.imported for read in modules().values())) | declared_places()
    asked = attributes()
    unused: list[str] = []
    for path, read in modules().items():
        if ROOT / MEASURES in path.parents:
            continue
        module = module_name(path)
        unused += [
            f"{module}.{name}"
            for name in read.defined
            if name not in read.names and name not in asked and f"{module}.{name}" not in imported and name[:2] != "__"
        ]
    assert not unused, f"nothing but a test uses these: {', '.join(unused)}"


def test_every_setting_is_read() -> None:
    unread = set(Settings.model_fields) - attributes()
    assert not unread
