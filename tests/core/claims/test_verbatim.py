"""Claims that stand word for word in the evidence: found whatever the quotes and spaces, and true on public sets."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.claims.verbatim import verbatim_place
from hcat.core.settings import ROOT
from hcat.core.text import sentences

PAIRS = ROOT.parent / "shared" / "data" / "nli" / "pairs"
SETS = (
    "dev/attributionbench",
    "train/bump",
    "train/defacto",
    "train/bmnli",
    "train/xsumfaith",
    "train/factcheck_bench",
)
MOST_ROWS = 4000
"""Of each set."""


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("The fee is 2%.", 1),
        ("The  fee is\n2%", 1),
        ("It is “new”.", 2),
        ("The fee is 3%.", None),
        ("the fee is 2%.", None),  # another case may be another word
        ("fee is 2%", None),  # a part of a sentence may be denied by the rest
        ("", None),
        (" . ", None),
    ],
)
def test_a_whole_sentence_is_found(claim: str, place: int | None) -> None:
    assert verbatim_place(claim, ["Cards are blue.", "The fee is 2%.", "It is 'new'.".replace("'", '"'), " ."]) == place


@pytest.mark.realdata
@pytest.mark.skipif(not PAIRS.is_dir(), reason=f"{PAIRS} is not there")
def test_sentences_of_their_document_are_supported_by_people_too() -> None:
    """At least 99 in 100; when this was written, all 19 that there are. Rows whose premise is the hypothesis and
    nothing else are left out: seven of them in ConjNLI and MED are labelled as not following from themselves."""
    labels = [label for name in SETS for label in _labels_of_verbatim_rows(PAIRS / f"{name}.jsonl.xz")]
    assert len(labels) >= 15
    assert sum(labels) >= 0.99 * len(labels)


def _labels_of_verbatim_rows(file: Path) -> Iterator[int]:
    documents: dict[object, str] = {}
    rows = 0
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "hypothesis" not in row:
                documents[row["document"]] = row["text"]
            elif rows < MOST_ROWS:
                rows += 1
                if row["hypothesis"].strip()[:20] not in documents[row["premise"]]:
                    continue
                evidence = [sentence.text for sentence in sentences(documents[row["premise"]])]
                if len(evidence) > 1 and verbatim_place(row["hypothesis"], evidence) is not None:
                    yield row["supported"]
