"""One entry of the glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word or symbol, its meaning in one or two sentences, and its source ("" if it is hcat's own).

    `key` is used in addresses; `also` are the other ways in which screens write it."""

    key: str
    name: str
    meaning: str
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name, then the other ways to write it."""
        return (self.name, *self.also)

    def has(self, text: str) -> bool:
        """Whether the entry contains the text, ignoring case."""
        wanted = text.casefold().strip()
        return any(wanted in part.casefold() for part in (*self.names, self.key, self.meaning))
