"""Names in files that would command a terminal or fill it: commands print them to be read, and briefly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.dashboard import cli
from tests.dashboard.commands.own_store import store_in

ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
HOSTILE = "\x1b]0;PWNED\x07\x9b2J\u202egpj\u2066"
LONG = "k" * 500_000
LONGEST_LINE = 5_000
"""Characters: a table of columns has longer lines than a message."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with store_in(tmp_path_factory.mktemp("hostile")) as path:
        (path / "head.csv").write_text(f"query{HOSTILE},answer{HOSTILE},x{HOSTILE}\nq,a,b\n", "utf-8")
        head = f"query,answer,x{HOSTILE},{LONG[:90_000]}"
        (path / "extra.csv").write_text(f"{head}\nq{HOSTILE},a,b,c\nq,,,,,,\n", "utf-8")
        (path / "long.jsonl").write_text(json.dumps({LONG: "q", "b": "a"}) + "\n", "utf-8")
        (path / "value.jsonl").write_text(json.dumps({"query": [LONG, HOSTILE], "answer": {LONG: "a"}}) + "\n", "utf-8")
        (path / "nul.jsonl").write_text('{"query": "q\\u0000", "answer": "a", "x\\u0000\\u001b[2J": "b"}\n', "utf-8")
        run = [{"id": f"s{k}", "query": "q", "answer": "a", "dimensions": {f"d{HOSTILE}": HOSTILE}} for k in range(3)]
        (path / f"r{HOSTILE}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in run), "utf-8")
        yield path


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", "head.csv", "--project", "p", "--run", "head"),
        ("import", "extra.csv", "--project", "p", "--run", "extra"),
        ("import", "long.jsonl", "--project", "p", "--run", "long"),
        ("import", "value.jsonl", "--project", "p", "--run", "value"),
        ("import", "nul.jsonl", "--project", "p", "--run", "nul"),
        ("import", "extra.csv", "--project", f"p{HOSTILE}", "--run", "extra"),
        ("import", "extra.csv", "--project", "p", "--run", LONG[:100_000]),
        ("import", f"none{HOSTILE}.csv", "--project", "p", "--run", "r"),
        ("score", f"r{HOSTILE}.jsonl", "-o", f"s{HOSTILE}.parquet", "--metrics", "answer_length"),
        ("score", f"r{HOSTILE}.jsonl", "-o", f"s{HOSTILE}.parquet", "--metrics", "answer_length", "--json"),
        ("score", f"r{HOSTILE}.jsonl", "-o", "s.parquet", "--metrics", f"none{HOSTILE}"),
        ("score", f"r{HOSTILE}.jsonl", "-o", "s.parquet", f"--none{HOSTILE}"),
        ("trials", f"r{HOSTILE}.jsonl"),
    ],
    ids=lambda arguments: " ".join(arguments)[:24].replace("\x1b", "^"),
)
def test_nothing_printed_acts_on_a_terminal(
    folder: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["hcat", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert ended.value.code in (0, None, 2)
    assert not ACTS.search(printed.out + printed.err)
    assert max(map(len, (printed.out + printed.err).splitlines()), default=0) < LONGEST_LINE
    if ended.value.code == 2:
        assert printed.err.splitlines()[-1].startswith("hcat: ")
