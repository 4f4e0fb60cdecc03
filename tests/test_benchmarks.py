"""The benchmark's table: goals, ratios of pairs, and the stub that growth is measured with."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import map_in_browser, million
from benchmarks.__main__ import ROWS, _document, _table, main
from benchmarks.components import cost_of_entailment
from benchmarks.growth import NAMES, StubEncoder, samples
from benchmarks.growth_rows import Cost, exponent, growth, measure
from benchmarks.inputs import Input
from benchmarks.journal import opened
from benchmarks.language_model import Item, Part, read_items, show, write_items
from benchmarks.made_run import made_columns
from benchmarks.quality_verifier import Verifier, cascade
from benchmarks.rows import Measured
from benchmarks.timing import Ratio, interleaved
from hcat.core.models.llm.language import Request
from hcat.core.prompts import load_prompt
from hcat.core.scoring.evaluate import score_samples
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
    at_most, at_least = goal.get("at_most"), goal.get("at_least")
    row = Measured("row", "demo", "a / b", None if value is None else _ratio(value), at_most, at_least, note="why")
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


def _costs(seconds: dict[int, float]) -> list[Cost]:
    return [Cost(size, value, 0, 0) for size, value in seconds.items()]


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 2.0])
def test_the_exponent_is_the_slope_on_logarithms(power: float) -> None:
    sizes = (10_000, 100_000, 1_000_000)
    assert exponent(_costs({size: 0.3 * size**power for size in sizes})) == pytest.approx(power)
    noisy = np.array([1.0, 12.0, 95.0])
    fitted = np.polyfit(np.log(sizes), np.log(noisy), 1)[0]
    assert exponent(_costs(dict(zip(sizes, noisy, strict=True)))) == pytest.approx(fitted)


def _states(formula: str) -> Callable[[int, Path], list[str]]:
    """A child that says how long it took, by a formula of n."""
    script = f"import json, sys; n = int(sys.argv[1]); print(json.dumps({{'seconds': {formula}}}))"
    return lambda size, folder: [sys.executable, "-S", "-c", script, str(size)]


@pytest.mark.parametrize(
    ("formula", "exponent_of_time"),
    [
        pytest.param("n * 1e-3", None, id="linear"),
        pytest.param("n * n * 1e-6", "2.00", id="quadratic"),
        pytest.param("0.03 + n * n * 1e-6", "1.41", id="quadratic after a start"),
    ],
)
def test_a_quadratic_step_fails_the_benchmarks_and_a_missed_goal_does_not(
    formula: str, exponent_of_time: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(options: argparse.Namespace) -> Iterator[Measured]:
        yield Measured("made", "made", "a / b", _ratio(9.0), at_most=1.0)
        yield from growth("made", _states(formula), options.sizes, 1.1)

    monkeypatch.setitem(benchmarks.OWN_INPUTS, "made", rows)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "made", "--sizes", "10,100,1000"])
    if exponent_of_time is None:
        main()
    else:
        with pytest.raises(SystemExit, match="1"):
            main()
    said = capsys.readouterr()
    if exponent_of_time is None:
        assert "failed" not in said.err
    else:
        assert f"failed: made, exponent of time: {exponent_of_time}, not ≤ 1.10" in said.err
    assert re.search(r"1,000: 1\.0\d s, peak \d", said.out)


def test_each_size_stands_beside_its_baseline() -> None:
    rows = list(growth("made", _states("n * 2"), (10, 100), 1.1, baseline=_states("n * 8"), at_most_gigabytes=1.0))
    named = {(row.input, row.what): row for row in rows}
    assert [named[f"{n} made", "time / baseline"].ratio for n in (10, 100)] == [
        Ratio(0.25, 0.25, 0.25, seconds, 4 * seconds, 1) for seconds in (20.0, 200.0)
    ]
    per_item, memory = named["100 made", "time an item, to 10"].ratio, named["100 made", "peak memory / 1 GB"]
    assert per_item is not None and per_item.value == 1.0
    assert memory.reached is True
    assert not any(row.failed for row in rows)


def test_a_child_is_measured_in_seconds_memory_and_bytes(tmp_path: Path) -> None:
    """Its processor time with that of its own children, what it adds to the folder, and not its starter's memory."""
    script = (
        "import subprocess, sys, time; size = int(sys.argv[1]); block = b'x' * size;"
        "subprocess.run([sys.executable, '-S', '-c', 'sum(range(2_000_000))'], check=True);"
        "open(sys.argv[2] + '/out', 'wb').write(block[:1000])"
    )

    def command(size: int, folder: Path) -> list[str]:
        (folder / "input").write_bytes(b"x" * 5_000)
        return [sys.executable, "-S", "-c", script, str(size), str(folder)]

    held = np.ones(25_000_000)  # 200 MB here
    small, large = measure(command, 1_000_000), measure(command, 100_000_000)
    assert small.written_bytes == large.written_bytes == 1_000
    assert small.seconds > 0.005
    assert small.peak_bytes < 100_000_000 < large.peak_bytes < held.nbytes


def test_a_child_that_fails_is_told_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match=r"ended with 1: .*no such thing"):
        measure(lambda size, folder: [sys.executable, "-S", "-c", "raise SystemExit('no such thing')"], 5)


@pytest.mark.parametrize("sizes", ["10", "100,10", "ten,20", "0,5"])
def test_sizes_rise(sizes: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--sizes", sizes])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "--sizes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "step", [pytest.param(step, id=name) for name, step in million.STEPS.items() if not step.compares]
)
def test_each_step_of_a_million_runs_beside_its_baseline(
    step: million.Step, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["million", str(tmp_path)])  # where the child keeps its cells
    columns = made_columns(6_000)
    for ready in (step.ready, step.baseline):
        if ready is not None:
            job = ready(columns)
            assert job() is not None and job() is not None  # timed more than once


@pytest.mark.parametrize(
    ("sizes", "large"),
    [
        ((10_000, 100_000), [100_000, 400_000]),
        ((10_000, 100_000, 1_000_000), [100_000, 1_000_000]),
        ((100, 1_000), [50_000, 200_000]),
    ],
)
def test_slices_are_compared_at_sizes_at_which_they_follow_from_sums(
    sizes: tuple[int, ...], large: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: dict[str, Sequence[int]] = {}

    def noted(row: str, command: object, own: Sequence[int], *_: object, what: str, **__: object) -> Iterator[Measured]:
        measured[what] = own
        return iter(())

    monkeypatch.setattr(million, "growth", noted)
    assert not [*million.rows(sizes)]
    assert measured == {name: large if step.compares else sizes for name, step in million.STEPS.items()}


def test_how_long_a_row_took_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(benchmarks.OWN_INPUTS, "made", lambda _: iter([Measured("made", "made", "a / b", _ratio(9.0))]))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "made"])
    main()
    assert re.search(r"^made took \d+ s$", capsys.readouterr().err, re.MULTILINE)


def test_without_a_browser_the_map_says_what_was_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_in_browser, "find_chromium", lambda: None)
    paint, step = map_in_browser.rows(1_000_000)
    assert {paint.note, step.note} == {"not measured: there is no Chromium"}
    assert paint.reached is step.reached is None
