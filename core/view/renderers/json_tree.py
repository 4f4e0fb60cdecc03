"""The report as JSON: the same tree, every number in full precision, absent numbers as null."""

from __future__ import annotations

import json

from hcat.core.records.codec import Codec
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.json_text import json_value
from hcat.core.records.layout import JsonObject
from hcat.core.view.signed import without_sign_off
from hcat.core.view.tree import Report

_TREE = Codec(tag="type")


def report_document(report: Report) -> JsonObject:
    """The report as JSON values. Blocks and figures carry their `type`: "table", "key_values", "forest_plot" …

    A report that names no `language` is in English.
    """
    written = _TREE.write_object(report)
    left_out = {"language": report.language == "en", "inputs": not report.inputs, "settings": not report.settings}
    for name in (name for name, absent in left_out.items() if absent):
        del written[name]  # as in earlier reports, which had none of these and whose hashes stay
    return {"hcat": report.version, **written}


def render_json(report: Report) -> bytes:
    """One JSON document in UTF-8."""
    return (json.dumps(report_document(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode(
        "utf-8", "replace"
    )


def read_report(text: str) -> Report:
    """The inverse of `render_json`, of this version's documents or earlier ones. FileFormatError for anything else."""
    return _TREE.read(Report, json_value(text))


def report_hash(report: Report) -> str:
    """SHA-256 over the JSON document: 64 hexadecimal digits that every rendering of this report can show.

    It is over the report as it was built: a sign-off, which names this hash, comes after it.
    """
    return sha256_of_bytes([render_json(without_sign_off(report))])
