"""Open queries: the content of a heading's passage as a whole, and the development of a table row over the years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hcat.core.capabilities.test_sets.facts.context import Topic, topic_of
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.rows import amount_of, is_consistent, item_of, period_of
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import Voice, as_sentence

_FEWEST_STATEMENTS, _MOST_STATEMENTS = 3, 5
_FEWEST_YEARS = 3


def open_drafts(facts: Sequence[KeyFact], index: CorpusIndex, voice: Voice) -> Iterator[Draft]:
    """A query over a passage with a usable heading and at least three self-contained statements."""
    statements = [fact for fact in facts if fact.source is not None and fact.part is None]
    if len({fact.start for fact in statements}) < _FEWEST_STATEMENTS:
        return
    passage = statements[0].passage
    topic = topic_of(passage.heading, index.vocabulary)
    if topic is None or topic.is_condition:
        return
    chosen = [fact for fact in statements if not _is_of_the_sentence_before(fact, topic)][:_MOST_STATEMENTS]
    if len({fact.start for fact in chosen}) < _FEWEST_STATEMENTS - 1:
        return
    first, *rest = (voice.told(fact.source.said) for fact in chosen if fact.source is not None)
    lead = topic.lead
    reference = f"{as_sentence(f'{lead}, {first}' if lead.split()[-1] not in first else first)} "
    reference += " ".join(as_sentence(text) for text in rest)
    about = voice.asked(topic.with_article)
    written = {
        "neutral": as_sentence(f"What should I know about {about}", "?"),
        "polite": as_sentence(f"Could you please explain to me what applies to {about}", "?"),
        "colloquial": as_sentence(f"Can you give me the main points about {about}", "?"),
        "terse": as_sentence(f"{voice.asked(topic.phrase)}: main points", "?"),
    }
    yield Draft("open", "open, heading", written, reference, reference, tuple(chosen), metadata={"facts": len(chosen)})


def _is_of_the_sentence_before(fact: KeyFact, topic: Topic) -> bool:
    """Whether a statement is about "the term" or the like, which the heading doesn't name."""
    words = fact.source.subject.lower().split() if fact.source is not None else []
    return len(words) == 2 and words[0] == "the" and words[1] not in topic.words and not topic.name


def row_open_drafts(fact: KeyFact, index: CorpusIndex) -> Iterator[Draft]:
    """Drafts for the development of an organisation's item over three years or more."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None or len(row.cells) < _FEWEST_YEARS:
        return
    if not all(is_consistent(index, organisation, row, cell) for cell in row.cells):
        return
    noun, plural = item_of(row, organisation)
    cells = sorted(row.cells, key=lambda cell: cell.period)
    amounts = [f"{amount_of(row, cell)} {period_of(fact, row, cell)}" for cell in cells]
    reference = as_sentence(f"{noun} {'were' if plural else 'was'} {', '.join(amounts[:-1])} and {amounts[-1]}")
    span = f"from {cells[0].period} to {cells[-1].period}"
    written = wordings(f"how did {noun} develop {span}", f"how {noun} developed {span}", f"{noun} {span}")
    yield Draft("open", "open, table row", dict(written), reference, "; ".join(amounts), (fact,))
