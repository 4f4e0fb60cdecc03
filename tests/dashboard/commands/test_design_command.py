"""`hcat design` on files."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pandas as pd
import pytest

from hcat.dashboard import cli


def hcat(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten passages of a.md and thirty of b.md, those of b in the second topic; and one that can't be tested."""
    monkeypatch.chdir(tmp_path)
    names = [f"a{k}" for k in range(10)] + [f"b{k}" for k in range(30)]
    lines = [
        json.dumps({"id": name, "text": "Some text of five words.", "document": f"{name[0]}.md"}) for name in names
    ]
    lines.append(json.dumps({"id": "area", "text": "Area: cards", "document": "a.md"}))
    Path("p.jsonl").write_text("\n".join(lines), "utf-8")
    topic = [0] * 9 + [-1] + [1] * 30
    frame = pd.DataFrame({"id": names, "topic": topic, "nearest": [0] * 10 + [1] * 30})
    frame["title"] = frame["topic"].map({0: "cards", 1: "loans", -1: "(no topic)"})
    frame.to_parquet("t.parquet")


def test_the_design_names_every_drawn_passage_with_its_probability(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hcat("design p.jsonl -n 8 --topics t.parquet --kind equal -o d.json", monkeypatch)
    written = json.loads(Path("d.json").read_text("utf-8"))
    assert [(row["levels"], row["size"], row["drawn"]) for row in written["strata"]] == [
        (["cards"], 10, 4),
        (["loans"], 30, 4),
    ]
    assert {round(row["probability"], 4) for row in written["passages"]} == {0.4, round(4 / 30, 4)}
    assert (written["settings"]["by"], written["unequal"]) == (["topic"], True)
    assert written["left_out"] == {"area": "it has fewer than 5 words"}
    said = " ".join(capsys.readouterr().out.split())
    assert "1 passage has fewer than 5 words and can't be tested" in said
    assert "The probabilities are unequal" in said


def test_a_nearest_topic_that_no_text_has_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.read_parquet("t.parquet")
    frame.loc[3, "nearest"] = 7
    frame.to_parquet("t.parquet")
    monkeypatch.setattr(sys, "argv", ["hcat", "design", "p.jsonl", "-n", "8", "--topics", "t.parquet", "-o", "d.json"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "a nearest topic that has no text; make it anew with `hcat topics`" in capsys.readouterr().err
    assert not Path("d.json").exists()


def test_weights_come_from_a_file_and_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("w.csv").write_text("level,weight\na.md,9\nb.md,1\n", "utf-8")
    hcat("design p.jsonl -n 8 --kind weighted --weights w.csv --weight a.md=3 -o d.csv --json", monkeypatch)
    assert [row["drawn"] for row in json.loads(capsys.readouterr().out)["strata"]] == [6, 2]
    with Path("d.csv").open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["document"], row["drawn"]) for row in table] == [("a.md", "6"), ("b.md", "2")]


def test_another_seed_draws_other_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, name in ((1, "x"), (1, "y"), (2, "z")):
        hcat(f"design p.jsonl -n 8 --by document,length --seed {seed} -o {name}.json", monkeypatch)
    x, y, z = (json.loads(Path(f"{name}.json").read_text("utf-8"))["passages"] for name in "xyz")
    assert x == y != z
