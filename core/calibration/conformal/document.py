"""What stage 2 and its check add to a calibration's document: thresholds by cell, coverage by cell, parts of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from core.calibration import document as doc
from core.calibration.checks.brier import BrierParts
from core.calibration.checks.diagnostics import CellCoverage, Decided, Diagnostics
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate, JsonValue

Json = dict[str, JsonValue]


def conditional_document(conditional: Conditional) -> Json:
    """Each class or group with its q̂, how many labels set it and whether they suffice for α."""
    thresholds: Json = {name: _threshold_document(t) for name, t in conditional.thresholds.items()}
    return {"by": conditional.by, "thresholds": thresholds, "unseen": _threshold_document(conditional.unseen)}


def read_conditional(document: JsonValue) -> Conditional:
    """The inverse of `conditional_document`."""
    found = doc.mapping(document)
    thresholds = {name: _threshold(t) for name, t in doc.mapping(found["thresholds"]).items()}
    return Conditional(doc.text(found["by"]), thresholds, _threshold(found["unseen"]))


def more_diagnostics_document(d: Diagnostics) -> Json:
    """What `Diagnostics` holds beyond `diagnostics_document`."""
    return {
        "folds": d.folds,
        "ece_corrected": None if d.ece_corrected is None else doc.estimate_document(d.ece_corrected),
        "brier_parts": None if d.brier_parts is None else _estimates_document(d.brier_parts),
        "decided": None if d.decided is None else _estimates_document(d.decided),
        "cells": {
            by: {name: _estimates_document(cell) for name, cell in cells.items()} for by, cells in d.cells.items()
        },
    }


def with_more(d: Diagnostics, document: Mapping[str, JsonValue]) -> Diagnostics:
    """The diagnostics with what `more_diagnostics_document` wrote; documents from before it was there have none."""
    if "folds" not in document:
        return d
    ece, parts, decided = document["ece_corrected"], document["brier_parts"], document["decided"]
    return replace(
        d,
        folds=doc.integer(document["folds"]),
        ece_corrected=None if ece is None else doc.read_estimate(ece),
        brier_parts=None if parts is None else BrierParts(**_estimates(parts)),
        decided=None if decided is None else Decided(**_estimates(decided)),
        cells={
            by: {name: CellCoverage(**_estimates(cell)) for name, cell in doc.mapping(cells).items()}
            for by, cells in doc.mapping(document["cells"]).items()
        },
    )


def _estimates_document(parts: BrierParts | Decided | CellCoverage) -> Json:
    return {part.name: doc.estimate_document(getattr(parts, part.name)) for part in fields(parts)}


def _estimates(document: JsonValue) -> dict[str, Estimate]:
    return {name: doc.read_estimate(value) for name, value in doc.mapping(document).items()}


def _threshold_document(t: Threshold) -> Json:
    return {"q_hat": t.q_hat, "alpha": t.alpha, "threshold": doc.threshold_document(t)}


def _threshold(document: JsonValue) -> Threshold:
    return doc.read_threshold(doc.mapping(document))
