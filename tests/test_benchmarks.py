"""The benchmark's table: goals, ratios of pairs, and the stub that growth is measured with."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import ROWS, _document, _table, main
from benchmarks.components import cost_of_entailment
from benchmarks.growth import NAMES, StubEncoder, samples
from benchmarks.inputs import Input
from benchmarks.journal import opened
from benchmarks.language_model import Item, Part, read_items, show, write_items
from benchmarks.quality_verifier import Verifier, cascade
from benchmarks.rows import Measured
from benchmarks.timing import Ratio, interleaved
from core.models.llm.language import Request
from core.prompts import load_prompt
from core.scoring.evaluate import score_samples
from tests.core.models.llm.scripted import Raw, endpoint
from tests.core.scoring.model_sets import model_set


def _ratio(value: float) -> Ratio:
    return Ratio(value, value - 0.1, value + 0.1, value, 1.0, 5)


@pytest.mark.parametrize(
    ("value", "goal", "reached"),
    [
        (1.0, {"at_most": 1.0}, True),
        (1.01, {"at_most": 1.0}, False),
        (8.0, {"at_least": 8.0}, True),
        (7.9, {"at_least": 8.0}, False),
        (7.9, {}, None),
        (None, {"at_least": 8.0}, None),
    ],
)
def test_a_row_says_whether_its_goal_is_reached(
    value: float | None, goal: dict[str, float], reached: bool | None
) -> None:
    row = Measured("row", "demo", "a / b", None if value is None else _ratio(value), **goal, note="why")
    assert row.reached is reached
    table, document = _table([row], ["demo: 3 samples"]), json.loads(_document([row], []))
    assert {True: "yes", False: "no", None: "–"}[reached] == table.splitlines()[1].split()[-1]
    assert "    why" in table
    assert document["ratios"][0]["reached"] is reached


def test_pairs_take_turns_at_going_first() -> None:
    order: list[str] = []
    ratio = interleaved(lambda: order.append("upper"), lambda: order.append("lower"), pairs=3)
    assert order == ["upper", "lower", "lower", "upper", "upper", "lower"]
    assert ratio.lowest <= ratio.value <= ratio.highest


def test_the_cost_of_entailment_is_told_for_a_thousand_answers() -> None:
    made_up = Input("made up", tuple(samples(4)), "four answers")
    row = cost_of_entailment(made_up, lambda: None, passes=10)
    assert re.fullmatch(
        r"per 1,000 answers of \d+ words: \d+ s, 2500 forward passes; at most \d+ MB of memory so far", row.note
    )


def test_an_unknown_row_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "nonsense"])
    with pytest.raises(SystemExit, match="2"):
        main()
    said = capsys.readouterr().err
    assert all(name in said for name in [*ROWS, "growth"])


def test_made_up_samples_can_all_be_scored() -> None:
    table = score_samples(samples(6), metrics=NAMES, models=model_set(StubEncoder()))
    assert table.summary()["answer_f1"].mean.n == 6
    assert not any(summary.unscored for summary in table.summary().values())


def test_a_journal_answers_what_was_asked_before(tmp_path: Path) -> None:
    request = Request(load_prompt("translate_query"), {"question": "Is it free?"}, {"type": "object"})
    with endpoint(lambda asked: {"translation": "Ist es frei?"}) as server:
        arguments = argparse.Namespace(endpoint=server.url, model="m", journal=tmp_path / "journal.jsonl")
        first = opened(arguments, tokens=50).ask(request)
        again = opened(arguments, tokens=50)
        assert again.ask(request).content == first.content == {"translation": "Ist es frei?"}
        assert server.calls == 1
        assert [usage.calls for usage in again.usages] == [1]
        server.answer = lambda asked: Raw(500, "no")
        with pytest.raises(SystemExit, match="run the same command again"):
            opened(arguments, tokens=60).ask(request)
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 1


def test_what_a_person_said_of_items_stays_and_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "items.csv"
    right, wrong, unread = (Item("queries", "rules", "open of fee", text) for text in ("a", "b", "c"))
    write_items(file, [right, wrong], {right: ("yes", ""), wrong: ("no", "names nothing")})
    readings = read_items(file)
    write_items(file, [right, unread], readings)
    assert read_items(file) == {right: ("yes", ""), unread: ("", ""), wrong: ("no", "names nothing")}
    write_items(file, [Item("text templates", "rules", "sql", "d")], readings)
    assert len(read_items(file)) == 3
    show(Part("queries", "rules", 4, (right, wrong, unread), Counter({"near-duplicate": 1})), readings)
    printed = capsys.readouterr().out
    assert printed.startswith("queries by rules: 4 asked, 3 passed the checks, 2 read, 1 right: 0.50 [")
    assert "1 × near-duplicate" in printed
    file.write_text(file.read_text().replace(",no,", ",perhaps,"))
    with pytest.raises(SystemExit, match="write yes or no"):
        read_items(file)


def test_an_unsure_verdict_gives_way_to_the_language_model() -> None:
    packaged = Verifier("packaged", np.array([0.9, 0.55, 0.45, 0.1]), np.array([True, True, False, False]), 1.0)
    language = Verifier("model", np.array([0.0, 0.0, 1.0, 1.0]), np.array([False, False, True, True]), 10.0)
    both = cascade(packaged, language, 0.5, has_verdict=np.array([True, True, True, True]))
    assert both.supported.tolist() == [True, False, True, False]
    assert both.score.argsort().tolist() == [3, 1, 2, 0]
    assert both.seconds == 6.0
