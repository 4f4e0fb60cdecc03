"""What a language model writes beside the rules, on the same items and through the same checks: `python -m
benchmarks.language_model --endpoint URL --model NAME --journal FILE --items benchmarks/readings/language_model.csv`.

Queries of passages of the demo handbook, wordings and German translations of test cases of the demo, and text templates
of a made-up company's database. `--items` gets what passed the checks, one row each, for a person to fill in the column
"right" with yes or no; rows that are filled in already stay so, and are counted, with Wilson's interval.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.journal import JournalledModel, add_model, opened
from benchmarks.queries import handbook
from hcat.core.capabilities.demo.bank import read_test_cases
from hcat.core.capabilities.grammar.company import write_company
from hcat.core.capabilities.grammar.database import open_database
from hcat.core.capabilities.grammar.language import worded_by_model
from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_by_rule
from hcat.core.capabilities.grammar.text_templates import TEXT_TEMPLATES, worded
from hcat.core.capabilities.robustness.variants.by_model.writer import ModelWriter
from hcat.core.capabilities.robustness.variants.perturb import perturb
from hcat.core.capabilities.robustness.variants.registry import FAMILIES
from hcat.core.capabilities.test_sets.endpoint import EndpointSource
from hcat.core.capabilities.test_sets.generate import DEFAULT_SHARES, counts_by_share
from hcat.core.capabilities.test_sets.query_source import Ask, QuerySource
from hcat.core.capabilities.test_sets.rule_source import RuleSource
from hcat.core.capabilities.test_sets.selection import CorpusIndex, index_corpus, select
from hcat.core.display.numbers import format_estimate
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.llm.language import total
from hcat.core.models.nli.entailment import EntailmentModel
from hcat.core.models.nli.loading import load_entailment
from hcat.core.records.test_case import TestCase, cases_of
from hcat.core.statistics.intervals import proportion_interval

SEED, TOKENS = 14, 300
QUERIES, PARAPHRASES, TRANSLATIONS, TEMPLATES, TEXTS = 60, 64, 32, 20, 3
STYLE = "casual"
"""The criterion of the text templates."""
FIELDS = ("part", "by", "asked", "written", "right", "why")
MODEL, RULES = "language model", "rules"


@dataclass(frozen=True, slots=True)
class Item:
    """What was asked of whom, and what came of it and passed the checks."""

    part: str
    by: str
    asked: str
    written: str


@dataclass(frozen=True)
class Part:
    """One kind of work by one writer: items that passed the checks of so many asked, and why others did not."""

    name: str
    by: str
    asked: int
    items: tuple[Item, ...]
    problems: Counter[str] = field(default_factory=Counter)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_model(parser)
    parser.add_argument(
        "--items", type=Path, required=True, help="what passed the checks (CSV), to be read by a person"
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="comma-separated; by default all")
    arguments = parser.parse_args()
    model = opened(arguments, tokens=TOKENS)
    readings = read_items(arguments.items)
    parts = [part for name in arguments.parts.split(",") for part in PARTS[name](model)]
    write_items(arguments.items, [item for part in parts for item in part.items], readings)
    for part in parts:
        show(part, readings)
    usage = total(model.usages)
    print(f"{usage.calls} calls, {usage.tokens_in:,} tokens read, {usage.tokens_out:,} written, {usage.seconds:,.0f} s")


def queries(model: JournalledModel) -> Iterator[Part]:
    """One query of each drawn passage, of types in their usual shares."""
    passages, entailment = handbook(), load_entailment()
    index = index_corpus(passages, encoder=load_encoder(), store=MemoryEmbeddings())
    rng = np.random.default_rng(SEED)
    types = [name for name, n in counts_by_share(DEFAULT_SHARES, QUERIES).items() for _ in range(n)]
    drawn = rng.permutation(len(passages))[:QUERIES]
    asks = [Ask(passages[int(place)], name) for place, name in zip(drawn, types, strict=True)]
    yield _queries(MODEL, EndpointSource(model, index, seed=SEED, on_reply=_show), asks, index, entailment)
    yield _queries(RULES, RuleSource(passages, seed=SEED), asks, index, entailment)


def _queries(
    by: str, source: QuerySource, asks: Sequence[Ask], index: CorpusIndex, entailment: EntailmentModel
) -> Part:
    """The first candidate of each ask that the selection accepts."""
    candidates: dict[str, tuple[int, TestCase]] = {}
    problems: Counter[str] = Counter()
    for place, written in enumerate(source.write(asks)):
        problems.update(written.problems)
        candidates |= {f"{place}-{number}": (place, case) for number, case in enumerate(written.candidates)}
    renamed = [replace(case, id=name) for name, (_, case) in candidates.items()]
    selection = select(renamed, index, entailment=entailment, balanced=False)
    accepted: dict[int, TestCase] = {}
    for case in selection.accepted:
        accepted.setdefault(candidates[case.id][0], case)
    items = [_query_item(by, asks[place], case) for place, case in sorted(accepted.items())]
    return Part("queries", by, len(asks), tuple(items), problems + Counter(selection.reasons))


def _query_item(by: str, ask: Ask, case: TestCase) -> Item:
    told = " | ".join([case.query, *case.options, f"→ {case.reference or '(to be declined)'}"])
    return Item("queries", by, f"{ask.type} of {ask.passage.id}", told)


def paraphrases(model: JournalledModel) -> Iterator[Part]:
    """Test cases of the demo in other words."""
    yield _variants(MODEL, "model paraphrase", "paraphrases", model, PARAPHRASES)
    yield _variants(RULES, "paraphrase", "paraphrases", model, PARAPHRASES)


def translations(model: JournalledModel) -> Iterator[Part]:
    """Test cases of the demo in German. No rule translates."""
    yield _variants(MODEL, "model translation", "translations", model, TRANSLATIONS)


def _variants(by: str, family: str, part: str, model: JournalledModel, most: int) -> Part:
    index = index_corpus(handbook(), encoder=load_encoder(), store=MemoryEmbeddings())
    writer = ModelWriter(model, index.encoder, index, load_entailment(), ("German",))
    origins = {case.id: case for case in demo_cases(most)}
    perturbed = perturb(list(origins.values()), [FAMILIES[family]], [1.0], seed=SEED, writer=writer)
    items = [
        Item(part, by, origins[case.variant.of].query, case.query)
        for case in perturbed.variants
        if case.variant is not None
    ]
    return Part(part, by, len(origins), tuple(items), Counter(each.reason for each in perturbed.unchanged))


def demo_cases(most: int) -> list[TestCase]:
    """Answerable test cases of the demo without options, which a translation can't keep, drawn at random."""
    samples = {sample.id: sample for sample in read_test_cases()}
    passages = {name: tuple(dict(sample.relevant_ids or {})) for name, sample in samples.items()}
    named = [replace(s, metadata={**s.metadata, "passages": list(passages[s.id])}) for s in samples.values()]
    cases = [case for case in cases_of(named) if case.passages and case.type != "multiple choice"]
    drawn = np.random.default_rng(SEED).permutation(len(cases))[:most]
    return [cases[int(place)] for place in drawn]


