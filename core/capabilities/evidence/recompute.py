"""Recomputes every number of a report from a pack, by the same path as from files, and compares them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast, get_type_hints

from hcat.core.capabilities.evidence.layout import COMPUTED, INPUTS, NOT_REDONE, REPORT
from hcat.core.capabilities.evidence.run_files import TAGGED, WITHHELD, read_run
from hcat.core.capabilities.evidence.withheld import withheld_report
from hcat.core.capabilities.policy.analysis.evidence import policy_evidence
from hcat.core.capabilities.report.analysis.evidence import gather_evidence
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.display.edition import edition
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.json_text import json_object, json_value
from hcat.core.records.reading import Reader
from hcat.core.types import Criterion, JsonValue
from hcat.core.view.renderers.json_tree import report_document
from hcat.core.view.signed import with_sign_off
from hcat.core.view.tree import Report

TOLERANCE = 1e-12
"""The largest difference, relative for numbers above 1, that counts as none."""
MOST_CHARACTERS = 60
UNREADABLE = (HcatError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError, OSError)
"""Errors of reading and building if the inputs are not what hcat writes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of the report whose recomputed value differs.

    `path` is in its JSON, `numbers` counts those of the report there."""

    path: str
    where: str
    reported: str
    again: str
    numbers: int


def differences(files: Mapping[str, bytes]) -> list[Difference]:
    """The differences between the report of a pack and the one that follows from its inputs; empty if all agrees.

    FileFormatError if the inputs can't be read."""
    try:
        again = rebuilt(files)
        reported = json_object(files[REPORT])
    except UNREADABLE as error:
        raise FileFormatError(f"the numbers can't be computed again from this pack: {error}") from None
    hidden = withheld_report(again) if texts_withheld(files) else again
    return list(_compared(reported, report_document(hidden), "", ""))


def texts_withheld(files: Mapping[str, bytes]) -> bool:
    """Whether the pack has digests in place of the texts of samples."""
    return any(name.endswith(WITHHELD) for name in files)


def not_redone(files: Mapping[str, bytes]) -> frozenset[str]:
    """The paths of numbers that can't be recomputed, because texts are withheld; none if they are included."""
    if not texts_withheld(files):
        return frozenset()
    try:
        return frozenset(map(str, cast("list[JsonValue]", json_value(files.get(NOT_REDONE, b"[]")))))
    except (ValueError, TypeError) as error:
        raise FileFormatError(f"{NOT_REDONE} is no list: {error}") from None


def count_numbers(value: JsonValue) -> int:
    """The number of numbers in a document."""
    if isinstance(value, dict | list):
        return sum(map(count_numbers, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def rebuilt(files: Mapping[str, bytes]) -> Report:
    """The report that follows from the inputs in a pack."""
    stated = json_object(files[INPUTS])
    folders = sorted({name.split("/")[1] for name in files if name.startswith("runs/")}, key=int)
    runs = [read_run(_inside(files, f"runs/{folder}/")) for folder in folders]
    given = _given(cast("dict[str, JsonValue]", stated["given"]))
    template = TAGGED.read(ReportTemplate, stated["template"], at="template")
    with edition(template.language):
        return _rebuilt(stated, runs, given, template)


def _rebuilt(
    stated: Mapping[str, JsonValue], runs: list[ReportedRun], given: dict[str, object], template: ReportTemplate
) -> Report:
    gathered = gather_evidence(
        runs,
        project=str(given["project"]),
        hashes={},
        criteria=cast("tuple[Criterion, ...]", given["criteria"]),
        seed=int(str(stated["seed"])),
    )
    evidence = replace(gathered, **given)  # type: ignore[arg-type]  # each read by the type of its field
    opened = [each.run for each in runs]
    policies = (policy_evidence(x.policy, opened, version=x.version, check=x.check) for x in evidence.policies)
    chapters = stated["chapters"]
    chosen = [str(name) for name in chapters] if isinstance(chapters, list) else None
    report = build_report(replace(evidence, policies=tuple(policies)), chapters=chosen, template=template)
    return report if stated["sign_off"] is None else with_sign_off(report, str(stated["sign_off"]))


def _inside(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {name.removeprefix(folder): content for name, content in files.items() if name.startswith(folder)}


def _given(document: Mapping[str, JsonValue]) -> dict[str, object]:
    """The given parts of the evidence, by the types of their fields."""
    hints, reader = get_type_hints(Evidence), Reader({}, TAGGED.tag)
    known = {name: value for name, value in document.items() if name in hints and name not in COMPUTED}
    return {name: reader.read(hints[name], value, name) for name, value in known.items()}


def _compared(reported: JsonValue, again: JsonValue, path: str, where: str) -> Iterator[Difference]:
    """Each value that differs, by its path and by the titles above it."""
    if isinstance(reported, dict) and isinstance(again, dict):
        where = _below(where, reported)
        for key in sorted(reported.keys() | again.keys()):
            yield from _compared(reported.get(key), again.get(key), f"{path}/{key.replace('/', '∕')}", where)
    elif isinstance(reported, list) and isinstance(again, list) and (named := _by_name(reported, again)):
        yield from _compared(*named, path, where)
    elif isinstance(reported, list) and isinstance(again, list) and len(reported) == len(again):
        for number, pair in enumerate(zip(reported, again, strict=True)):
            name = _row(pair[0])
            yield from _compared(*pair, f"{path}/{number}", f"{where} › {name}" if name else where)
    elif not _alike(reported, again):
        yield Difference(path, where.removeprefix(" › "), _short(reported), _short(again), count_numbers(reported))


def _by_name(
    reported: list[JsonValue], again: list[JsonValue]
) -> tuple[dict[str, JsonValue], dict[str, JsonValue]] | None:
    """Sections, blocks and rows of tables by their titles; None for lists of anything else."""
    first, second = _named(reported), _named(again)
    return None if first is None or second is None else (first, second)


def _named(items: list[JsonValue]) -> dict[str, JsonValue] | None:
    named: dict[str, JsonValue] = {}
    count: Counter[str] = Counter()
    for item in items:
        name = _name(item)
        if not name:
            return None
        count[name] += 1
        named[name if count[name] == 1 else f"{name} ({count[name]})"] = item
    return named


def _name(item: JsonValue) -> str:
    if isinstance(item, dict):
        return next((str(item[key]) for key in ("id", "title", "type") if isinstance(item.get(key), str)), "")
    return _row(item)


def _below(where: str, item: Mapping[str, JsonValue]) -> str:
    title = item.get("title")
    return f"{where} › {title}" if isinstance(title, str) and title else where


def _row(item: JsonValue) -> str:
    """The first cell of a row of a table, or the name of a fact."""
    first = item[0] if isinstance(item, list) and item else None
    return first if isinstance(first, str) and len(first) < MOST_CHARACTERS else ""


def _alike(reported: JsonValue, again: JsonValue) -> bool:
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in (reported, again)):
        return reported == again
    first, second = float(cast("float", reported)), float(cast("float", again))
    return math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _short(value: JsonValue) -> str:
    if isinstance(value, dict | list):
        return f"{len(value)} items"
    text = str(value)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
