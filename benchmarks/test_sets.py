"""Figures of whole test sets by rule, as `hcat generate -n 200` makes them: after the selection, with its reasons.

`python -m benchmarks.test_sets` makes that of the demo handbook; with the folder of the FinanceBench runs as its
argument also that of its evidence texts, the half that the rules were written on. `--out FOLDER` keeps the cases.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.queries import content_overlap_of, financebench, text_of
from hcat.core.capabilities.demo.bank import FOLDER
from hcat.core.capabilities.test_sets.design import draw
from hcat.core.capabilities.test_sets.frame import frame_of
from hcat.core.capabilities.test_sets.generate import generate
from hcat.core.capabilities.test_sets.generated import Generated
from hcat.core.capabilities.test_sets.rule_source import RuleSource
from hcat.core.capabilities.test_sets.selection import index_corpus
from hcat.core.capabilities.test_sets.selection.evidence import FOUND_WITHIN, HOPS_FOUND_WITHIN
from hcat.core.capabilities.test_sets.selection.support import support_by_words
from hcat.core.importers.documents import files_at, read_files
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.nli.loading import load_entailment
from hcat.core.records.cutting import cut
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, test_cases_jsonl

N, SEED, PER_PASSAGE = 200, 16, 12


def made(passages: Sequence[CorpusPassage], *, by: str, per_passage: int | None = None) -> Generated:
    """The test set of a corpus, as the command makes it with the same seed and packaged models."""
    rng = np.random.default_rng(SEED)
    frame = frame_of(passages, by=(by,))
    design = draw(frame.strata, N, per_passage=per_passage, rng=rng, dimensions=(by,), left_out=frame.left_out)
    index = index_corpus(tuple(passages), encoder=load_encoder(), store=MemoryEmbeddings())
    source = RuleSource(index.passages, seed=SEED)
    return generate(index, design, source=source, entailment=load_entailment(), rng=rng)


def described(result: Generated, passages: Sequence[CorpusPassage]) -> list[str]:
    """What the test set is like: how many, unique, supported, found, copied, multi-hop, and the rest with reasons."""
    cases, by_id = result.cases, {passage.id: passage for passage in passages}
    answerable = [case for case in cases if case.type != "unanswerable"]
    checks = [support_by_words(case, "\n\n".join(text_of(by_id[one]) for one in case.passages)) for case in answerable]
    decided = sum(check.problem is None for check in checks), sum(check.hypothesis is not None for check in checks)
    unique = len({re.sub(r"\W+", " ", case.query.casefold()) for case in cases})
    found = [hit for case in answerable for hit in _found(case)]
    wording = Counter(case.dimensions["wording"] for case in cases)
    shared = [content_overlap_of(case, by_id) for case in cases]
    most = max(Counter(str(case.metadata["drawn_from"]) for case in cases).values())
    types = Counter(case.type for case in cases)
    return [
        f"asked {result.asked}, made {len(cases)} of {result.candidates} candidates; at most {most} of one passage",
        f"unique {unique / len(cases):.1%}; answer in passage {decided[0] / len(checks):.1%} "
        f"(left to entailment by words and numbers {decided[1] / len(checks):.1%}); "
        f"found in the top {FOUND_WITHIN} by words or meaning {sum(found) / len(found):.1%}",
        ", ".join(f"{name} {n}" for name, n in wording.most_common())
        + f"; words of the matter that the passages have, mean {np.mean(shared):.1%}",
        ", ".join(f"{name} {n}" for name, n in types.most_common()),
        "dropped: " + (", ".join(f"{n} × {reason}" for reason, n in result.reasons.items()) or "none"),
        "no test case: " + ", ".join(f"{n} × {why}" for why, n in _silent(result)),
    ]


def _found(case: TestCase) -> list[bool]:
    """Whether either search has each passage of a case among the first five (ten where two are wanted)."""
    ranks = case.metadata["round_trip"]
    within = HOPS_FOUND_WITHIN if case.type == "multi-hop" else FOUND_WITHIN
    if not isinstance(ranks, dict):
        return []
    places = [rank.values() for rank in ranks.values() if isinstance(rank, dict)]
    return [any(isinstance(rank, int) and rank <= within for rank in both) for both in places]


def _silent(result: Generated) -> list[tuple[str, int]]:
    return Counter(why.partition(" (")[0] for why in result.untestable.values()).most_common()


def main() -> None:
    """Print the figures."""
    arguments = sys.argv[1:]
    out = Path(arguments[arguments.index("--out") + 1]) if "--out" in arguments else None
    data = [argument for argument in arguments[:1] if argument != "--out"]
    documents, _ = read_files(files_at([FOLDER / "handbook"]))
    handbook = [passage for document in documents for passage in cut(document)]
    corpora: dict[str, tuple[list[CorpusPassage], str, int | None]] = {"handbook": (handbook, "document", None)}
    if data:
        corpora["financebench"] = (financebench(Path(data[0]), 0), "length", PER_PASSAGE)
    for name, (passages, by, per_passage) in corpora.items():
        result = made(passages, by=by, per_passage=per_passage)
        print(f"{name}: {len(passages)} passages, drawn by {by}, seed {SEED}")
        print("\n".join(f"  {line}" for line in described(result, passages)), flush=True)
        if out is not None:
            (out / f"{name}.jsonl").write_text(test_cases_jsonl(result.cases), "utf-8")


if __name__ == "__main__":
    main()
