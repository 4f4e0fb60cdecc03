"""Key facts: what a passage states in one sentence or table row, complete enough to be asked for by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.testgen.facts.answers import Answer
from hcat.core.testgen.facts.clauses import Clause
from hcat.core.testgen.facts.grids import GridFact
from hcat.core.testgen.facts.lexicon import lowered
from hcat.core.testgen.facts.tables import TableFact
from hcat.core.testgen.passages import CorpusPassage

FactKind = Literal[
    "quantity", "time", "reason", "condition", "place", "means", "list", "definition", "table row", "statement"
]


@dataclass(frozen=True, slots=True)
class IndependentClause:
    """A clause of a passage that can be understood without it.

    `subject` is the subject with what the heading names, as it stands inside a sentence; `topic_lead` the words that
    put the clause under its heading ("For Harbour Credit"), "" where the clause says it; `lead` its own first words.
    """

    clause: Clause
    subject: str
    lead: str = ""
    topic_lead: str = ""

    @property
    def statement(self) -> str:
        """The clause as a sentence."""
        inside = self.inside
        return f"{inside[:1].upper()}{inside[1:]}."

    @property
    def said(self) -> str:
        """The clause without its heading, for a place where that is named already."""
        body = f"{self.subject} {self.clause.text(self.clause.subject[1], self.clause.end)}"
        return f"{lowered(self.lead)}, {body}" if self.lead else body

    @property
    def inside(self) -> str:
        """The clause as it stands inside a sentence: without the capital that only its place gives."""
        start, end = self.clause.subject[1], self.clause.end
        words = self.clause.text(start, end)
        first = lowered(self.topic_lead or self.lead)
        last = f" {lowered(self.lead)}" if self.topic_lead and self.lead else ""
        body = f"{self.subject} {words}{last}"
        return f"{first}, {body}" if first else body


@dataclass(frozen=True, slots=True)
class KeyFact:
    """A statement of a passage that can be asked for: `passage.text[start:end]` is where it stands.

    `answer` is the part that a short answer gives. It comes from a clause, with the words asked for, or from a table.
    """

    passage: CorpusPassage
    kind: FactKind
    statement: str
    answer: str
    start: int
    end: int
    place: int = 0
    source: IndependentClause | None = None
    part: Answer | None = None
    row: TableFact | None = None
    cell: GridFact | None = None
