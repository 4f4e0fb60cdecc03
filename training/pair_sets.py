"""The converted public sets of claims about documents (`nli/pairs` of the data folder), one file a set."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim about a document. `group` names the document in its set; partly supported counts as not supported."""

    document: str
    text: str
    supported: bool
    group: str
    note: str


def read_claims(file: Path) -> list[LabelledClaim]:
    """All claims of a set, in the file's order: twins stand beside each other."""
    documents: dict[int, str] = {}
    claims = []
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "text" in row:
                documents[row["document"]] = row["text"]
            else:
                text, supported = row["hypothesis"], bool(row["supported"])
                claims.append(LabelledClaim(documents[row["premise"]], text, supported, row["group"], row["note"]))
    return claims


def draw_groups(claims: Sequence[LabelledClaim], *, most: int, rng: np.random.Generator) -> list[LabelledClaim]:
    """Whole groups in a random order while there are fewer claims than `most`, each group's in the file's order."""
    by_group: dict[str, list[LabelledClaim]] = {}
    for claim in claims:
        by_group.setdefault(claim.group, []).append(claim)
    names = sorted(by_group)
    drawn: list[LabelledClaim] = []
    for index in rng.permutation(len(names)):
        if len(drawn) >= most:
            break
        drawn += by_group[names[index]]
    return drawn
