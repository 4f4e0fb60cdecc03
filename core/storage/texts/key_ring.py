"""The keys of one file's texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["sample", "passage"]


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys of a file's texts, under a name: of its samples, and of its passages, each in the order of numbers."""

    name: str
    samples: bytes
    passages: bytes = b""

    @property
    def parts(self) -> dict[Part, bytes]:
        """The keys of each part, one after the other."""
        return {"sample": self.samples, "passage": self.passages}
