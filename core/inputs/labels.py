"""Labels of one criterion in a file, and the criterion as their levels declare it."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError
from hcat.core.inputs.files import chosen_sheet, existing, level_values, print_note

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.importers.labels.label_file import LabelPreview
    from hcat.core.types import Criterion


def stated_criterion(name: str, levels: str | None, positive: str | None) -> Criterion | None:
    """The criterion with these levels, the upper half of which passes; None if no levels are given.

    A level with a comma in its name is put in double quotes, as in a CSV file.
    """
    from hcat.core.types import Criterion

    if levels is None:
        return None
    if positive is not None:
        raise FileFormatError("--levels and --positive both say what passes: use --levels, and --passing if needed")
    names = tuple(level.strip() for level in next(csv.reader([levels], skipinitialspace=True), []))
    if len(names) < 2 or not all(names) or len({level.casefold() for level in names}) < len(names):
        raise FileFormatError(
            f"--levels takes two or more different names from worst to best, such as wrong,partly,right; not {levels!r}"
        )
    return Criterion(name, names, passing=(len(names) + 1) // 2)


@dataclass(frozen=True, slots=True)
class KnownSamples:
    """The samples that labels may be on: those `of` the run, or of the scores."""

    ids: Sequence[str]
    of: Literal["run", "scores"]


def read_label_file(
    path: Path,
    *,
    criterion: str,
    positive: str | None,
    run: str | None,
    levels: Criterion | None = None,
    known: KnownSamples | None = None,
    values: Mapping[str, str] | None = None,
) -> LabelPreview:
    """The labels of one criterion; a file with any bad row is refused, with the first problem named.

    Levels are those of the given criterion, or else inferred from the file; `values` and --level map labels to levels.
    The number of labels on samples that are not known is reported; where these are all, the file is refused.
    """
    from hcat.core.importers.labels.label_file import read_labels
    from hcat.core.types import Criterion
    from hcat.core.wording.importing import alike_sentence

    mapped = {**(values or {}), **level_values()}
    on = Criterion(criterion) if levels is None and (positive is not None or mapped) else levels
    with chosen_sheet(existing(path)) as file:
        preview = read_labels(file, criterion=on, positive=positive, run=run, values=mapped)
    if preview.problems:
        first = preview.problems[0]
        raise FileFormatError(
            f"{path.name}: {counted(len(preview.problems), 'problem')}. The first: row {first.row}, column "
            f"{first.column}: expected {first.expected}, found {first.found}{_unknown_values(preview, on)}"
        )
    for names in preview.alike:
        print_note(f"hcat: {alike_sentence(names)}")
    preview = replace(preview, labels=tuple(label for label in preview.labels if label.criterion == criterion))
    runs = sorted({label.run for label in preview.labels if label.run})
    if len(runs) > 1:
        shown = ", ".join(runs[:3])
        raise FileFormatError(f"{path.name} has labels of {len(runs)} runs ({shown}, …): choose one with --run")
    if known is not None:
        _check_samples(path, preview, known)
    return preview


def _unknown_values(preview: LabelPreview, criterion: Criterion | None) -> str:
    """The labels that map to no level, with their frequencies; empty where the levels are inferred."""
    if not preview.unknown or criterion is None:
        return ""
    shown = ", ".join(f"{value!r} ({preview.values[value]:,})" for value in preview.unknown[:8])
    more = f" and {len(preview.unknown) - 8} more" if len(preview.unknown) > 8 else ""
    return (
        f". Labels that stand for no level: {shown}{more}: add --level "
        f'"{preview.unknown[0]}={criterion.levels[-1]}" or "…=skip" for each'
    )


def _check_samples(path: Path, preview: LabelPreview, known: KnownSamples) -> None:
    labelled = {label.sample_id for label in preview.labels}
    foreign = labelled.difference(known.ids)
    if not foreign:
        return
    said = (
        f"{len(foreign)} of the {len(labelled)} samples in {path.name} are not in the {known.of}, such as "
        f"{min(foreign)!r}"
    )
    if foreign == labelled:
        raise FileFormatError(f"{said}: its sample_id must be the run's, such as {min(known.ids, default='')!r}")
    print_note(f"hcat: {said}: their labels are skipped")


def labelled_criterion(preview: LabelPreview, name: str, *, passing: str | None = None) -> Criterion:
    """The criterion of this name in the file, with the levels found there, passing from the one given."""
    for criterion in preview.criteria:
        if criterion.name == name:
            return criterion if passing is None else _passing_from(criterion, passing)
    known = ", ".join(criterion.name for criterion in preview.criteria) or "none"
    raise FileFormatError(f"no label has criterion {name!r}; the file has: {known}")


def calibrated_criterion(preview: LabelPreview, fitted: Calibration, *, passing: str | None = None) -> Criterion:
    """The calibration's criterion with the levels found in the file, passing from where it was fitted to."""
    found = labelled_criterion(preview, fitted.criterion, passing=passing)
    lowest = fitted.settings.get("passing")
    if not isinstance(lowest, int) or lowest == found.passing:
        return found
    if passing is not None or lowest >= len(found.levels):
        raise FileFormatError(
            f"in the calibration, passes start at level {lowest + 1}, which does not match the labels' levels "
            f"{', '.join(found.levels)}: give --levels, --passing or --positive as given to `hcat calibrate`"
        )
    return replace(found, passing=lowest)


def _passing_from(criterion: Criterion, level: str) -> Criterion:
    above = criterion.levels[1:]
    if level not in above:
        raise FileFormatError(f"--passing must be a level above the lowest: one of {', '.join(above)}, not {level!r}")
    return replace(criterion, passing=1 + above.index(level))
