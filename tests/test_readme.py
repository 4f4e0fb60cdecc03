"""What the README and the pages of `docs/` say exists, and each command in them runs.

Commands of a page run one after another in a folder with the files that a validator has. Those that need something
from outside the folder (a language model, a cluster) are checked by name and options alone, and named here.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer.main
from typer.testing import CliRunner

from benchmarks.pages_of_docs import DECISIONS, commands, pages
from hcat.core.capabilities.collect.description import target_of
from hcat.core.capabilities.demo import system
from hcat.core.metrics.registry import METRICS
from hcat.core.settings import Settings
from hcat.dashboard.cli import app
from hcat.dashboard.navigation import PAGES
from tests.dashboard.commands.own_store import store_in
from tests.pages.conftest import word_models

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")
TEXTS = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUN = [path for path in TEXTS if path.parent in (ROOT, DOCS / "tutorials", DOCS / "how-to")]
OUTSIDE = {
    "--endpoint": "a language model",
    "hcat judge": "a language model, or what it said",
    "--judge": "what a language model said",
    "--engine ray": "a cluster",
    "policy regenerate": "the packaged models, in place of which words stand here",
    "policy check --project": "a policy that was put in use on the page Policy",
}
"""Words of the commands that are not run, and what these commands need."""
LONG = {"projects.md"}
"""Pages that take minutes: `make test-all` runs them."""
BEFORE = {"hand-in.md": "label-and-calibrate.md"}
"""The pages that go on where another stopped."""
GIVEN = {
    "from-files.md": [
        "hcat score a.jsonl -o a.parquet --metrics answer_f1",
        "hcat score b.jsonl -o b.parquet --metrics answer_f1",
        "hcat score c.jsonl -o c.parquet --metrics answer_f1",
        "hcat score week1.jsonl -o week1.parquet --metrics answer_f1,groundedness",
        "hcat score week2.jsonl -o week2.parquet --metrics answer_f1,groundedness",
    ]
}
"""What was done before to the files that a page takes as given."""
VERDICTS = {"hcat plan": 1, "hcat verify evidence.zip --recompute": 3}
"""Commands whose exit code may also say that a threshold is missed, or that a signer was not checked."""
LABELLED = {"attacks-run.jsonl": ("attack-labels.csv", "resistance")}
"""Answers that people label once they were collected."""
N = 150


def commands_in(path: Path) -> list[str]:
    """The commands in the blocks of a page."""
    blocks = re.findall(r"^```console\n(.*?)^```", path.read_text("utf-8"), re.S | re.M)
    return [line for block in blocks for line in block.splitlines() if line.startswith("hcat ")]


PROGRAM: Any = typer.main.get_command(app)


def faults_of(words: list[str]) -> list[str]:
    """What of the words after `hcat` is no command and no option; `add|list` names two commands of a group."""
    command = PROGRAM
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        names, *words = words
        wrong = [name for name in names.split("|") if name not in command.commands]
        if wrong and command.name != "judge":
            return wrong
        command = command.commands["run" if wrong else names.split("|")[0]]  # `hcat judge RUN` is `hcat judge run RUN`
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    options = (word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word))
    return [option for option in options if option not in known | {"--help"}]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_and_option_that_is_named_exists(path: Path) -> None:
    named = commands_in(path)
    named += re.findall(r"`(hcat [^`\n]+)`", path.read_text("utf-8"))
    wrong = [line for line in named if faults_of(shlex.split(line.partition(" > ")[0], posix=True)[1:])]
    assert not wrong


def sample(k: int, *, right: float) -> dict[str, object]:
    """An answer about one of three subjects; `right` is the share of right answers."""
    topic, amount = ("fees", "cards", "loans")[k % 3], 10 + k
    said = amount if (k * 7919 % 100) / 100 < right - 0.1 * (topic == "fees") else amount + 1
    return {
        "id": f"q{k}",
        "query": f"What is the charge of product {k // 2} for {topic}?",
        "answer": f"The charge for {topic} is {said} euros a year.",
        "reference": f"The charge for {topic} is {amount} euros a year.",
        "contexts": [{"id": f"p{k}", "text": f"Product {k // 2}: the charge for {topic} is {amount} euros a year."}],
        "relevant_ids": {f"p{k}": 1},
        "dimensions": {
            "topic": topic,
            "query_type": ("simple", "yes/no")[k % 2],
            "segment": ("private", "business")[k // 2 % 2],
            "region": ("north", "south")[k // 4 % 2],
        },
    }


def passed(row: dict[str, object], k: int) -> bool:
    return (row["answer"] == row["reference"]) != (k % 11 == 0)


def write_material(folder: Path) -> None:
    """The files that the pages take as given: runs, labels, a handbook, scores of another tool."""
    runs = {
        "run": 0.8,
        "a": 0.7,
        "b": 0.8,
        "c": 0.85,
        "short": 0.8,
        "long": 0.7,
        "week1": 0.8,
        "week2": 0.8,
        "trials": 0.8,
    }
    for name, right in runs.items():
        rows = [sample(k, right=right) for k in range(N)]
        if name.startswith("week"):
            rows = [row | {"id": f"{name}-{row['id']}"} for row in rows]
        if name == "trials":
            rows = [row | {"test_case": f"c{k // 2}", "trial": k % 2} for k, row in enumerate(rows)]
        if name in ("short", "long"):
            rows = [row | {"group": f"g{k // 3}"} for k, row in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        labels = ["sample_id,criterion,label,annotator"]
        labels += [
            f"{row['id']},{criterion},{'pass' if passed(row, k + (who == 'bea')) else 'fail'},{who}"
            for k, row in enumerate(rows[: N - 30])
            for criterion in ("correctness", "tone")
            for who in ("ann", "bea")
        ]
        (folder / f"{'labels' if name == 'run' else name}.csv").write_text("\n".join(labels) + "\n", "utf-8")
    rng = np.random.default_rng(3)
    theirs = [f"q{k},{rng.integers(0, 6)}" for k in range(N)]
    (folder / "theirs.csv").write_text("\n".join(["sample_id,their_judge", *theirs]) + "\n", "utf-8")
    expected = [f"c{k},{1 - k % 3 / 4}" for k in range(N // 2)]
    (folder / "expected.csv").write_text("\n".join(["test_case,expected", *expected]) + "\n", "utf-8")
    (folder / "handbook").mkdir()
    for chapter in sorted((ROOT / "data/demo/handbook").glob("*.md"))[:4]:
        (folder / "handbook" / chapter.name).write_text(chapter.read_text("utf-8"), "utf-8")
    shutil.copy(folder / "run.jsonl", folder / "large.jsonl")
    cases = (ROOT / "data/demo/tests.jsonl").read_text("utf-8").splitlines(keepends=True)[:12]
    for name in ("tests", "candidates"):
        (folder / f"{name}.jsonl").write_text("".join(cases), "utf-8")
    (folder / "opinion.toml").write_text('rating = "no opinion"\nauthor = "V. Lead"\n', "utf-8")
    (folder / "guideline.txt").write_text("An answer passes if its charge is that of the handbook.\n", "utf-8")
    (folder / "prompt.txt").write_text("You answer questions on the handbook of a bank.\n", "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with store_in(tmp_path), word_models():
        system._system.cache_clear()
        write_material(tmp_path)
        yield tmp_path
    system._system.cache_clear()


def run_line(line: str) -> str:
    """Run one line of a page, with `> FILE` as a shell has it; what went wrong, or ""."""
    line, _, file = line.partition(" > ")
    done = CliRunner().invoke(app, shlex.split(line)[1:])
    if file:  # the bundled system stands for a live one
        Path(file).write_text("kind: demo\n" if file == "target.yaml" else done.stdout, "utf-8")
    for answers, (labels, criterion) in LABELLED.items():
        if f"-o {answers}" in line:
            ids = [json.loads(row)["id"] for row in Path(answers).read_text("utf-8").splitlines()]
            rows = [f"{name},{criterion},{'fail' if k % 9 == 0 else 'pass'}" for k, name in enumerate(ids)]
            Path(labels).write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    said = {0} | {code for words, code in VERDICTS.items() if line.startswith(words)}
    ended = done.exception is None or isinstance(done.exception, SystemExit)
    return "" if ended and done.exit_code in said else f"{line}\n    {done.output[-600:]} {done.exception!r}"


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if path.name in LONG else []) for path in RUN],
    ids=[str(path.relative_to(ROOT)) for path in RUN],
)
def test_every_command_of_a_page_runs(path: Path, folder: Path) -> None:
    earlier = [path.with_name(BEFORE[path.name])] if path.name in BEFORE else []
    lines = GIVEN.get(path.name, []) + [line for page in (*earlier, path) for line in commands_in(page)]
    lines = [line for line in lines if not any(word in line for word in OUTSIDE)]
    wrong = [fault for line in lines if (fault := run_line(line))]
    assert not wrong, "\n".join(wrong)


def test_the_readme_is_a_page() -> None:
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    broken = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert not broken


def test_every_page_has_its_file_and_every_file_its_row() -> None:
    assert {entry.path for entry in PAGES} == set((ROOT / "pages").glob("[!_]*.py"))
    assert all(entry.path.is_file() for entry in PAGES)


def test_every_path_in_the_map_exists() -> None:
    block = re.search(r"## Map\n\n```\n(.*?)```", (DOCS / "developers.md").read_text("utf-8"), re.S)
    assert block is not None
    folder = ROOT
    for line in block.group(1).splitlines():
        name = line.split()[0].rstrip(",")
        folder = folder if line.startswith(" ") else ROOT / name
        path = folder / name if line.startswith(" ") else folder
        assert path.exists(), f"the map names {name}, which is not there"


def test_the_documentation_says_what_each_page_answers() -> None:
    lines = (DOCS / "concepts" / "pages.md").read_text("utf-8").splitlines()
    titles = [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:]
    assert titles == [entry.title for entry in PAGES]


def test_the_target_file_is_one() -> None:
    block = re.search(r"```yaml\n(.*?)```", (DOCS / "how-to" / "your-own-system.md").read_text("utf-8"), re.S)
    assert block is not None
    assert target_of(block.group(1)).kind == "http"


GENERATED = pages()


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: str(path.relative_to(ROOT)))
def test_generated_pages_are_those_of_the_program(path: Path) -> None:
    assert path.read_text("utf-8") == GENERATED[path], "write it by `make docs`"


def test_the_reference_has_every_command_metric_and_setting() -> None:
    text = {
        name: (DOCS / "reference" / f"{name}.md").read_text("utf-8") for name in ("commands", "metrics", "settings")
    }
    named = [" ".join(words) for words, _ in commands(PROGRAM, ("hcat",))]
    assert len(named) > 100 and all(f"## {name}\n" in text["commands"] for name in named)
    assert all(f"| `{metric.name}` |" in text["metrics"] for metric in METRICS)
    assert all(f"| `HCAT_{name.upper()}` |" in text["settings"] for name in Settings.model_fields)


def test_every_decision_has_a_number_a_title_and_a_date() -> None:
    rows = re.findall(r"^\| \[(\d{4})\].*\| (\d{4}-\d{2}-\d{2}) \|$", GENERATED[DECISIONS], re.M)
    assert [number for number, _ in rows] == [path.name[:4] for path in sorted((DOCS / "decisions").glob("[0-9]*.md"))]


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages_of_site = [path.relative_to(DOCS).as_posix() for path in TEXTS if path.is_relative_to(DOCS)]
    assert not [name for name in pages_of_site if not re.match(r"decisions/\d", name) and f" {name}\n" not in menu]
