"""True statements about tables and paragraphs of filings, and the same with one number made wrong by a stated rule.

The texts are those of TAT-QA (Zhu et al. 2021) and FinanceBench (Islam et al. 2023), where they lie beside the
repository. Documents fall into two halves by a hash of their name; one half is for development.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

DATA = Path(__file__).parents[3].parent / "shared/data"
Half = Literal["development", "held out"]

_CELL = re.compile(r"\(?\s*(\$?)\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{3}\.\d)\s*\)?")
_SCALE = re.compile(r"\b(?:in|of)\s+(?:\w+\s+){0,2}(thousands|millions)\b", re.IGNORECASE)
_SKIPPED = re.compile(
    r"per |share|%|percent|number|ratio|average|weighted|headcount|employees|years?$|rate", re.IGNORECASE
)
_RESULT = re.compile(r"\b(?:net|operating)\s+(?:income|earnings|profit|loss|\(loss\))", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.])\s+(?=[A-Z])")
_CHANGE = re.compile(
    r"\b(increased|decreased|rose|fell|grew|declined|increase|decrease|decline)\s+(?:of|by)?\s*(?:approximately\s+)?"
    r"(\$\s?\d[\d,.]*\d(?:\s(?:million|billion|thousand))?|\d[\d.]*\s?%)"
)
_OPPOSITE = {
    "increased": "decreased", "decreased": "increased", "rose": "fell", "fell": "rose", "grew": "shrank",
    "declined": "grew", "increase": "decrease", "decrease": "increase", "decline": "rise",
}  # fmt: skip
_DURATION = re.compile(r"\b(\d{1,3}|two|three|four|five|six|ten|twelve)[ -](days|months|years|weeks)\b")
_OTHER_PERIOD = {"days": "months", "months": "days", "years": "months", "weeks": "years"}
_POWERS = {"thousand": 3, "million": 6}
_WORDINGS = (
    "{label} was {amount}.",
    "The filing shows {amount} of {label}.",
    "{label} came to {amount}.",
    "According to the table, {label} amounted to {amount}.",
)


class Statement(NamedTuple):
    """A statement about a source; `target` is the number that counts, and `kind` how it was made wrong, or "true"."""

    source: str
    answer: str
    target: str
    kind: str


class _Document(NamedTuple):
    name: str
    source: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    prose: tuple[str, ...]


def statements(half: Half, *, seed: int = 0) -> Iterator[Statement]:
    """All statements about one half of the documents."""
    generator = random.Random(seed)
    for document in (*_tatqa(), *_financebench()):
        if _half(document.name) == half:
            yield from _of_rows(document, generator)
            yield from _of_prose(document, generator)


def _half(name: str) -> Half:
    return "development" if hashlib.sha256(name.encode()).digest()[0] % 2 == 0 else "held out"


def _tatqa() -> Iterator[_Document]:
    for entry in json.loads((DATA / "finance/tatqa_dataset_dev.json").read_text("utf-8")):
        cells = [[str(cell).strip() for cell in row] for row in entry["table"]["table"]]
        prose = tuple(paragraph["text"] for paragraph in entry["paragraphs"])
        table = "\n".join(" ".join(filter(None, row)) for row in cells)
        rows = tuple((row[0], tuple(row[1:])) for row in cells if row and row[0])
        yield _Document(entry["table"]["uid"], "\n".join([*prose, table]), rows, prose)


def _financebench() -> Iterator[_Document]:
    lines = (DATA / "financebench/gpt-4_oracle.jsonl").read_text("utf-8").splitlines()
    for sample in map(json.loads, lines):
        text = "\n".join(context["text"] for context in sample["contexts"])
        yield _Document(sample["id"], text, tuple(_flat_rows(text)), tuple(text.split("\n")))


def _flat_rows(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A page's table, where each label is followed by its cells on lines of their own."""
    label, cells = "", []
    for line in [*text.split("\n"), "end"]:
        plain = line.strip().rstrip(". $").strip()
        if re.search(r"[A-Za-z]{3}", plain):
            if label and cells:
                yield label, tuple(cells)
            label, cells = (plain, []) if not re.search(r"\d", plain) else ("", [])
        elif plain:
            cells.append(plain)


