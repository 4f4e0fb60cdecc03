"""Public names and docstrings use the field's words: no private ones, and no word that stands for two things."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hcat.core.settings import ROOT
from hcat.dashboard.cli import app, commands_of

PRIVATE = {
    *("heeds", "kept", "learnable", "looked", "moment", "outlook", "scatter", "situation"),
    *("spares", "spoken", "stand", "standing", "taken", "truth", "undecided", "unfit"),
}
"""Words that say a thing in a way of our own where the field has a term: see docs/glossary.md."""

JUDGES = (
    *("core/capabilities/agreement", "core/capabilities/judges", "core/capabilities/report", "core/opened"),
    *("core/project", "core/storage", "core/records/judging.py", "pages/judges.py"),
    *("dashboard/capabilities/labelling/actions.py", "dashboard/capabilities/judges"),
)
"""A language model that judges by a rubric, and what a person can't judge."""

BOUND = {
    "judge": JUDGES,
    "judges": JUDGES,
    "judging": JUDGES,
    "claim": (
        *("core/claims", "core/models", "core/scoring", "core/metrics", "core/jobs", "core/storage/stores/jobs.py"),
        *("core/project/jobs.py", "dashboard/components/sample_view", "dashboard/capabilities/runs"),
    ),
    "lease": ("core/labelling", "core/storage", "core/project"),
}
"""Words that stand for one thing, and where that thing is: a language model that judges by a rubric, or what a person
can't judge; a statement to be verified, and the taking of a job; an item of a queue that is reserved."""

OPENINGS = re.compile(r"(?:What|Where|Who|Whom|Whose|How|Of (?:what|which|whom))\b")
"""A docstring begins with a plain statement of what is returned or done, not with an indirect question."""

IN_DOCSTRINGS = re.compile(
    r"\b(?:anew|beside|amid|heed(?:s|ed)?|bears?|borne|tells?|told|untold|stands?|stood|(?:comes?|came) to|"
    r"taken (?:as|for)|speaks? of|spoken of|held against|kept whole|the way round|in vain|rests? on)\b",
    re.IGNORECASE,
)
"""Private words for: again, with, follow, has, states, is, becomes, compared with, depends on."""

QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|'[a-z ]+'", re.DOTALL)

AS_RECORDED = "core/capabilities/evidence/standalone.py"
"""Its text is part of evidence packs, whose hashes are recorded."""

CHARTS = {"metric_scatter"}
"""A scatter chart is called so."""


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def public_names(path: Path) -> Iterator[str]:
    for node in nodes(path):
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


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and texts of all docstrings of a module, those under a variable among them."""
    for node in nodes(path):
        body = getattr(node, "body", ())
        for each in body if isinstance(body, list) else ():
            text = each.value.value if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) else None
            if isinstance(text, str):
                yield each.lineno, text


def help_texts() -> frozenset[str]:
    """Docstrings of commands: people read them as they stand in help."""
    return frozenset(command.callback.__doc__ or "" for command in commands_of(app) if command.callback is not None)


def test_docstrings_are_plain_statements() -> None:
    faults: list[str] = []
    helping = help_texts()
    for path in MODULES:
        here = path.relative_to(ROOT).as_posix()
        for line, text in () if here == AS_RECORDED else docstrings(path):
            if opening := OPENINGS.match(text):
                faults.append(f"{here}:{line}: opens with “{opening[0]}”: state what is returned or done")
            found = () if text in helping else IN_DOCSTRINGS.finditer(QUOTED.sub("", text))
            faults += [f"{here}:{line}: the private word “{each[0]}”" for each in found]
    assert not faults, "\n".join(faults)
