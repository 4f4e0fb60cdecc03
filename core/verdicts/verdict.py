"""What is declared of a verdict, beside the function that decides it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One claim that a result can make, in one or several words.

    `error` is the largest probability with which any result of one `family` makes the claim although it is false.
    `decides` names the function that chooses the word, `carried_by` the attribute in which people meet it; both as
    "module:name".
    """

    name: str
    words: tuple[str, ...]
    claim: str
    error: float
    family: str
    decides: str
    carried_by: str
