"""Figures of queries written by rule: unique, with their answer in the passage, found again, with their provenance.

`python -m benchmarks.queries` measures the demo handbook; with the folder of the FinanceBench runs as its argument also
the evidence texts of its documents, the half that the rules were written on and the other half apart.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.capabilities.test_sets.facts.parsing import parse
from hcat.core.capabilities.test_sets.queries import generate_queries
from hcat.core.capabilities.test_sets.queries.corpus_index import overlap
from hcat.core.capabilities.test_sets.selection.support import support_by_words
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.settings import ROOT

SEED, WITHIN = 14, 5


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of cases. `supported` is over answerable ones, `found` over each passage that they name."""

    passages: int
    cases: int
    unique: float
    supported: float
    undecided: float
    found: float
    traced: float
    cases_per_second: float
    types: dict[str, int]


def rows(pairs: int) -> Iterator[Measured]:
    """Queries of every type over the handbook, against parsing its sentences alone."""
    passages = handbook()
    texts = [passage.text for passage in passages]
    ratio = interleaved(partial(_generate, passages), partial(_parse, texts), pairs=pairs)
    note = f"{len(_generate(passages)) / ratio.upper_seconds:,.0f} cases a second"
    yield Measured("queries", f"{len(passages)} passages", "generate / parse", ratio, at_most=2.0, note=note)


def _generate(passages: Sequence[CorpusPassage]) -> list[TestCase]:
    return list(generate_queries(passages, rng=random.Random(SEED)))


def _parse(texts: Sequence[str]) -> int:
    return sum(len(sentences) for sentences in parse(texts))


def measure(passages: Sequence[CorpusPassage]) -> Figures:
    """All candidates of the passages, checked without a model: words and numbers, and BM25."""
    started = perf_counter()
    cases = list(generate_queries(passages, rng=random.Random(SEED)))
    seconds = perf_counter() - started
    by_id = {passage.id: passage for passage in passages}
    answerable = [case for case in cases if case.type != "unanswerable"]
    checks = [support_by_words(case, "\n\n".join(text_of(by_id[one]) for one in case.passages)) for case in answerable]
    found = _found(answerable, passages)
    return Figures(
        passages=len(passages),
        cases=len(cases),
        unique=len({re.sub(r"\W+", " ", case.query.casefold()) for case in cases}) / len(cases),
        supported=sum(check.problem is None for check in checks) / len(checks),
        undecided=sum(check.hypothesis is not None for check in checks) / len(checks),
        found=sum(found) / len(found),
        traced=sum(_is_traced(case, by_id) for case in cases) / len(cases),
        cases_per_second=len(cases) / seconds,
        types=dict(Counter(case.type for case in cases).most_common()),
    )


def text_of(passage: CorpusPassage) -> str:
    """A passage under its headings."""
    return "\n".join([*passage.heading, passage.text])


def content_overlap_of(case: TestCase, by_id: Mapping[str, CorpusPassage]) -> float:
    """The share of the words of a query's matter, without those that every question has, that its passages hold."""
    return overlap(case.query, [by_id[one] for one in case.passages or case.nearest])


def _found(cases: Sequence[TestCase], passages: Sequence[CorpusPassage]) -> list[bool]:
    """Whether BM25 has each passage of each case among the first five (ten where two are wanted)."""
    from bm25s import BM25, tokenize

    index = BM25()
    index.index(tokenize([text_of(passage) for passage in passages], show_progress=False), show_progress=False)
    depth = min(2 * WITHIN, len(passages))
    ranked, _ = index.retrieve(
        tokenize([case.query for case in cases], show_progress=False), k=depth, show_progress=False
    )
    places = {passage.id: place for place, passage in enumerate(passages)}
    return [
        places[one] in list(row[: 2 * WITHIN if case.type == "multi-hop" else WITHIN])
        for case, row in zip(cases, ranked, strict=True)
        for one in case.passages
    ]


def _is_traced(case: TestCase, by_id: dict[str, CorpusPassage]) -> bool:
    """Whether the case names a passage, a statement of it word for word, and the rule that wrote it."""
    named = [by_id[one] for one in case.passages or case.nearest if one in by_id]
    evidence = case.metadata.get("evidence")
    held = any(case.key_fact.split()[0] in passage.text for passage in named)
    return bool(named) and held and bool(evidence) and case.generator.startswith("rule: ")


def handbook() -> list[CorpusPassage]:
    """The sections of the demo handbook."""
    passages = []
    for path in sorted((ROOT / "data/demo/handbook").glob("*.md")):
        text = path.read_text("utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        for match in re.finditer(r"^## (\S+) \| (.*)\n\n(.*)$", text, re.MULTILINE):
            place = match.span(3)
            passages.append(
                CorpusPassage(match[1], match[3], path.name, heading=(title, match[2]), start=place[0], end=place[1])
            )
    return passages


def financebench(folder: Path, half: int) -> list[CorpusPassage]:
    """The evidence texts of half of the documents, by the hash of their names: 0 is the half to write rules on."""
    import json

    texts: dict[str, str] = {}
    for path in sorted(folder.glob("*oracle*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            texts |= {
                context["id"]: context["text"] for context in json.loads(line)["contexts"] if context["id"] not in texts
            }
    documents = {name: name.partition("#")[0] for name in texts}
    return [
        CorpusPassage(name, text, documents[name], end=len(text))
        for name, text in texts.items()
        if int(sha256(documents[name].encode()).hexdigest(), 16) % 2 == half
    ]


def main() -> None:
    """Print the figures."""
    corpora = {"demo handbook": handbook()}
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        corpora |= {
            f"FinanceBench, {name}": financebench(folder, half) for half, name in enumerate(("seen half", "other half"))
        }
    for name, passages in corpora.items():
        figures = measure(passages)
        print(f"{name}: {figures.passages} passages, {figures.cases} cases, {figures.cases_per_second:.0f} a second")
        print(f"  {', '.join(f'{kind} {n}' for kind, n in figures.types.items())}")
        print(
            f"  unique {figures.unique:.1%}, answer in passage {figures.supported:.1%} (entailment would decide "
            f"{figures.undecided:.1%}), found in the top {WITHIN} {figures.found:.1%}, provenance {figures.traced:.1%}"
        )


if __name__ == "__main__":
    main()
