"""A broken file of results ends every command that reads it in one line and exit code 2, and leaves nothing behind."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.settings import settings
from hcat.dashboard import cli
from tests.dashboard.commands import broken_files

COMMANDS = {
    "calibrate": "calibrate s.parquet labels.csv --criterion correctness --metrics answer_f1 -o out",
    "predict": "predict s.parquet cal.json -o out",
    "estimate": "estimate s.parquet labels.csv --criterion correctness --metrics answer_f1",
    "plan": "plan s.parquet labels.csv --criterion correctness --metrics answer_f1",
    "weakness": "weakness run.jsonl s.parquet --by topic --calibration cal.json --labels labels.csv -o out",
    "trials": "trials run.jsonl --labels labels.csv --criterion correctness --scores s.parquet --calibration cal.json",
    "policy fit": "policy fit s.parquet labels.csv cal.json --error 0.1 --confidence 0.9 -o out",
    "report": "report --run run.jsonl --scores s.parquet --labels labels.csv --calibration cal.json "
    "--weakness w.parquet -o out.html",
}
FILES = ("s.parquet", "labels.csv", "cal.json", "w.parquet", "run.jsonl")
Ended = tuple[int, str]
Call = Callable[[str], Ended]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """The files of one run, none of them broken."""
    folder = tmp_path_factory.mktemp("whole")
    rows = [
        {
            "id": f"s{k}",
            "query": f"what is the fee {k}",
            "answer": f"the fee is {k}",
            "dimensions": {"topic": f"t{k % 3}"},
        }
        | {"reference": f"the fee is {k if k % 2 else 9}", "contexts": [f"the fee is {k}"]}
        for k in range(60)
    ]
    labels = [f"s{k},correctness,{'pass' if k % 2 else 'fail'},ann\n" for k in range(60)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        patch.chdir(folder)
        settings.cache_clear()
        Path("run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        Path("labels.csv").write_text("sample_id,criterion,label,annotator\n" + "".join(labels), "utf-8")
        for arguments in (
            "score run.jsonl -o s.parquet --metrics answer_length,answer_f1",
            "calibrate s.parquet labels.csv --criterion correctness --metrics answer_f1 -o cal.json",
            "weakness run.jsonl s.parquet --by topic --metrics answer_f1 -o w.parquet",
        ):
            patch.setattr(sys, "argv", ["hcat", *arguments.split()])
            with pytest.raises(SystemExit) as ended:
                cli.main()
            assert not ended.value.code
        yield {name: Path(name).read_bytes() for name in FILES}
    settings.cache_clear()


@pytest.fixture
def call(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """Runs a command in a folder with these files: its exit code, and what it said on standard error."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    for name, content in whole.items():
        Path(name).write_bytes(content)

    def run(arguments: str) -> Ended:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["hcat", *arguments.split()])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), capsys.readouterr().err

    return run


def assert_refused(ended: Ended, says: str) -> None:
    code, said = ended
    assert code == 2, said
    assert said.startswith("hcat: ")
    assert said.count("\n") == 1
    assert says in said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"method": "\xff"}', "is not UTF-8 text"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"method": "logistic", "alpha": 1' + b"0" * 400 + b"}", "more than 40 digits"),
        (b'{"method": "logistic", "alpha": 1e999}', "is not finite"),
        (b"", "is no calibration of hcat"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "weakness"])
def test_a_calibration_that_is_no_json(call: Call, command: str, content: bytes, says: str) -> None:
    Path("cal.json").write_bytes(content)
    assert_refused(call(COMMANDS[command]), says)


def test_a_huge_number_in_a_calibration(call: Call) -> None:
    document = json.loads(Path("cal.json").read_bytes())
    document["threshold"]["test_cases"] = 10**30
    Path("cal.json").write_text(json.dumps(document), "utf-8")
    assert_refused(call(COMMANDS["policy fit"]), "a whole number of at most 64 bits was expected")


def changed(name: str, column: str, cell: object) -> None:
    table = pq.read_table(name)
    cells = table[column].to_pylist()
    Path(name).write_bytes(broken_files.parquet(broken_files.with_column(table, column, [cell, *cells[1:]])))


SCORES = {
    "the sample 's0' twice": lambda table: pa.concat_tables([table, table.slice(0, 1)]),
    "the column 'answer_f1' twice": lambda table: table.append_column("answer_f1", table["answer_f1"]),
    "the column 'cluster' twice": lambda table: table.append_column("cluster", table["cluster"]),
}


@pytest.mark.parametrize("says", SCORES)
def test_scores_with_something_twice(call: Call, says: str) -> None:
    Path("s.parquet").write_bytes(broken_files.parquet(SCORES[says](pq.read_table("s.parquet"))))
    assert_refused(call(COMMANDS["plan"]), f"is not a score file of hcat (it has {says})")


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [
        ("answer_f1", float("inf"), "a score of answer_f1 is infinite"),
        ("answer_f1", None, "a sample has neither a score of answer_f1 nor a reason"),
        ("sample_id", None, "a sample has no id"),
    ],
)
def test_scores_with_an_impossible_cell(call: Call, column: str, cell: object, says: str) -> None:
    changed("s.parquet", column, cell)
    assert_refused(call(COMMANDS["weakness"]), f"is not a score file of hcat ({says})")


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [
        ("verdict", "strange", "the verdict 'strange' is unknown"),
        ("mean", float("-inf"), "a value of mean is infinite"),
        ("metric", "other", "is not a weakness table of hcat"),
    ],
)
def test_a_weakness_table_with_an_impossible_cell(call: Call, column: str, cell: object, says: str) -> None:
    changed("w.parquet", column, cell)
    assert_refused(call(COMMANDS["report"]), says)


def test_a_weakness_table_with_something_twice(call: Call) -> None:
    table = pq.read_table("w.parquet")
    Path("w.parquet").write_bytes(broken_files.parquet(pa.concat_tables([table, table.slice(0, 1)])))
    assert_refused(call(COMMANDS["report"]), "it has a slice twice")
    Path("w.parquet").write_bytes(broken_files.parquet(table.append_column("n", table["n"])))
    assert_refused(call(COMMANDS["report"]), "it has a column twice")


def test_scores_without_the_labelled_samples(call: Call) -> None:
    Path("s.parquet").write_bytes(broken_files.parquet(pq.read_table("s.parquet").slice(0, 1)))
    code, said = call(COMMANDS["weakness"])
    assert code == 2
    assert "Traceback" not in said


@pytest.mark.parametrize("name", FILES)
def test_files_broken_by_chance(call: Call, whole: dict[str, bytes], name: str) -> None:
    """A few of those that `make fuzz` tries at length."""
    rng = random.Random(name)
    commands = [line for line in COMMANDS.values() if name in line.split() and not line.startswith("report")]
    for _ in range(4 if commands else 2):  # a report takes longest
        Path(name).write_bytes(whole[name])
        content = broken_files.broken(Path(name), rng)
        Path(name).write_bytes(content)
        code, said = call(rng.choice(commands or [COMMANDS["report"]]))
        assert code in (0, 2), (said, content[:200])
        assert code == 0 or said.splitlines()[-1].startswith("hcat: ")
        assert not list(Path().glob(".*.part"))
