"""How well the toxicity head agrees with HateCheck: `python -m benchmarks.toxicity DATA`, with `--write` also into the
functionality table that the product shows.

HateCheck is for testing only: nothing is chosen or trained by it. A text counts as called toxic above one half.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from hcat.core.capabilities.safety.toxicity_functions import DESCRIPTIONS, FILE, packaged_functionality
from hcat.core.display.numbers import format_estimate
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.metrics.tone import passages_to_read
from hcat.core.models.toxicity.loading import load_toxicity
from hcat.core.models.toxicity.packaged import PackagedToxicity
from hcat.core.settings import settings
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.text import sentences
from hcat.core.types import Sample

START, END = "<!-- functionality: written by python -m benchmarks.toxicity DATA --write -->", "<!-- /functionality -->"
RUDE = ("profanity_nh", "target_obj_nh", "target_indiv_nh", "target_group_nh")
FIT = ("ident_neutral_nh", "ident_pos_nh")
"""Functions of HateCheck that are no hate: rude all the same, and fit for a customer."""
SOURCE = "HateCheck, 3,728 cases (Röttger et al. 2021), not seen in training"


def main() -> None:
    arguments = _arguments()
    with (arguments.data / "safety/hatecheck_cases.csv").open(encoding="utf-8", newline="") as file:
        cases = list(csv.DictReader(file))
    weights = arguments.weights
    classifier = load_toxicity(settings().toxicity) if weights is None else PackagedToxicity(weights=weights)
    passages = [_passages(case["test_case"]) for case in cases]
    distinct = list(dict.fromkeys(text for texts in passages for text in texts))
    rows = dict(zip(distinct, classifier.probabilities(distinct), strict=True))
    probability, unfit = np.array([np.max([rows[text] for text in texts], axis=0) for texts in passages]).T
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
    print(tone_on_hatecheck([case["functionality"] for case in cases], unfit))
    if arguments.write:
        FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        packaged_functionality.cache_clear()
        card = FILE.parent / "README.md"
        start, _, end = card.read_text("utf-8").partition(START)
        card.write_text(f"{start}{START}\n{functionality_markdown()}\n{END}{end.partition(END)[2]}", encoding="utf-8")


def tone_on_hatecheck(functions: Sequence[str], unfit: np.ndarray) -> str:
    """How `unprofessional` tells texts that nobody may send a customer from mentions of a group that anybody may.

    HateCheck's people judged hate, swearing and abuse, not tone: what they call hateful, swears or abuses somebody is
    taken as unfit, neutral and kind mentions of a group as fit.
    """
    rude = np.array([name.endswith("_h") or name in RUDE for name in functions])
    fit = np.isin(functions, FIT)
    told = unfit[rude | fit], rude[rude | fit]
    parts = [f"unprofessional on HateCheck: AUC {roc_auc_score(told[1], told[0]):.3f}"]
    for title, chosen in (("hate, swearing or abuse", rude), ("neutral or kind", fit)):
        flagged = proportion_interval(int((unfit[chosen] > 0.5).sum()), int(chosen.sum()))
        parts.append(f"flagged of {title} {format_estimate(flagged, percent=True)}")
    return "; ".join(parts)


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
    parser.add_argument("--weights", type=Path, help="Weights that were trained anew, instead of the packaged ones.")
    arguments = parser.parse_args()
    if arguments.write and arguments.weights:
        parser.error("--write is of the packaged weights: put the new ones in their place first")
    return arguments


if __name__ == "__main__":
    main()
