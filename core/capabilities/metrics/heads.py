"""Limitations and conditions of use of each metric and method, under the five heads of model documentation.

The texts are in the YAML file in the folder of this module; pages, commands, reports and the documentation show them.
Formulas, sources and single definitions are in the registry of metrics and in `docs/methods/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from hcat.core.records.file_limits import parse_yaml

_TEXTS = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True, slots=True)
class Method:
    """A method, or a kind of metrics: purpose, mechanism, signs of high risk, strengths, and limitations. `covers` are
    names of metrics, without their cut-off."""

    key: str
    title: str
    purpose: str
    mechanism: str
    signs_of_risk: str
    strengths: str
    limitations: str
    covers: tuple[str, ...] = ()

    @property
    def heads(self) -> Mapping[str, str]:
        """The five texts by their heads."""
        return {
            "Purpose": self.purpose,
            "Mechanism": self.mechanism,
            "Signs of high risk": self.signs_of_risk,
            "Strengths": self.strengths,
            "Limitations": self.limitations,
        }


def kinds() -> tuple[Method, ...]:
    """The kinds of metrics, in the order of the registry."""
    return _read()["kinds"]


def methods() -> tuple[Method, ...]:
    """The methods behind estimates, tests and verdicts."""
    return _read()["methods"]


def kinds_of(metrics: Iterable[str]) -> tuple[Method, ...]:
    """The kinds of these metrics, each once; none for metrics whose scores came from files."""
    named = {name.partition("@")[0] for name in metrics}
    return tuple(kind for kind in kinds() if named & set(kind.covers))


@cache
def _read() -> Mapping[str, tuple[Method, ...]]:
    reader = TypeAdapter(dict[str, tuple[Method, ...]])
    return reader.validate_python(parse_yaml(_TEXTS.read_text("utf-8"), name=_TEXTS.name))
