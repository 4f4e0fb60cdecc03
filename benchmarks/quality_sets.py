"""Claims with their contexts and a truth, on which the entailment model is measured. None of them was trained on.

Public sets are read from a folder given by the user. The two edit sets are made here, by rules of their own: true
statements about a long document, and the same ones with one small detail changed.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HANDBOOK = Path(__file__).parents[1] / "data" / "demo"


@dataclass(frozen=True)
class Claim:
    """A claim about a context. `group` is the document: intervals are resampled by it."""

    context: str
    text: str
    true: bool
    group: str


@dataclass(frozen=True)
class QualitySet:
    name: str
    claims: tuple[Claim, ...]
    note: str


def public_sets(data: Path) -> Iterator[QualitySet]:
    """The held-out parts: as `training/sources.py` splits them, or not trained on at all."""
    yield QualitySet("BEGIN development", _grounded(data, "begin", "begin_dev"), "documents held out")
    yield QualitySet("BEGIN dev. CMU", _grounded(data, "begin", "begin_dev_cmu"), "part of the above")
    yield QualitySet("BEGIN dev. TopicalChat", _grounded(data, "begin", "begin_dev_tc"), "part of the above")
    yield QualitySet("FaithDial audit", _grounded(data, "faithdial_audit", ""), "documents held out")
    yield QualitySet("counterfactual NLI", _counterfactual(data), "its own test split; entailment against the rest")
    yield QualitySet("climate-FEVER", _climate(data), "never trained on; supports against the rest")
    yield QualitySet("TAT-QA edits", _tatqa_edits(data), "never trained on; question and answer as a statement")


def handbook_edits() -> QualitySet:
    """The demo handbook's reference answers, true and with one key fact changed, against the whole chapter."""
    chapters = _chapters()
    rng = np.random.default_rng(5)
    claims = []
    for line in (HANDBOOK / "tests.jsonl").read_text().splitlines():
        row = json.loads(line)
        homes = {chapters[name][0] for name in row["relevant_ids"]} if row["relevant_ids"] else set()
        kind = row["dimensions"]["query_type"]
        if len(homes) != 1 or kind in {"inference", "multiple choice", "yes/no"}:
            continue
        chapter, text = chapters[next(iter(row["relevant_ids"]))]
        edited = _changed_fact(row["reference"], row["metadata"]["key_facts"], text, rng)
        if edited is not None:
            claims += _pair(text, row["reference"], edited, chapter)
    return QualitySet("handbook edits", tuple(claims), "never trained on; reference answers against a chapter")


def group_of(text: str) -> str:
    return hashlib.sha256(re.sub(r"[^a-z0-9]", "", text.lower())[:100].encode()).hexdigest()


def _grounded(data: Path, file: str, prefix: str) -> tuple[Claim, ...]:
    rows = {name: _rows(data / "groundedness" / f"{name}.jsonl") for name in ("begin", "faithdial_audit")}
    held_out = {group_of(row["context"]) for row in rows["begin"] if row["id"].startswith("begin_dev")}
    claims = []
    for row in rows[file]:
        label, group = row["label"].lower(), group_of(row["context"])
        if not row["id"].startswith(prefix) or group not in held_out or "generic" in label or not row["claim"].strip():
            continue
        true = label == "fully attributable" or ("entailment" in label and "hallucination" not in label)
        claims.append(Claim(row["context"], row["claim"], true, group))
    return tuple(claims)


def _counterfactual(data: Path) -> tuple[Claim, ...]:
    with (data / "nli" / "counterfactual_nli_test.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(
        Claim(row["sentence1"], row["sentence2"], row["gold_label"] == "entailment", group_of(row["sentence1"][:30]))
        for row in rows
    )


def _climate(data: Path) -> tuple[Claim, ...]:
    rows = _rows(data / "nli" / "climate_fever.jsonl")
    return tuple(
        Claim(row["premise"], row["hypothesis"], row["label"] == "SUPPORTS", group_of(row["hypothesis"]))
        for row in rows
    )


