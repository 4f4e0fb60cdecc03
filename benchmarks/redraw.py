"""From a pressed key to the redrawn page, in a browser: the next card, and the live calibration of 5,000 labels."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.chromium import find_chromium
from benchmarks.labels import CRITERION, INPUT, LABELS, SAMPLES, against
from benchmarks.rows import Measured
from benchmarks.served import FLAGS, running
from benchmarks.timing import Ratio
from hcat.core.capabilities.calibration.calibrate import evaluate_labels
from hcat.core.estimates.label_evaluation import CalibrationSpec
from hcat.core.labelling.queue import QueueItem
from hcat.core.settings import Settings
from hcat.core.types import Label, Sample
from hcat.core.workspace import Workspace

PRESSED = 40
ITEMS = 200
GOAL = 0.3
"""Seconds."""
NOTHING_LEFT_TO_DO = "() => new Promise(done => requestIdleCallback(done, {timeout: 5000}))"
"""A key is bound a moment after its button is drawn: what is pressed before that is lost."""
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
NEXT_CARD = "n => document.querySelector('.st-key-desk-status')?.textContent.includes(`${n} labelled`)"
LIVE_CURVE = """n => {
  const said = document.querySelector(".st-key-desk-live")?.textContent ?? "";
  const found = said.match(/([\\d,]+) of these samples are used/);
  return found !== null && Number(found[1].replace(/[^0-9]/g, "")) === n;
}"""


def rows(pairs: int) -> Iterator[Measured]:
    """The 95th percentile of the seconds from a key to the redrawn page, over the goal."""
    if (chromium := find_chromium()) is None:
        yield Measured("redraw", INPUT, "p95 / 300 ms", None, at_most=1.0, note="not measured: there is no Chromium")
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        _fill(store)
        keys = _pressed(store, chromium, max(PRESSED, pairs))
        yield _recomputed(store)
    for what, place in (("key to the next card, p95 / 300 ms", 0), ("key to the live curve, p95 / 300 ms", 1)):
        seconds = [key[place] for key in keys]
        p95 = float(np.quantile(seconds, 0.95))
        ratio = Ratio(p95 / GOAL, min(seconds) / GOAL, max(seconds) / GOAL, p95, GOAL, len(seconds))
        note = f"Chromium, from the first page on, median {np.median(seconds):.3f} s"
        yield Measured("redraw", INPUT, what, ratio, at_most=1.0, note=note)


def _fill(folder: Path) -> None:
    """A run of which half is labelled, by answers that are right or wrong, and scored by their words."""
    rng = np.random.default_rng(7)
    samples = [_sample(number, rng) for number in range(SAMPLES)]
    right = [int(rng.random() < (0.9 if "fee" in str(sample.answer) else 0.2)) for sample in samples[:LABELS]]
    labels = [
        Label(sample.id, CRITERION.name, level, annotator="ann", probability=LABELS / SAMPLES)
        for sample, level in zip(samples[:LABELS], right, strict=True)
    ]
    with Workspace.open(_settings(folder)) as workspace:
        project = workspace.projects.create("redraw")
        run = workspace.runs.add(project, "run", samples, source="made")
        workspace.scoring.score(run, "token_f1")
        workspace.labels.add(run, workspace.criteria.add(project, CRITERION), labels)


def _recomputed(folder: Path) -> Measured:
    """One more label saved, all labels read again and everything recomputed from them, without the browser."""
    with Workspace.open(_settings(folder)) as workspace:
        ratio = _next_label(workspace)
    return Measured("redraw", INPUT, "save, read, recompute, p95 / 50 ms", ratio, at_most=1.0, note="SQLite")


def _next_label(workspace: Workspace) -> Ratio:
    run = workspace.runs.all("redraw")[0]
    columns, question = workspace.run_data.columns(run), CalibrationSpec(CRITERION, ("token_f1",))
    queue = workspace.queues.plan(run, CRITERION, planned=ITEMS, new_round=True)
    next_items: list[QueueItem] = []

    def hold_next() -> None:
        next_items[:] = [item for item in [workspace.queues.next_item(queue, "ann")] if item is not None]

    def job() -> None:
        workspace.labels.record(run, CRITERION, next_items[0].sample_id, 1, annotator="ann", item=next_items[0])
        evaluate_labels(workspace.run_data.open(run, columns=columns), question, replicates=0, repeats=0)

    hold_next()
    job()
    gc.freeze()  # as the served process does, see `dashboard/garbage.py`
    ratio = against(job, 0.05, before=hold_next)
    gc.unfreeze()
    return ratio


def _settings(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))


def _sample(number: int, rng: np.random.Generator) -> Sample:
    words = " ".join(rng.choice(["of", "the", "account", "monthly", "costs", "is", "euros"], size=6))
    kind = "fee" if rng.random() < 0.6 else "rate"
    return Sample(
        f"s{number}",
        f"What does account {number} cost?",
        f"The {kind} {words} {number % 40}.",
        reference=f"The fee of account {number} is {number % 40} euros.",
    )


def _pressed(folder: Path, chromium: str, count: int) -> list[tuple[float, float]]:
    """Of each key: the seconds from it to the next card, and to the live curve.

    A key waits for the curve of the one before. The queue has no more than `ITEMS` samples.
    """
    from playwright.sync_api import sync_playwright

    keys: list[tuple[float, float]] = []
    with running("serve", folder) as app, sync_playwright() as playwright:
        app.wait_until_healthy(seconds=90)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{app.url}/labelling")
        page.get_by_role("textbox", name="Annotator").fill("ann")
        page.keyboard.press("Enter")
        page.wait_for_function(LIVE_CURVE, arg=LABELS)
        page.wait_for_selector(IDLE, state="attached")
        page.evaluate(NOTHING_LEFT_TO_DO)
        before = int(page.get_by_text(" labelled, ").inner_text().split()[0])  # of the queue's items, some had a label
        while len(keys) < count:
            done, start = len(keys) + 1, time.perf_counter()
            page.keyboard.press("2" if done % 2 else "1")
            page.wait_for_function(NEXT_CARD, arg=before + done)
            card = time.perf_counter() - start
            page.wait_for_function(LIVE_CURVE, arg=LABELS + done)
            keys.append((card, time.perf_counter() - start))
            page.wait_for_selector(IDLE, state="attached")
        browser.close()
    return keys
