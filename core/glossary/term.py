"""One entry of the glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word or symbol, what it means in one or two sentences, and who defined it ("" where hcat does).

    `key` stands in addresses; `also` are the other ways in which screens write it.
    """

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
        """Whether the text stands in the entry, whatever the case of its letters."""
        wanted = text.casefold().strip()
        return any(wanted in part.casefold() for part in (*self.names, self.key, self.meaning))