_QUESTION = re.compile(r"^What (is|was|are|were) (the [^?]+)\?$")
_VALUE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _tatqa_edits(data: Path) -> tuple[Claim, ...]:
    """ "What was X in 2019?" with its answer as "X in 2019 was …", about the report's paragraphs and tables, five
    reports to a document. The wrong twin has another number of that document, or one other digit."""
    items = json.loads((data / "finance" / "tatqa_dataset_dev.json").read_text())
    rng = np.random.default_rng(3)
    claims: list[Claim] = []
    for start in range(0, len(items), 5):
        several = items[start : start + 5]
        text = "\n\n".join(_report(item) for item in several)
        for question in (q for item in several for q in item["questions"]):
            said = _statement(question)
            if said is None:
                continue
            statement, value = said
            new = _other_value(value, _VALUE.findall(text), rng)
            claims += _pair(text, statement, statement.replace(value, new), str(start))
    return tuple(claims)


def _report(item: dict) -> str:  # type: ignore[type-arg]
    rows = [" | ".join(cell for cell in row if cell) for row in item["table"]["table"]]
    paragraphs = [
        paragraph["text"] for paragraph in sorted(item["paragraphs"], key=lambda paragraph: paragraph["order"])
    ]
    return "\n\n".join([*paragraphs, "\n".join(rows)])


def _statement(question: dict) -> tuple[str, str] | None:  # type: ignore[type-arg]
    """The statement, and the number in it that can be changed; None where the question is of another kind."""
    match = _QUESTION.match(question["question"].strip())
    if match is None or question["answer_type"] != "span" or len(question["answer"]) != 1:
        return None
    answer = str(question["answer"][0]).rstrip(".")
    values = _VALUE.findall(answer)
    if not values or len(answer) > 120:
        return None
    scale = {"million": " million", "thousand": " thousand", "percent": "%"}.get(question["scale"], "")
    unit = "" if scale.strip() in answer else scale
    verb, subject = match.groups()
    value = values[0]
    return f"{subject[0].upper()}{subject[1:]} {verb} {answer}{unit}.", value


def _changed_fact(reference: str, facts: list[list[str]], text: str, rng: np.random.Generator) -> str | None:
    for wordings in facts:
        for wording in wordings:
            values = _VALUE.findall(wording)
            if values and wording in reference:
                new = _other_value(values[0], _VALUE.findall(text), rng)
                return reference.replace(wording, wording.replace(values[0], new, 1), 1)
    return None


def _other_value(old: str, pool: list[str], rng: np.random.Generator) -> str:
    """Half of the time another number that the document holds, of like length; else one digit is another."""
    like = sorted(
        {
            number
            for number in pool
            if number != old and abs(len(number) - len(old)) <= 1 and number.rstrip(",") == number
        }
    )
    if like and rng.random() < 0.5:
        return like[int(rng.integers(len(like)))]
    places = [index for index, sign in enumerate(old) if sign.isdigit()]
    at = places[int(rng.integers(len(places)))]
    digits = [digit for digit in "123456789" if digit != old[at]]
    return old[:at] + digits[int(rng.integers(len(digits)))] + old[at + 1 :]


def _pair(context: str, true: str, false: str, group: str) -> list[Claim]:
    return [] if true == false else [Claim(context, true, True, group), Claim(context, false, False, group)]


def _chapters() -> dict[str, tuple[str, str]]:
    """Passage id -> its chapter's name and text, titles included and ids left out."""
    chapters = {}
    for file in sorted((HANDBOOK / "handbook").glob("*.md")):
        source = file.read_text()
        text = re.sub(r"^## [\w-]+ \| (.*)$", r"\1.", re.sub(r"^(# |Area:).*$", "", source, flags=re.M), flags=re.M)
        for name in re.findall(r"^## ([\w-]+) \|", source, flags=re.M):
            chapters[name] = (file.stem, text)
    return chapters


def _rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text().splitlines()]
