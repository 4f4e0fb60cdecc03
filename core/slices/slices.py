"""The dimensions by which samples are sliced: those in the run file, and those that hcat derives itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import HcatError
from hcat.core.records.samples.columns import Levels, NumberColumn, SampleColumns
from hcat.core.refusals.state import TITLES, AnswerState
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Sample, Slice

if TYPE_CHECKING:
    import pandas as pd

MISSING, OTHER = "(none)", "(other)"
ORIGINAL = "original"
"""The level of samples that are no variants, where others are."""
QUERY_TYPE = "query_type"
"""The dimension in which test cases state their type. Only a run that has none is given the type of its wording, since
a stated one knows more."""
MOST_LEVELS = 40
BINS = 4
MOST_NUMERIC_LEVELS = 12
"""A given dimension whose levels are all numbers is binned when it has more levels than this."""


def dimension_frame(
    samples: Sequence[Sample] | SampleColumns,
    *,
    extra: Mapping[str, Sequence[str | None] | Levels] | None = None,
    bins: int = BINS,
) -> pd.DataFrame:
    """One row per sample (indexed by its id), one categorical column per dimension.

    Columns are the given dimensions, those of `extra` (such as topics, one value a sample in order), then the derived:
    variant (the family, or "original", where the run has variants), query_type (by the wording of the query, where the
    run states none), refusal (the state of the answer, by its title), query_length, answer_length and context_length
    (words), contexts (how many), retrieval_score (of the first context). A name already taken gets " (derived)" behind
    it. Numbers are binned by quantile, in rising order. A sample without a value is at level "(none)"; of more than 40
    levels, the rarer ones become "(other)". Dimensions with a single level are left out.
    """
    import pandas as pd

    columns = ColumnsOfSamples(samples) if isinstance(samples, Sequence) else samples
    ids = columns.ids()
    found: dict[str, pd.Categorical] = {}
    for name in columns.dimension_names():
        found[name] = _categorical(columns.dimension(name), bins)
    for name, given in (extra or {}).items():
        levels = given if isinstance(given, Levels) else Levels.of(given)
        if len(levels.codes) != len(ids):
            raise HcatError(f"dimension {name!r} has {len(levels.codes)} values for {len(ids)} samples")
        found[_free(name, found)] = _categorical(levels, bins)
    families = columns.levels("variant_family")
    if families.is_given:
        found[_free("variant", found)] = _categorical(_with_originals(families), bins)
    if QUERY_TYPE not in found and (worded := columns.levels("query_type")).is_given:
        found[QUERY_TYPE] = _categorical(worded, bins)
    found[_free("refusal", found)] = _categorical(_titled(columns.levels("answer_state")), bins)
    for number, unit in _DERIVED.items():
        found[_free(number, found)] = quantile_bins(columns.numbers(number), bins=bins, unit=unit)
    index = pd.Index(list(ids), name="sample_id", dtype="str")
    telling = {name: column for name, column in found.items() if len(column.categories) > 1}
    return pd.DataFrame({name: pd.Series(column, index=index) for name, column in telling.items()}, index=index)


def quantile_bins(values: NDArray[np.float64], *, bins: int = BINS, unit: str = "") -> pd.Categorical:
    """Numbers (n,) as an ordered categorical of at most `bins` levels of similar size, then "(none)" if not finite.

    Each level is named after the smallest and largest number in it: "12–18 words". Equal numbers share a level.
    """
    import pandas as pd

    known = np.isfinite(values)
    present = values[known]
    names: list[str] = []
    codes = np.full(len(values), -1, dtype=np.intp)
    if len(present):
        cuts = np.unique(np.quantile(present, np.arange(1, bins) / bins, method="lower"))
        codes[known] = np.searchsorted(cuts[cuts < present.max()], present, side="left")
        lows = [float(present[codes[known] == k].min()) for k in range(codes.max() + 1)]
        highs = [float(present[codes[known] == k].max()) for k in range(codes.max() + 1)]
        names = _range_names(lows, highs, unit)
    if not known.all():
        codes[~known] = len(names)
        names.append(MISSING)
    return pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype="str"), ordered=True)


OUTCOMES = ("refusal", "answer_length")
"""Derived dimensions that describe the system's output, not its input."""


def input_dimensions(dimensions: pd.DataFrame) -> list[str]:
    """The dimensions in their order, without `OUTCOMES`: that refusals score badly is not a finding."""
    return [str(name) for name in dimensions.columns if name not in OUTCOMES]


def samples_in(dimensions: pd.DataFrame, slice_: Slice) -> list[str]:
    """The ids of the samples in a slice, in order. HcatError where a dimension is unknown."""
    inside = _at_level(dimensions, slice_.dimension_1, slice_.level_1)
    if slice_.dimension_2 is not None and slice_.level_2 is not None:
        inside = inside & _at_level(dimensions, slice_.dimension_2, slice_.level_2)
    return list(map(str, dimensions.index[inside].to_numpy()))


