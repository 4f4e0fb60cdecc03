"""Key facts: the content of one sentence or table row of a passage, complete enough to be asked for by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.capabilities.test_sets.facts.answers import Answer
from hcat.core.capabilities.test_sets.facts.clauses import Clause
from hcat.core.capabilities.test_sets.facts.grids import GridFact
from hcat.core.capabilities.test_sets.facts.lexicon import lowered
from hcat.core.capabilities.test_sets.facts.tables import TableFact
from hcat.core.records.passages import CorpusPassage

FactKind = Literal[
    "quantity", "time", "reason", "condition", "place", "means", "list", "definition", "table row", "statement"
]


@dataclass(frozen=True, slots=True)
class IndependentClause:
    """A clause of a passage that can be understood without it.

    `subject` is the subject in mid-sentence form, with the name from the heading. `topic_lead` is the phrase that
    states the heading ("For Harbour Credit"), "" if the clause does; `lead` is the clause's own first words."""

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
        """The clause without its heading, for use after the heading was named."""
        body = f"{self.subject} {self.clause.text(self.clause.subject[1], self.clause.end)}"
        return f"{lowered(self.lead)}, {body}" if self.lead else body

    @property
    def inside(self) -> str:
        """The clause in mid-sentence form: without a capital that only the beginning of a sentence requires."""
        start, end = self.clause.subject[1], self.clause.end
        words = self.clause.text(start, end)
        first = lowered(self.topic_lead or self.lead)
        last = f" {lowered(self.lead)}" if self.topic_lead and self.lead else ""
        body = f"{self.subject} {words}{last}"
        return f"{first}, {body}" if first else body


@dataclass(frozen=True, slots=True)
class KeyFact:
    """A statement of a passage that can be asked for, at `passage.text[start:end]`.

    `answer` is the part that a short answer gives. The source is a clause, with the words asked for, or a table."""

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
