"""CSV with a column for each output of a test: promptfoo's results of `--output results.csv` and of "Download CSV".

Before the outputs are the variables of the test, a column each; an output's column is called `[provider] prompt`, and
those after it, up to the next output, belong to it (promptfoo 0.90 to 0.121: Status, Score, Named Scores, Grader
Reason, Comment, and others). Before 0.115 status, scores and reason were in the output's own cell, around the text.
Each output becomes a row of its own, with the fields that the same result has in promptfoo's JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hcat.core.types import JsonValue

COLUMNS = ("vars", "prompt", "promptIdx", "provider", "response", "success", "score", "namedScores", "testIdx", "error")
"""The columns of the resulting rows, before those of the file that belong to no output."""

_NAME = re.compile(r"\[([^\[\]{}\"\n]+)\] ?(.*)", re.DOTALL)
_BESIDE = ("Reasoning", "Status", "Score", "Named Scores", "Grader Reason", "Comment", "Latency (ms)")
"""The columns that belong to the output before them."""
_FURTHER = ("Description", "RESULT", "Messages", "RedteamHistory", "RedteamTreeHistory", "pluginId", "strategyId")
"""Columns that belong to no output and are not variables: of red teams, and of the first versions."""
_METRIC = "Metric: "
_MARKED = re.compile(r"\[(PASS|FAIL|ERROR)\]\s*(?:\((-?\d+\.\d\d|undefined|NaN)(?:, ([^\n]*))?\)(?=\s|\Z))?\s*")
_BEFORE_TEXT = "\n---\n"
"""The text between the reason of a failure and the output, in the first versions."""
_REASON = re.compile(r"^(?:Pass|Fail) Reason: ", re.MULTILINE)
_NAMED = re.compile(r"(.+?): (-?\d+(?:\.\d+)?)(?:, |\Z)")
_VARIABLE = re.compile(r"\{\{-?\s*([^{}|]+?)\s*(?:\|[^{}]*)?-?\}\}")


@dataclass(frozen=True, slots=True)
class _Output:
    """The position of an output's column, its provider and prompt, and the positions of the columns about it."""

    place: int
    provider: str
    prompt: str
    prompt_index: int
    beside: dict[str, int]


@dataclass(frozen=True, slots=True)
class OutputColumns:
    """The columns of a file of outputs: by position those of the variables, of each output, and the others after
    them."""

    variables: dict[str, int]
    outputs: tuple[_Output, ...]
    others: dict[str, int]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rows of outputs."""
        return (*COLUMNS, *self.others)

    def rows(self, cells: Sequence[str], test: int) -> Iterator[dict[str, JsonValue]]:
        """A row for each output of a test, the file's `test`-th from 0."""
        if not any(cells):
            return
        variables: dict[str, JsonValue] = {
            name: _value(cells[place]) for name, place in self.variables.items() if cells[place]
        }
        others: dict[str, JsonValue] = {name: cells[place] or None for name, place in self.others.items()}
        for output in self.outputs:
            if output.beside.get("Status") is not None and not cells[output.beside["Status"]]:
                continue  # this prompt was not tried in this test
            yield {
                "vars": variables,
                "prompt": {"label": output.prompt, "raw": _rendered(output.prompt, variables)},
                "promptIdx": output.prompt_index,
                "provider": output.provider,
                **_result(cells, output),
                "testIdx": test,
                **others,
            }