def _of_rows(document: _Document, generator: random.Random) -> Iterator[Statement]:
    """Amounts of a table whose one scale the source names."""
    scales = {match.lower().rstrip("s") for match in _SCALE.findall(document.source)}
    if len(scales) != 1:
        return
    scale = scales.pop()
    rows = [(label, cell) for label, cells in document.rows for cell in cells[:1] if _usable(label, cell)]
    for label, cell in generator.sample(rows, min(3, len(rows))):
        match = _CELL.fullmatch(cell)
        if match is None:
            continue
        wording, digits, negative = generator.choice(_WORDINGS), match[2], cell.startswith("(")
        if _RESULT.search(label):
            yield from _result(document.source, label, digits, scale, negative=negative, generator=generator)
        elif not negative:
            for amount, kind in _amounts(digits, scale, generator):
                yield Statement(document.source, wording.format(label=label, amount=amount), amount, kind)


def _usable(label: str, cell: str) -> bool:
    return _CELL.fullmatch(cell) is not None and not _SKIPPED.search(label) and len(label) < 60


def _amounts(digits: str, scale: str, generator: random.Random) -> Iterator[tuple[str, str]]:
    value = float(digits.replace(",", ""))
    true = [f"${digits} {scale}"]
    if value >= 1000:
        larger = {"thousand": "million", "million": "billion"}[scale]
        true.append(f"${value / 1000:,.1f} {larger}")
    yield generator.choice(true), "true"
    wrong = [f"${digits}", f"${digits} {'million' if scale == 'thousand' else 'thousand'}", f"${digits} billion"]
    yield generator.choice(wrong), "scale"


def _result(
    source: str, label: str, digits: str, scale: str, *, negative: bool, generator: random.Random
) -> Iterator[Statement]:
    """A profit or loss; a row that is called a loss shows one without parentheses."""
    lost = negative or (
        re.search(r"\bloss\b", label, re.I) is not None and re.search("income|earnings|profit", label, re.I) is None
    )
    kind = "operating" if "operating" in label.lower() else "net"
    amount = f"${digits} {scale}"
    words = generator.choice([(f"a {kind} loss", f"a {kind} profit"), (f"{kind} losses", f"{kind} income")])
    right, wrong = words if lost else words[::-1]
    yield Statement(source, f"The company had {right} of {amount}.", amount, "true")
    yield Statement(source, f"The company had {wrong} of {amount}.", amount, "sign")


def _of_prose(document: _Document, generator: random.Random) -> Iterator[Statement]:
    sentences = [sentence for text in document.prose for sentence in _SENTENCE.split(text) if len(sentence) < 400]
    changes = [
        (sentence, match)
        for sentence in sentences
        if len(_CHANGE.findall(sentence)) == 1 and (match := _CHANGE.search(sentence))
    ]
    durations = [(sentence, match) for sentence in sentences if (match := _DURATION.search(sentence))]
    for sentence, match in generator.sample(changes, min(2, len(changes))):
        flipped = sentence[: match.start(1)] + _OPPOSITE[match[1]] + sentence[match.end(1) :]
        yield Statement(document.source, sentence, match[2], "true")
        yield Statement(document.source, flipped, match[2], "direction")
        if match[2].endswith("%"):
            points = match[2].rstrip("% ") + " percentage points"
            yield Statement(document.source, sentence.replace(match[2], points), points, "unit")
    for sentence, match in generator.sample(durations, min(2, len(durations))):
        other = match.group().replace(match[2], _OTHER_PERIOD[match[2]])
        yield Statement(document.source, sentence, match.group(), "true")
        yield Statement(document.source, sentence.replace(match.group(), other), other, "period")
