"""What a command can't write is said before it begins, whatever it would have done."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import get_args, get_origin

import pytest

from hcat.dashboard import cli
from hcat.dashboard.commands.output_files import OUTPUTS, files_in

IN_HELP = re.compile(r"\b(?:write|where to write|where .* go(?:es)?)\b", re.IGNORECASE)
NO_OUTPUTS = {"documents", "tests"}
"""A folder that must not be there yet; test cases that are read, with a word of what else writes them."""


def test_every_option_that_says_it_writes_is_looked_at_first() -> None:
    named: set[str] = set()
    for command in cli.commands_of(cli.app):
        assert command.callback is not None
        for name, parameter in inspect.signature(command.callback, eval_str=True).parameters.items():
            kind = parameter.annotation
            if Path in get_args(get_args(kind)[0] if get_origin(kind) else kind) or get_args(kind)[:1] == (Path,):
                texts = [str(getattr(part, "help", "")) for part in get_args(kind)[1:]]
                named |= {name} if any(map(IN_HELP.search, texts)) else set()
    assert named - NO_OUTPUTS == OUTPUTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("outputs")
    os.mkfifo(path / "pipe")
    (path / "link").symlink_to("pipe")
    (path / "run.jsonl").write_text('{"query": "q", "answer": "a"}\n')
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        "score run.jsonl -o pipe --metrics answer_length",
        "score run.jsonl -o link --metrics answer_length",
        "score run.jsonl -o . --metrics answer_length",
        "score run.jsonl -o /dev/null --metrics answer_length",
        "score run.jsonl -o no/such/folder/s.parquet --metrics answer_length",
        "score run.jsonl -o s.parquet --explain pipe --metrics answer_length",
        "calibrate none.parquet none.csv --criterion c --metrics m -o pipe",
        "grammar company pipe",
        "backup pipe",
        "labels export --project p --run r -o pipe",
    ],
)
def test_an_output_that_is_no_file_is_one_line(
    folder: Path, arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["hcat", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (2, "")
    assert re.fullmatch(r"hcat: .*(which can't be replaced: name a file to write|name another file)\n", printed.err)
    assert sorted(path.name for path in folder.iterdir()) == ["link", "pipe", "run.jsonl"]
    assert (folder / "pipe").is_fifo() and (folder / "link").is_symlink()


@pytest.mark.parametrize(
    "arguments",
    [
        "score run.jsonl -o run.jsonl --metrics answer_length",
        "score run.jsonl -o ./docs/../run.jsonl --metrics answer_length",
        "score run.jsonl -o linked.jsonl --metrics answer_length",
        "score run.jsonl -o hard.jsonl --metrics answer_length",
        "score run.jsonl -o s.parquet --explain run.jsonl --metrics answer_length",
        "score run.jsonl -o new.parquet --explain new.parquet --metrics answer_length",
        "safety run.jsonl -o run.jsonl",
        "perturb run.jsonl --family spelling -o run.jsonl",
        "topics run.jsonl -o run.jsonl",
        "corpus pol.md -o pol.md",
        "corpus docs -o docs/a.md",
        "import run.jsonl --project p --run r --problems run.jsonl",
        "grammar evaluate correctness=run.jsonl -o run.jsonl",
    ],
)
def test_what_is_read_is_never_written_over(
    tmp_path: Path, arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("run.jsonl", "pol.md", "docs/a.md"):
        (tmp_path / name).write_text('{"query": "q", "answer": "a"}\n')
    (tmp_path / "linked.jsonl").symlink_to("run.jsonl")
    os.link(tmp_path / "run.jsonl", tmp_path / "hard.jsonl")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["hcat", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    said = capsys.readouterr().err
    assert said.endswith((": name another output file\n", ": name two files\n")) or "No such option" in said


def test_an_option_that_was_not_given_names_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert files_in(["", "author="]) == []
