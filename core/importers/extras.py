"""Columns unknown to a format: those that samples can be sliced by become dimensions, the others metadata.

A column becomes a dimension if all its cells are texts, true/false or whole numbers, with at most `MAX_LEVELS` distinct
ones, and fewer than half as many distinct ones as there are samples. Numbers with a fraction are measurements (another
tool's scores, for one), even if they have few values; identifiers and free text have too many values. A column whose
name says that it is a score, a verdict or its reason, an error, an id, a cost or a time is never one: a slice by the
verdict on its own answers finds that verdict again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from hcat.core.importers.reading.cells import LARGEST_IDENTIFIER, as_level, number_in_text
from hcat.core.importers.scores.known_metrics import KNOWN_METRICS
from hcat.core.importers.suggestion import OUTCOMES, words
from hcat.core.types import JsonValue, Sample

MAX_LEVELS = 30

_VERDICTS = frozenset(
    {
        *("success", "successful", "succeeded", "passed", "pass", "passes", "fail", "failed", "failure", "verdict"),
        *(
            "score",
            "scores",
            "scored",
            "judge",
            "judged",
            "judgement",
            "judgment",
            "grade",
            "graded",
            "rating",
            "rated",
        ),
        *("correct", "correctness", "incorrect", "accurate", "accuracy", "right", "wrong", "grounded", "groundedness"),
        *("faithful", "faithfulness", "hallucination", "hallucinated", "hallucinations", "relevance", "relevancy"),
        *("relevant", "toxic", "toxicity", "helpful", "helpfulness", "coherence", "fluency", "similarity", "bleu"),
        *("precision", "recall", "f1", "rouge", "em", "bertscore", "match", "metric", "reward", "feedback", "vote"),
        *("votes", "stars", "thumbs", "winner", "eval", "evaluation", "annotation", "label", "labels", "refusal"),
        *("coverage", "covered", "hit", "hits", "mrr", "ndcg", "sim", "quality", "completeness", "conciseness"),
        *("distance", "clarity", "safe", "unsafe", "harmful", "improvement"),
        *("answered", "supported", "unsupported", "grounding"),
        *("bewertung", "korrekt", "richtig", "urteil", "bestanden"),
    }
)
_SAID_OF_IT = frozenset(
    {
        *("error", "errors", "exception", "traceback", "reason", "reasons", "reasoning", "rationale", "explanation"),
        *("comment", "comments", "critique", "fehler", "begründung", "kommentar"),
    }
)
"""Last words of names of columns that say what was wrong with an answer, or why it got its score."""
_NAMING = frozenset(
    {"id", "ids", "idx", "index", "uuid", "guid", "hash", "key", "url", "uri", "path", "position", "json"}
)
_COUNTING = frozenset({"num", "nb", "count", "number", "total"})
_MEASURED = frozenset(
    {
        *("latency", "cost", "costs", "token", "tokens", "duration", "timestamp", "time", "seconds", "ms", "runtime"),
        *("created", "updated", "started", "ended", "sec", "secs", "length", "len", "chars", "words"),
    }
)
_METRICS = frozenset(name for tool in KNOWN_METRICS.values() for name in tool)

Use = Literal["dimension", "metadata"]


def choose_uses(columns: Sequence[str], extras: Sequence[Mapping[str, JsonValue]]) -> dict[str, Use]:
    """The use of each unknown column, from the unknown cells of every sample."""
    seen = LevelsSeen(columns)
    for cells in extras:
        seen.add(cells)
    return seen.uses()


class LevelsSeen:
    """Collects the levels that unknown columns would have as dimensions, one sample after another."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._levels: dict[str, set[str] | None] = {
            column: None if says_how_good(column) or says_which(column) or _says_why(column) else set()
            for column in columns
        }
        self._samples = 0

    def add(self, cells: Mapping[str, JsonValue]) -> None:
        """Add the cells of one more sample."""
        self._samples += 1
        for column, cell in cells.items():
            seen = self._levels.get(column)
            if seen is not None and not _adds_level(seen, cell):
                self._levels[column] = None

    def uses(self) -> dict[str, Use]:
        """The use of each column."""
        return {
            column: "dimension"
            if seen and 2 * len(seen) < self._samples and not _is_of_outcomes(column, seen)
            else "metadata"
            for column, seen in self._levels.items()
        }


def add_extras(sample: Sample, cells: Mapping[str, JsonValue], uses: Mapping[str, Use]) -> Sample:
    """The sample with its unknown cells; a dimension or metadata of that name in the file itself takes precedence."""
    if not cells:
        return sample
    levels = {name: as_level(cell) for name, cell in cells.items() if uses[name] == "dimension"}
    others = {name: cell for name, cell in cells.items() if uses[name] == "metadata"}
    return replace(sample, dimensions={**levels, **sample.dimensions}, metadata={**others, **sample.metadata})


def says_how_good(column: str) -> bool:
    """Whether a column's name says that it contains scores or verdicts."""
    names = words(column)
    return bool(_VERDICTS.intersection(names)) or _plain(column) in _METRICS


def says_which(column: str) -> bool:
    """Whether a column's name says that it contains ids, positions in a list, costs or times."""
    names = words(column)
    counts = bool(names) and (names[0] in _COUNTING or names[-1] in _COUNTING)
    return counts or (bool(names) and names[-1] in _NAMING) or bool(_MEASURED.intersection(names))


def says_how_much(column: str) -> bool:
    """Whether a column's name says that it contains a count, a cost or a time: a number that is not a score."""
    names = words(column)
    return bool(names) and (
        names[0] in _COUNTING or names[-1] in _COUNTING or bool(_MEASURED.intersection(names)) or names[0] == "top"
    )


def _is_of_outcomes(column: str, levels: set[str]) -> bool:
    """Whether levels are outcomes of a test, in any column, or scores of confidence.

    Tags such as HIGH and LOW, which a system gives to its own answers, are neither."""
    if "confidence" in words(column) and any(_is_number(level) for level in levels):
        return True
    return OUTCOMES.issuperset(level.strip().lower() for level in levels)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _says_why(column: str) -> bool:
    return (words(column) or ("",))[-1] in _SAID_OF_IT


def _plain(column: str) -> str:
    return "_".join(words(column))


def _adds_level(levels: set[str], cell: JsonValue) -> bool:
    """Add the cell's level; whether it can be one, and there are not too many."""
    if isinstance(cell, str) and not cell.strip():
        return True
    if not _is_level(cell):
        return False
    levels.add(as_level(cell))
    return len(levels) <= MAX_LEVELS


def _is_level(cell: JsonValue) -> bool:
    if isinstance(cell, str):
        if cell[:1] + cell[-1:] in {"[]", "{}"}:
            return False  # a list or an object
        # "0.5" in a CSV file is the number that it looks like; "2023" and "0012" stay texts with few values.
        return "." not in cell or not isinstance(number_in_text(cell), int | float)
    return isinstance(cell, bool) or (isinstance(cell, int) and abs(cell) < LARGEST_IDENTIFIER)