def output_columns(columns: Sequence[str], first: Sequence[str]) -> OutputColumns | None:
    """The outputs among these columns; None if no column has such a name.

    `first` are the cells of a row: a name in brackets is a provider only if the cell, or its neighbours, are an
    output's."""
    outputs: list[_Output] = []
    prompts: dict[str, int] = {}
    for place, name in enumerate(columns):
        beside = _beside(columns, place)
        cell = first[place] if place < len(first) else ""
        if (found := _provider_and_prompt(name, beside, cell)) is not None:
            provider, prompt = found
            outputs.append(_Output(place, provider, prompt, prompts.setdefault(prompt, len(prompts)), beside))
    if not outputs:
        return None
    used = {place for output in outputs for place in (output.place, *output.beside.values())}
    free = {name: place for place, name in enumerate(columns) if place not in used and name.strip()}
    start = outputs[0].place
    variables = {name: place for name, place in free.items() if place < start and name != "Description"}
    if start == 0:  # the first versions wrote the variables behind
        variables = {name: place for name, place in free.items() if name not in _FURTHER}
    others = {name: place for name, place in free.items() if name not in variables and name not in COLUMNS}
    return OutputColumns(variables, tuple(outputs), others)


def _beside(columns: Sequence[str], place: int) -> dict[str, int]:
    """The columns right after an output that belong to it."""
    found: dict[str, int] = {}
    for after in range(place + 1, len(columns)):
        name = columns[after]
        if name in found or not (name in _BESIDE or name.startswith(_METRIC)):
            break
        found[name] = after
    return found


def _provider_and_prompt(name: str, beside: dict[str, int], cell: str) -> tuple[str, str] | None:
    if name[:1] == "{":
        shown = _object(name).get("display") or _object(name).get("raw")
        name = shown if isinstance(shown, str) else name
    matched = _NAME.fullmatch(name.strip())
    is_told = "Grader Reason" in beside or {"Status", "Score"} <= beside.keys() or _MARKED.match(cell) is not None
    if matched is not None and (is_told or ":" in matched[1]):
        return matched[1], matched[2]
    return ("not named", name) if is_told and name not in _BESIDE else None


def _rendered(prompt: str, variables: dict[str, JsonValue]) -> str:
    """The prompt with the values of its variables; the values, line by line, if it names none of them."""
    if not variables or _VARIABLE.search(prompt):
        return _VARIABLE.sub(lambda found: str(variables.get(found[1], found[0])), prompt)
    return "\n".join(f"{name}: {value}" for name, value in variables.items())


def _result(cells: Sequence[str], output: _Output) -> dict[str, JsonValue]:
    """The text of an output with its verdict and scores, from the adjacent columns or from its own cell."""
    status, score, named, text = _within(cells[output.place])
    beside = {name: cells[place] for name, place in output.beside.items()}
    status = beside.get("Status") or status
    named = {**named, **_object(beside.get("Named Scores", ""))}
    named |= {name.removeprefix(_METRIC): _number(cell) for name, cell in beside.items() if name.startswith(_METRIC)}
    failed = status == "ERROR"
    return {
        "response": None if failed else {"output": text},
        "success": {"PASS": True, "FAIL": False, "ERROR": False}.get(status),
        "score": _number(beside["Score"]) if beside.get("Score") else score,
        "namedScores": {name: value for name, value in named.items() if value is not None} or None,
        "error": text if failed else None,
    }


def _within(cell: str) -> tuple[str, float | None, dict[str, JsonValue], str]:
    """Status, score, named scores and text of a cell that has all of them; for any other cell the text."""
    marked = _MARKED.match(cell)
    if marked is None:
        return "", None, {}, cell
    text = cell[marked.end() :]
    text = text.split(_BEFORE_TEXT, 1)[1] if marked[1] == "FAIL" and _BEFORE_TEXT in text else text
    reasons = [found.start() for found in _REASON.finditer(text)]
    text = text[: reasons[-1]].rstrip() if reasons else text
    named: dict[str, JsonValue] = {name: float(value) for name, value in _NAMED.findall(marked[3] or "")}
    return marked[1], _number(marked[2] or ""), named, text


def _value(cell: str) -> JsonValue:
    """The list or object that a cell contains as JSON, the form of variables that are not text; else its text."""
    if cell[:1] not in {"[", "{"}:
        return cell
    try:
        found: JsonValue = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    return found


def _object(cell: str) -> dict[str, JsonValue]:
    found = _value(cell)
    return found if isinstance(found, dict) else {}


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
