"""The kind of annotator of a label, and its former encoding in names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from hcat.core.types import LabelSource

LABEL_SOURCES: Mapping[str, LabelSource] = {source: source for source in get_args(LabelSource)}
"""Sources by their name, as a file or a database gives it."""
BY_PEOPLE = frozenset[LabelSource]({"person", "adjudication"})
"""Labels of these sources are by people; rules and language models are not."""

_FORMER_RULE, _FORMER_ADJUDICATION = "reference-rule", "adjudication by "


def read_former_name(annotator: str) -> tuple[LabelSource, str]:
    """The source and the annotator's own name, from a name of the time when its beginning gave the source."""
    if annotator.startswith(_FORMER_ADJUDICATION):
        return "adjudication", annotator.removeprefix(_FORMER_ADJUDICATION)
    return ("rule" if annotator.startswith(_FORMER_RULE) else "person"), annotator