def templates(model: JournalledModel) -> Iterator[Part]:
    """Ways of asking what SQL templates ask, three of each."""
    plan = _company_plan()
    written, rejected = worded_by_model(plan, model, criteria=[STYLE], number=TEXTS)
    texts = [(template.sql, text) for template in written.templates for text in template.texts.get(STYLE, ())]
    yield _templates(MODEL, texts[: TEXTS * TEMPLATES], Counter(each.reason for each in rejected))
    by_rule = [
        (template.sql, text)
        for template in plan.templates
        for text in worded(template, list(map(str, template.places)), TEXT_TEMPLATES[STYLE][:TEXTS])
    ]
    yield _templates(RULES, by_rule, Counter())


def _company_plan() -> GrammarPlan:
    """SQL templates of a company's database with one placeholder, evenly from all that the rules make."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "company.sqlite"
        write_company(file, employees=24, rng=np.random.default_rng(SEED))
        with open_database(str(file)) as database:
            plan = plan_by_rule(database, {STYLE: TEXT_TEMPLATES[STYLE]})
    places = np.linspace(0, len(plan.templates) - 1, TEMPLATES).round().astype(int)
    return replace(plan, templates=tuple(plan.templates[place] for place in places.tolist()))


def _templates(by: str, texts: Iterable[tuple[str, str]], problems: Counter[str]) -> Part:
    items = tuple(Item("text templates", by, " ".join(sql.split()), text) for sql, text in texts)
    return Part("text templates", by, TEMPLATES * TEXTS, items, problems)


PARTS: dict[str, Callable[[JournalledModel], Iterator[Part]]] = {
    "queries": queries,
    "paraphrases": paraphrases,
    "translations": translations,
    "templates": templates,
}


def show(part: Part, readings: dict[Item, tuple[str, str]]) -> None:
    """How many passed the checks, and how many of those that were read are right."""
    verdicts = [right for item in part.items if (right := readings.get(item, ("", ""))[0])]
    print(f"{part.name} by {part.by}: {part.asked} asked, {len(part.items)} passed the checks", end="")
    if verdicts:
        share = proportion_interval(verdicts.count("yes"), len(verdicts))
        print(f", {len(verdicts)} read, {verdicts.count('yes')} right: {format_estimate(share)}", end="")
    print()
    for reason, n in part.problems.most_common():
        print(f"  {n} × {reason}")


def read_items(file: Path) -> dict[Item, tuple[str, str]]:
    """The items of the file with what a person said of them, yes or no and why; nothing of those not yet read."""
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as opened_file:
        rows = list(csv.DictReader(opened_file))
    wrong = next((row["right"] for row in rows if row["right"] not in ("yes", "no", "")), None)
    if wrong is not None:
        raise SystemExit(f"{file}: the column right holds {wrong!r}: write yes or no")
    return {
        Item(*(row[name] for name in ("part", "by", "asked", "written"))): (row["right"], row["why"]) for row in rows
    }


def write_items(file: Path, items: Iterable[Item], readings: dict[Item, tuple[str, str]]) -> None:
    """The items with what a person said of them; of the file's others those that were read, or are of other parts."""
    with file.open("w", newline="", encoding="utf-8") as opened_file:
        writer = csv.writer(opened_file, lineterminator="\n")
        writer.writerow(FIELDS)
        written = list(items)
        parts = {item.part for item in written}
        others = [item for item, (right, _) in readings.items() if right or item.part not in parts]
        for item in dict.fromkeys([*written, *others]):
            writer.writerow([item.part, item.by, item.asked, item.written, *readings.get(item, ("", ""))])


def _show(done: int, of: int) -> None:
    print(f"\r{done} of {of}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
