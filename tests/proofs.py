"""Long tests that need not run again: nothing that they rest on has changed since they last passed.

A proof is the hash of all that a file of tests rests on: its own text, the conftests above it, every module of ours
that these import (also within functions, and those named in strings, as programs that are started are), the data and
weights of the product, all files of the tests that are no Python, the pinned packages, and the version of Python. Of
these files translations are left out: no number depends on them. A file that starts the app or a command, or looks at
pages, rests on the whole product instead, its documentation included.

`tests/proofs.json` has the proofs of the files that took long and passed whole, nothing skipped; `make test` leaves out
those whose proof is still the same, and says so. `make test-all` runs all.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "tests" / "proofs.json"
LONG = 20.0
"""Seconds that a file of tests takes at least to be left out."""
OURS = {"hcat": "", "tests": "tests", "benchmarks": "benchmarks", "training": "training"}
"""The folder of each package of ours; those of hcat lie at the top."""
NAMED = re.compile(r"\b(?:hcat|tests|benchmarks)(?:\.\w+)+")
PROGRAM = re.compile(r"[\w/]+\.py")
DATA = ("core", "dashboard", "data/demo", "tests")
"""Folders whose other files count."""
WHOLE = (
    "core",
    "dashboard",
    "pages",
    "hcat",
    ".streamlit",
    "data/demo",
    "docs",
    "benchmarks",
    "training",
    "deploy",
    "requirements",
)
"""Folders that make up the product."""
APART = ("tests/core/", "tests/simulation/", "tests/views/")
"""Tests here rest on no page unless they import what loads capabilities or pages."""
SPREADING = ("core/capabilities/__init__.py", "dashboard/")
UNREAD = {".po", ".pyc"}


def test_files() -> list[str]:
    """All files of tests, by their paths from the top."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))


def unchanged() -> list[str]:
    """The files of tests that took long, passed, and whose proofs are still the same."""
    known = json.loads(LOCK.read_text("utf-8")) if LOCK.is_file() else {}
    return [file for file in sorted(known) if (ROOT / file).is_file() and known[file] == proof(file)]


def proof(file: str) -> str:
    """The hash of all that a file of tests rests on."""
    path = ROOT / file
    above = [folder / "conftest.py" for folder in path.parents if folder.is_relative_to(ROOT / "tests")]
    rested = _closure([path, *(each for each in above if each.is_file())])
    names = {each.relative_to(ROOT).as_posix(): each for each in rested}
    spreads = not file.startswith(APART) or any(name.startswith(SPREADING) for name in names)
    whole = sha256(f"{sys.version_info[:2]} {_of_product() if spreads else _of_data()}\n".encode())
    for name in sorted(names):
        whole.update(f"{name} {_of_file(names[name])}\n".encode())
    return whole.hexdigest()


def _closure(start: Iterable[Path]) -> set[Path]:
    found: set[Path] = set()
    left = [*start]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += _imported(path)
    return found


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    names: set[str] = set()
    started: set[Path] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {*NAMED.findall(node.value)}
            started |= {path.parent / node.value} if PROGRAM.fullmatch(node.value) else set()
    return (*{file for name in names for file in _files(name)}, *filter(Path.is_file, started))


@cache
def _files(name: str) -> tuple[Path, ...]:
    """The module of this name and the packages that hold it."""
    first, *rest = name.split(".")
    if first not in OURS:
        return ()
    folder = ROOT / OURS[first]
    files = [folder / "__init__.py"] if OURS[first] else [ROOT / "hcat" / "__init__.py"]
    for part in rest:
        files += [folder / f"{part}.py", folder / part / "__init__.py", folder / part / "__main__.py"]
        folder /= part
    return tuple(file for file in files if file.is_file())


@cache
def _of_file(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@cache
def _of_data() -> str:
    paths = (path for folder in DATA for path in (ROOT / folder).rglob("*") if path.suffix not in {".py", *UNREAD})
    return _of_all([ROOT / "constraints.txt", *paths])


@cache
def _of_product() -> str:
    paths = (path for folder in WHOLE for path in (ROOT / folder).rglob("*") if path.suffix != ".pyc")
    above = (path for path in ROOT.glob("[!.]*") if path.name != "CHANGELOG.md")
    return f"{_of_all([*above, *paths])} {_of_data()}"


def _of_all(paths: Iterable[Path]) -> str:
    whole = sha256()
    for path in sorted(path for path in paths if path.is_file() and not path.is_symlink() and path != LOCK):
        whole.update(f"{path.relative_to(ROOT).as_posix()} {_of_file(path)}\n".encode())
    return whole.hexdigest()
