"""Long tests that need not run again: nothing that they rest on has changed since they last passed.

A proof is the hash of all that a file of tests rests on: its own text, the conftests above it, every module of ours
that these import (also within functions, and those named in strings, as programs that are started are), the data and
weights of the product, the pinned packages, and the version of Python. Translations are left out: no number depends
on them. `tests/proofs.json` has the proofs of the files that passed whole, nothing skipped; `make test` leaves out
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
LONG = (
    "tests/simulation/",
    "tests/core/executors/",
    "tests/core/scoring/shards/test_ray_cluster.py",
    "tests/core/jobs/test_killed.py",
    "tests/core/storage/test_team_labelling.py",
    "tests/core/calibration/test_calibration_on_people.py",
    "tests/core/topics/test_landmarks.py",
    "tests/core/slices/test_large_sets.py",
    "tests/core/analysis/test_corrected_slices.py",
)
"""Files and folders of tests that take minutes and rest on no page."""
OURS = {"hcat": "", "tests": "tests", "benchmarks": "benchmarks", "training": "training"}
"""The folder of each package of ours; those of hcat lie at the top."""
NAMED = re.compile(r"\b(?:hcat|tests|benchmarks)(?:\.\w+)+")
DATA = ("core", "dashboard", "data/demo")
"""Folders whose other files count."""


def long_files() -> list[str]:
    """The files of long tests, by their paths from the top."""
    found = (
        path for place in LONG for path in (ROOT.glob(f"{place}**/test_*.py") if place[-1] == "/" else [ROOT / place])
    )
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def unchanged() -> list[str]:
    """The files of long tests that passed, and whose proofs are still the same."""
    known = json.loads(LOCK.read_text("utf-8")) if LOCK.is_file() else {}
    return [file for file in long_files() if file in known and known[file] == proof(file)]


def proof(file: str) -> str:
    """The hash of all that a file of tests rests on."""
    path = ROOT / file
    above = [folder / "conftest.py" for folder in path.parents if folder.is_relative_to(ROOT / "tests")]
    rested = _closure([path, *(each for each in above if each.is_file())])
    whole = sha256(f"{sys.version_info[:2]} {_of_data()}\n".encode())
    for each in sorted(rested):
        whole.update(f"{each.relative_to(ROOT).as_posix()} {_of_file(each)}\n".encode())
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
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {*NAMED.findall(node.value)}
    return tuple({file for name in names for file in _files(name)})


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
    paths = [ROOT / "constraints.txt", *(path for folder in DATA for path in (ROOT / folder).rglob("*"))]
    kept = [
        path
        for path in paths
        if path.is_file() and path.suffix not in {".py", ".po"} and path.parent.name != "__pycache__"
    ]
    whole = sha256()
    for path in sorted(kept):
        whole.update(f"{path.relative_to(ROOT).as_posix()} {_of_file(path)}\n".encode())
    return whole.hexdigest()
