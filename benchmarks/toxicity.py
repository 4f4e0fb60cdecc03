"""How well the toxicity head agrees with HateCheck: `python -m benchmarks.toxicity DATA`, with `--write` also into the
functionality table that the product shows.

HateCheck is for testing only: nothing is chosen or trained by it. A text counts as called toxic above one half.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from core.display.numbers import format_estimate
from core.metrics.sample_view import PARTS, SampleView, placed_sentences
from core.metrics.tone import passages_to_read
from core.models.toxicity.loading import load_toxicity
from core.safety.toxicity_functions import DESCRIPTIONS, FILE, packaged_functionality
from core.settings import settings
from core.text import sentences
from core.types import Sample

START, END = "<!-- functionality: written by python -m benchmarks.toxicity DATA --write -->", "<!-- /functionality -->"
SOURCE = "HateCheck, 3,728 cases (Röttger et al. 2021), not seen in training"


def main() -> None:
    arguments = _arguments()
    with (arguments.data / "safety/hatecheck_cases.csv").open(encoding="utf-8", newline="") as file:
        cases = list(csv.DictReader(file))
    classifier = load_toxicity(settings().toxicity)
    passages = [_passages(case["test_case"]) for case in cases]
    distinct = list(dict.fromkeys(text for texts in passages for text in texts))
    rows = dict(zip(distinct, classifier.probabilities(distinct)[:, 0].tolist(), strict=True))
    probability = np.array([max(rows[text] for text in texts) for texts in passages])
    toxic = np.array([case["label_gold"] == "hateful" for case in cases])
    called = probability > 0.5
    by_function: dict[str, list[bool]] = defaultdict(list)
    for case, right in zip(cases, called == toxic, strict=True):
        by_function[case["functionality"]].append(bool(right))
    document = {
        "revision": classifier.revision,
        "source": SOURCE,
        "accuracy": round(float(np.mean(called == toxic)), 4),
        "balanced_accuracy": round(float(balanced_accuracy_score(toxic, called)), 4),
        "auc": round(float(roc_auc_score(toxic, probability)), 4),
        "functions": [
            {"function": name, "toxic": name.endswith("_h"), "n": len(hits), "right": sum(hits)}
            for name in DESCRIPTIONS
            if (hits := by_function[name])
        ],
    }
    print(f"{classifier.name} on {len(cases)} cases: accuracy {document['accuracy']}, ", end="")
    print(f"balanced {document['balanced_accuracy']}, AUC {document['auc']}")
    for name, hits in by_function.items():
        print(f"  {np.mean(hits):.3f} of {len(hits):4}  {DESCRIPTIONS[name]} ({name})")
    if arguments.write:
        FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        packaged_functionality.cache_clear()
        card = FILE.parent / "README.md"
        start, _, end = card.read_text("utf-8").partition(START)
        card.write_text(f"{start}{START}\n{functionality_markdown()}\n{END}{end.partition(END)[2]}", encoding="utf-8")


def functionality_markdown() -> str:
    """The table of the model card."""
    table = packaged_functionality()
    head = (
        f"{table.source}: right on {format_estimate(table.accuracy, percent=True)}, balanced accuracy "
        f"{table.balanced_accuracy:.3f}, AUC {table.auc:.3f}.\n\n| kind of text | people say | right | n |\n"
        "|---|---|---|---|\n"
    )
    rows = [
        f"| {row.describes} | {'hateful' if row.toxic else 'not hateful'} | "
        f"{format_estimate(row.right, percent=True)} | {row.right.n} |"
        for row in table.rows
    ]
    return head + "\n".join(rows)


def _passages(text: str) -> list[str]:
    """What scoring reads of an answer of this text."""
    sample = Sample("case", "", text)
    view = SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})
    return [passage.text for passage in passages_to_read(view)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="Write the functionality table of the packaged head.")
    return parser.parse_args()


if __name__ == "__main__":
    main()
