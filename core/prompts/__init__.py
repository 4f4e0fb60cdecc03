"""The prompts that language models are given: one text file each, whose first line is its version."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hcat.core.records.hashing import sha256_of_text


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of this package. Whoever changes its text raises its version."""

    name: str
    version: int
    text: str

    @property
    def title(self) -> str:
        """Name, version and the beginning of the text's hash, as provenance and explanations carry it."""
        return f"{self.name} v{self.version} {sha256_of_text(self.text)[:12]}"


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt in `<name>.txt`: "version: 1" on its first line, then a blank line, then the text."""
    head, _, text = files(__name__).joinpath(f"{name}.txt").read_text("utf-8").partition("\n\n")
    return Prompt(name, int(head.removeprefix("version:")), text.strip())
