"""The public pairs that the packaged entailment model learns from, split by source document.

Only sets whose licences allow derived weights to be passed on: BEGIN (CC-BY 4.0 and CDLA-Sharing), the FaithDial audit
(MIT), counterfactually revised NLI (Apache-2.0 over SNLI, CC-BY-SA 4.0). Climate-FEVER states no licence for its
labels, FinanceBench is non-commercial: neither is read here.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

HELD_OUT = 0.9
"""Documents whose hash lies from here on are for measuring alone."""

_GROUNDED = {"begin": "BEGIN", "faithdial_audit": "FaithDial audit"}


@dataclass(frozen=True)
class Pair:
    premise: str
    hypothesis: str
    entailed: int
    source: str
    group: str
    split: str
    wrong: tuple[int, int] | None = None
    """Characters of the hypothesis that a rule made wrong; (0, 0) where every word is known to be right."""


def document_key(text: str) -> str:
    """An approximate key of the document that a context was cut from: a hash of its first letters and digits."""
    return hashlib.sha256(re.sub(r"[^a-z0-9]", "", text.lower())[:100].encode()).hexdigest()


def split_of(group: str) -> str:
    """ "train" (85 %), "dev" (10 %) or "test" (5 %), by the hash of the group alone."""
    share = int(group[:8], 16) / 0xFFFFFFFF
    return "train" if share < 0.85 else "dev" if share < 0.95 else "test"


def held_out(set_name: str, group: str) -> bool:
    """Whether a document of a set of pairs (`nli/pairs/train`) is for measuring alone: a tenth of each set, by hash."""
    return share(set_name, group) >= HELD_OUT


def share(set_name: str, group: str) -> float:
    """Where a document of a set stands in [0, 1], by hash."""
    return int(hashlib.sha256(f"{set_name}:{group}".encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


def for_measuring(set_name: str, group: str) -> bool:
    """Of what is held out, the half of the groups that no coefficients are fitted on either."""
    return int(hashlib.sha256(f"measure:{set_name}:{group}".encode()).hexdigest()[:8], 16) % 2 == 0


def grounded_pairs(folder: Path) -> list[Pair]:
    """BEGIN and the FaithDial audit. Generic replies (nothing to check) are left out; "entailment, hallucination"
    mixes both, so it is not entailed. BEGIN's development files, and every document that occurs in them, are "test"."""
    pairs = []
    files = {source: _rows(folder / "groundedness" / f"{file}.jsonl") for file, source in _GROUNDED.items()}
    held_out = {document_key(row["context"]) for row in files["BEGIN"] if row["id"].startswith("begin_dev")}
    for source, rows in files.items():
        for row in rows:
            label = row["label"].lower()
            if "generic" in label or not row["claim"].strip():
                continue
            entailed = int(label == "fully attributable" or ("entailment" in label and "hallucination" not in label))
            group = document_key(row["context"])
            split = "test" if group in held_out else split_of(group)
            pairs.append(Pair(row["context"], row["claim"], entailed, source, group, split))
    return pairs


def _rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def counterfactual_pairs(folder: Path) -> list[Pair]:
    """Its own split into train, dev and test; what shares a sentence with dev or test is dropped from train."""
    pairs = []
    held_out: set[str] = set()
    for split in ("test", "dev", "train"):
        with (folder / "nli" / f"counterfactual_nli_{split}.tsv").open() as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        for row in rows:
            premise, hypothesis = row["sentence1"], row["sentence2"]
            if split == "train" and {premise, hypothesis} & held_out:
                continue
            entailed = int(row["gold_label"] == "entailment")
            pairs.append(Pair(premise, hypothesis, entailed, "counterfactual NLI", document_key(premise), split))
        if split != "train":
            held_out |= {text for row in rows for text in (row["sentence1"], row["sentence2"])}
    return pairs
