"""Public names use the field's words: no private ones, and no word that stands for two things."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from hcat.core.settings import ROOT

PRIVATE = {
    *("heeds", "kept", "learnable", "looked", "moment", "outlook", "scatter", "situation"),
    *("spares", "spoken", "stand", "standing", "taken", "truth", "undecided", "unfit"),
}
"""Words that say a thing in a way of our own where the field has a term: see docs/glossary.md."""

JUDGES = (
    *("core/agreement", "core/workspace/labels.py", "core/workspace/judging", "core/workspace/jobs.py"),
    *("core/wording/judging", "core/storage", "core/records/judging.py", "core/report", "core/analysis"),
    *("dashboard/panels/labelling/actions.py", "dashboard/panels/judges", "dashboard/commands/judging"),
    *("dashboard/loaders/judging.py", "dashboard/charts/judges.py", "pages/judges.py", "core/views/judges.py"),
)
"""A language model that judges by a rubric, and what a person can't judge."""

BOUND = {
    "judge": JUDGES,
    "judges": JUDGES,
    "judging": JUDGES,
    "claim": (
        *("core/claims", "core/models", "core/scoring", "core/metrics", "core/jobs", "core/storage/stores/jobs.py"),
        *("core/workspace/jobs.py", "dashboard/components/sample_view", "dashboard/panels/runs"),
    ),
    "lease": ("core/labelling", "core/storage", "core/workspace"),
}
"""Words that stand for one thing, and where that thing is: a language model that judges by a rubric, or what a person
can't judge; a statement to be verified, and the taking of a job; an item of a queue that is reserved."""

CHARTS = {"metric_scatter"}
"""A scatter chart is called so."""


def public_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
    yield path.stem


def words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


MODULES = sorted(path for folder in ("core", "dashboard", "pages") for path in (ROOT / folder).rglob("*.py"))


def test_public_names_use_the_fields_words() -> None:
    faults: list[str] = []
    for path in MODULES:
        here = path.relative_to(ROOT).as_posix()
        for name in set(public_names(path)) - CHARTS:
            if words(name) & PRIVATE:
                faults.append(f"{here}: {name} uses a private word; docs/glossary.md has the terms")
            faults += [
                f"{here}: {name} uses “{word}”, which stands for another thing"
                for word, places in BOUND.items()
                if word in words(name) and not here.startswith(places) and "migrations" not in here
            ]
    assert not faults, "\n".join(faults)