def require_dimensions(dimensions: pd.DataFrame, names: Sequence[str]) -> None:
    """HcatError naming the first dimension that the frame lacks, and those that it has."""
    for name in names:
        if name not in dimensions.columns:
            known = ", ".join(str(column) for column in dimensions.columns) or "none"
            raise HcatError(f"no dimension {name!r} to slice by; there are: {known}")


def _at_level(dimensions: pd.DataFrame, name: str, level: str) -> NDArray[np.bool_]:
    require_dimensions(dimensions, [name])
    column = dimensions[name]
    if level in getattr(column.dtype, "categories", ()):  # its numbers are compared, not a text a sample
        return np.asarray(column.cat.codes == column.cat.categories.get_loc(level), dtype=bool)
    return (column.astype("str") == level).to_numpy(dtype=bool)


def _with_originals(families: Levels) -> Levels:
    """The families with a level for the samples that are no variants: a level of their own, or that of a family of its
    name."""
    names = families.names if ORIGINAL in families.names else (*families.names, ORIGINAL)
    return Levels(np.where(families.codes < 0, np.int32(names.index(ORIGINAL)), families.codes), names)


def _titled(states: Levels) -> Levels:
    return Levels(states.codes, tuple(TITLES[cast("AnswerState", state)] for state in states.names))


_DERIVED: dict[NumberColumn, str] = {
    "query_length": "words",
    "answer_length": "words",
    "context_length": "words",
    "contexts": "contexts",
    "retrieval_score": "",
}
"""The numbers of a sample that it is sliced by, each with its unit."""


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += " (derived)"
    return name


def _categorical(levels: Levels, bins: int) -> pd.Categorical:
    import pandas as pd

    counted = np.bincount(levels.codes[levels.codes >= 0], minlength=len(levels.names))
    counts = {name: int(count) for name, count in zip(levels.names, counted, strict=True) if name and count}
    numbers = {level: _number(level) for level in counts}
    numeric = {level: number for level, number in numbers.items() if number is not None}
    if counts and len(numeric) == len(counts):
        if len(counts) > MOST_NUMERIC_LEVELS:
            values = np.array([*(numeric.get(name, np.nan) for name in levels.names), np.nan])
            return quantile_bins(values[levels.codes], bins=bins)
        names = sorted(counts, key=lambda level: (numeric[level], level))
    else:
        frequent = sorted(counts, key=lambda level: (-counts[level], level))[:MOST_LEVELS]
        names = sorted(frequent)
    kept = set(names)
    shown = [MISSING if not name else name if name in kept else OTHER for name in levels.names]
    used = {MISSING} if bool((levels.codes < 0).any()) else set()
    used |= {level for level, count in zip(shown, counted, strict=True) if count}
    categories = [*names, *(level for level in (OTHER, MISSING) if level in used and level not in kept)]
    place = {level: code for code, level in enumerate(categories)}
    codes = np.array([*(place.get(level, -1) for level in shown), place.get(MISSING, -1)], dtype=np.intp)
    return pd.Categorical.from_codes(
        codes[levels.codes], categories=pd.Index(categories, dtype="str"), ordered=len(numeric) == len(counts)
    )


def _number(level: str) -> float | None:
    try:
        number = float(level)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _range_names(lows: Sequence[float], highs: Sequence[float], unit: str) -> list[str]:
    """Names of the ranges, with as few digits as make them different."""
    names: list[str] = []
    for digits in range(3, 18):
        names = [_range_name(low, high, unit, digits) for low, high in zip(lows, highs, strict=True)]
        ends = [_plain(end, digits) for pair in zip(lows, highs, strict=True) for end in dict.fromkeys(pair)]
        if len(set(ends)) == len(ends):
            break
    return names


def _range_name(low: float, high: float, unit: str, digits: int) -> str:
    first, last = _plain(low, digits), _plain(high, digits)
    numbers = first if first == last else f"{first}–{last}"
    singular = unit.removesuffix("s") if numbers == "1" else unit
    return f"{numbers} {singular}".strip()


def _plain(value: float, digits: int) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.{digits}g}"


def row_slice(row: pd.Series) -> Slice:
    """The slice that a row of a weakness table describes."""
    dimension_2, level_2 = row["dimension_2"], row["level_2"]
    paired = isinstance(dimension_2, str) and isinstance(level_2, str)
    return Slice(
        str(row["dimension_1"]),
        str(row["level_1"]),
        dimension_2 if paired else None,
        level_2 if paired else None,
    )
