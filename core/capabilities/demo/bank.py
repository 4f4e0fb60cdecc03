"""The demo project: a bank that does not exist, its handbook, its test cases, two runs and labels made by a rule.

The files are in `data/demo`, and `data/demo/README.md` says what each of them is. Nothing here is typed-in output:
the runs are computed by `hcat.core.capabilities.demo.reference_rag`, the labels by `reference_label`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from hcat.core.capabilities.demo.reference_rag import (
    ABSTENTION,
    BASELINE,
    CANDIDATE,
    HandbookPassage,
    run_reference_rag,
)
from hcat.core.errors import FileFormatError
from hcat.core.models.cache import EmbeddingStore
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.records.run_file import Run, from_record
from hcat.core.settings import ROOT
from hcat.core.types import Criterion, JsonValue, Label, Progress, Sample

FOLDER = ROOT / "data" / "demo"
ANNOTATOR = "reference-rule"
"""The annotator of the demo's labels: a rule, not a person."""

UNANSWERABLE = "unanswerable"

_HEADING = re.compile(r"## (?P<id>[a-z0-9-]+) \| (?P<title>.+)")
_NUMBER = r"\d+(?:\.\d+)?"
_VERDICT = re.compile(r"\W*(yes|no)\b")


def read_handbook(folder: Path = FOLDER / "handbook") -> tuple[HandbookPassage, ...]:
    """The handbook's passages in reading order: one Markdown file a chapter, in the order of the file names.

    A chapter starts with `# Topic`, then `Area: …`. A passage is a heading `## passage-id | Passage title` and the
    text up to the next heading; line breaks within it count as spaces. Ids are unique over all chapters.
    Raises FileFormatError, with the file, for anything else.
    """
    passages = [passage for path in sorted(folder.glob("*.md")) for passage in _read_chapter(path)]
    if len({passage.id for passage in passages}) < len(passages) or not passages:
        raise FileFormatError(f"The handbook in {folder} needs passages, each with an id of its own.")
    return tuple(passages)


def read_test_cases(path: Path = FOLDER / "tests.jsonl") -> tuple[Sample, ...]:
    """The test cases, as samples that nobody has answered yet. `metadata["key_facts"]` feeds `reference_verdict`."""
    return tuple(from_record(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())


@cache
def correctness() -> Criterion:
    """The demo's criterion, with its written guideline."""
    guideline = (FOLDER / "guideline.md").read_text(encoding="utf-8")
    return Criterion("correctness", ("fail", "pass"), guideline=guideline, guideline_version=1, passing=1)


def demo_runs(
    encoder: Encoder, store: EmbeddingStore, *, on_progress: Callable[[Progress], None] | None = None
) -> tuple[Run, ...]:
    """Both configurations of the reference system on all test cases: some seconds, the same numbers each time."""
    passages, test_cases = read_handbook(), read_test_cases()
    return tuple(
        Run(
            config.name,
            run_reference_rag(
                test_cases, config, passages=passages, encoder=encoder, store=store, on_progress=on_progress
            ),
        )
        for config in (BASELINE, CANDIDATE)
    )


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """The rule's decision on one sample, with the reason in one line."""

    passed: bool
    rationale: str


def reference_verdict(sample: Sample) -> RuleVerdict:
    """The rule of `data/demo/README.md`: does the answer hold every key fact of the reference?

    Raises ValueError for an answerable sample without key facts, on which the rule has nothing to say.
    """
    answer = (sample.answer or "").strip()
    abstained = answer in ("", ABSTENTION)
    if sample.dimensions.get("query_type") == UNANSWERABLE:
        return RuleVerdict(answer == ABSTENTION, "abstained, as it should" if abstained else "should have abstained")
    facts = key_facts(sample)
    if not facts:
        raise ValueError(f"sample {sample.id} has no key facts, so the reference rule can't label it")
    if abstained:
        return RuleVerdict(False, "did not answer an answerable question")
    stated, right = _VERDICT.match(normalise(answer)), sample.metadata.get("verdict")
    if stated is not None and right is not None and stated.group(1) != right:
        return RuleVerdict(False, f"says {stated.group(1)} where the reference says {right}")
    missing = [alternatives[0] for alternatives in facts if not any(contains(answer, fact) for fact in alternatives)]
    return RuleVerdict(not missing, f"missing: {'; '.join(missing)}" if missing else "holds every key fact")


def rule_labels(samples: Sequence[Sample], *, run: str, seed: int) -> tuple[Label, ...]:
    """Rule labels for a simple random half of the samples, in their order. `probability` is the share drawn."""
    if not samples:
        return ()
    size = (len(samples) + 1) // 2
    drawn = np.random.default_rng(seed).choice(len(samples), size=size, replace=False)
    return tuple(_rule_label(samples[i], run, size / len(samples)) for i in sorted(drawn.tolist()))


def key_facts(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """Each key fact of the reference as its accepted wordings."""
    return tuple(tuple(str(wording) for wording in _items(fact)) for fact in _items(sample.metadata.get("key_facts")))


def normalise(text: str) -> str:
    """The text with case, spaces, thousands separators, trailing zeros, currency and percent signs made equal."""
    text = " ".join(text.casefold().replace("’", "'").split())
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<=\d)\.0+(?!\d)|(?<=\.\d)0+(?!\d)|(?<=\.\d\d)0+(?!\d)", "", text)
    text = re.sub(r"\s?(?:%|per ?cent\b)", "%", text)
    text = re.sub(rf"(?:€|\beur)\s?({_NUMBER})", r"eur \1", text)
    return re.sub(rf"(?<!eur )(?<![\d.])({_NUMBER})\s?(?:€|euros?\b|eur\b)", r"eur \1", text)


def contains(text: str, fact: str) -> bool:
    """Whether the text states the fact, after both are normalised, as whole words and whole numbers."""
    return re.search(rf"(?<![\w.]){re.escape(normalise(fact))}(?!\w|\.\d|%)", normalise(text)) is not None


def _rule_label(sample: Sample, run: str, probability: float) -> Label:
    verdict = reference_verdict(sample)
    return Label(
        sample_id=sample.id,
        criterion=correctness().name,
        level=int(verdict.passed),
        annotator=ANNOTATOR,
        run=run,
        rationale=verdict.rationale,
        probability=probability,
        guideline_version=correctness().guideline_version,
        source="rule",
    )


def _read_chapter(path: Path) -> list[HandbookPassage]:
    head, *blocks = re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    topic = head.partition("\n")[0].removeprefix("# ").strip()
    passages = []
    for block in blocks:
        heading, _, body = block.partition("\n")
        heading_match = _HEADING.fullmatch(heading.strip())
        if heading_match is None or not body.strip() or not topic:
            raise FileFormatError(f"{path.name}: {heading!r} should be '## passage-id | Passage title' and then text.")
        passages.append(
            HandbookPassage(heading_match["id"], topic, heading_match["title"].strip(), " ".join(body.split()))
        )
    return passages


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
