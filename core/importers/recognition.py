"""Which format a file has, by its columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hcat.core.errors import FileFormatError
from hcat.core.importers.formats.ares import ARES
from hcat.core.importers.formats.continuous_eval import CONTINUOUS_EVAL
from hcat.core.importers.formats.deepeval import DEEPEVAL
from hcat.core.importers.formats.format import Format
from hcat.core.importers.formats.giskard import GISKARD
from hcat.core.importers.formats.grammar import GRAMMAR
from hcat.core.importers.formats.inspect_ai import INSPECT
from hcat.core.importers.formats.langfuse import LANGFUSE
from hcat.core.importers.formats.langsmith import LANGSMITH
from hcat.core.importers.formats.native import NATIVE
from hcat.core.importers.formats.phoenix import PHOENIX
from hcat.core.importers.formats.promptfoo import PROMPTFOO
from hcat.core.importers.formats.ragas import RAGAS
from hcat.core.importers.formats.ragas_01 import RAGAS_01
from hcat.core.importers.formats.ragchecker import RAGCHECKER
from hcat.core.importers.formats.trulens import TRULENS

FORMATS: tuple[Format, ...] = (
    NATIVE,
    RAGAS,
    RAGAS_01,
    DEEPEVAL,
    RAGCHECKER,
    TRULENS,
    PHOENIX,
    LANGSMITH,
    LANGFUSE,
    GISKARD,
    CONTINUOUS_EVAL,
    PROMPTFOO,
    ARES,
    GRAMMAR,
    INSPECT,
)

_SHOWN_COLUMNS = 30
_SHOWN_FORMATS = 3
_SHOWN_NAMES = 3


def recognise(columns: Collection[str]) -> Format | None:
    """The format that knows most of the columns among those that fit.

    On a tie, the format that needs more of them; then the earlier one in FORMATS.
    """
    fitting = [candidate for candidate in FORMATS if candidate.fits(columns)]
    return max(
        fitting, key=lambda candidate: (len(candidate.known_fields(columns)), len(candidate.required)), default=None
    )


def choose_format(columns: Collection[str], name: str | None) -> Format:
    """The named format, or the recognised one. FileFormatError lists the columns found and what each format needs."""
    if name is None:
        recognised = recognise(columns)
        if recognised is None:
            raise FileFormatError(
                f"the columns match no known format: {found_columns(columns)} {_needs(nearest(columns))}"
            )
        return recognised
    named = [candidate for candidate in FORMATS if candidate.name == name]
    if not named:
        raise FileFormatError(
            f'"{name}" is not a known format: choose one of {", ".join(candidate.name for candidate in FORMATS)}'
        )
    if named[0].missing(columns):
        raise FileFormatError(f"the file is not of that format: {found_columns(columns)} {_needs(named)}")
    return named[0]


def nearest(columns: Collection[str]) -> tuple[Format, ...]:
    """The native format, and up to `_SHOWN_FORMATS` others that lack the fewest of the columns they need."""
    missing = {candidate.name: len(candidate.missing(columns)) for candidate in FORMATS}
    near = [candidate for candidate in FORMATS[1:] if missing[candidate.name] < len(candidate.required)]
    return (NATIVE, *sorted(near, key=lambda candidate: missing[candidate.name])[:_SHOWN_FORMATS])


def found_columns(columns: Collection[str]) -> str:
    """The columns of a file, for a message."""
    shown = [column[:60] for column in list(columns)[:_SHOWN_COLUMNS]]
    rest = f" and {len(columns) - _SHOWN_COLUMNS} more" if len(columns) > _SHOWN_COLUMNS else ""
    return f"found {', '.join(shown) or 'no columns'}{rest}."


def _needs(formats: Sequence[Format]) -> str:
    needs = [f"{candidate.name} needs {', '.join(map(_shortened, candidate.required))}" for candidate in formats]
    return f"{'; '.join(needs)}. Rename the columns, or give a mapping to the native ones"


def _shortened(names: str) -> str:
    """The names of one column, without the less usual of them."""
    several = names.split("|")
    return names if len(several) <= _SHOWN_NAMES else f"{'|'.join(several[:_SHOWN_NAMES])}|…"


def quoted(names: Collection[str]) -> str:
    """Names in quotation marks, for a message."""
    return ", ".join(f'"{name}"' for name in names)
