"""More claims for the table of quality: public sets for measuring alone, small edits held out, and other languages.

None of these rows was trained on: the public sets state no licence or are meant for measuring, of the training sets
only groups are read that `training.sources.held_out` keeps back, and the statements in five languages were written
for this project.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.quality_sets import Claim, QualitySet
from training.pair_sets import LabelledClaim, draw_groups, read_claims
from training.sources import for_measuring, held_out

LANGUAGES = Path(__file__).parent / "languages"
LONGEST = 3000
"""Words of a document: longer ones are left out, for they take minutes each."""
SEED = 1

DEVELOPMENT = {
    "fib": "news summaries: names, numbers, dates and negations swapped, and machine-made mistakes",
    "covidfact": "claims and machine-made opposites, about the pandemic",
    "healthver": "claims about health and sentences of studies",
    "attributionbench": "answers of search engines and their sources",
    "nli4ct": "statements about reports of clinical trials",
    "storysumm": "sentences of summaries of short stories",
}
EDITS = {
    "bump": "people's minimal wrong edits of news summaries",
    "cg2c_doc": "the document with and without one detail",
    "defacto": "machine summaries and people's corrections",
}


def development_sets(data: Path, *, most: int) -> Iterator[QualitySet]:
    """Public sets that no weights and no coefficients were fitted on: whole documents, drawn until `most` claims."""
    for name, note in DEVELOPMENT.items():
        yield _quality_set(name, read_claims(data / "nli" / "pairs" / "dev" / f"{name}.jsonl.xz"), note, most=most)


def held_out_edits(data: Path, *, most: int) -> Iterator[QualitySet]:
    """Small edits of long documents: twins of those documents of training sets that neither weights nor coefficients
    were fitted on."""
    for name, note in EDITS.items():
        claims = read_claims(data / "nli" / "pairs" / "train" / f"{name}.jsonl.xz")
        measured = [claim for claim in claims if held_out(name, claim.group) and for_measuring(name, claim.group)]
        yield _quality_set(f"{name}, held out", _twins(measured), f"{note}; twins", most=most)


def languages() -> Iterator[QualitySet]:
    """The same statements in five languages: each with its own short premise, right and with one detail wrong."""
    for file in sorted(LANGUAGES.glob("*.tsv")):
        with file.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        claims = [
            Claim(row["premise"], row[column], column == "right", str(place))
            for place, row in enumerate(rows)
            for column in ("right", "wrong")
        ]
        name = file.stem.capitalize()
        yield QualitySet(f"language: {name}", tuple(claims), "written for this table; twins")


def _quality_set(name: str, claims: Sequence[LabelledClaim], note: str, *, most: int) -> QualitySet:
    readable = [claim for claim in claims if len(claim.document.split()) <= LONGEST and claim.text.strip()]
    drawn = draw_groups(readable, most=most, rng=np.random.default_rng(SEED))
    rows = (Claim(claim.document, claim.text, claim.supported, _key(claim.group)) for claim in drawn)
    return QualitySet(name, tuple(rows), note)


def _twins(claims: Sequence[LabelledClaim]) -> list[LabelledClaim]:
    """Neighbours of one group of which one is supported and one not, the supported one first."""
    twins: list[LabelledClaim] = []
    used = -1
    for place, (first, second) in enumerate(pairwise(claims)):
        if place > used and first.group == second.group and first.supported != second.supported:
            twins += [first, second] if first.supported else [second, first]
            used = place + 1
    return twins


def _key(group: str) -> str:
    return hashlib.sha256(group.encode()).hexdigest()[:16]
