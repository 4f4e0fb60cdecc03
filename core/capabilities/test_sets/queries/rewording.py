"""Rewording of a query away from its passage, by replacements that change no number, name, unit or heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from hcat.core.capabilities.test_sets.queries.exchanges import DETERMINERS, FRAMES, NOT_BEFORE_TO, VERBS, WORDS


def reworded(query: str, *, keep: Iterable[str], overlap: Callable[[str], float], words: bool = True) -> str:
    """The query after each replacement that lowers its `overlap` with its passages and preserves every phrase of
    `keep`.

    Without `words`, only the frame of the question changes, since labels of tables are names. A replacement whose new
    words are also in the passages lowers nothing, since they may mean something else there."""
    phrases = [phrase for phrase in keep if phrase and phrase in query]
    shared = overlap(query)
    for pattern, other in (*_FRAMES, *_WORDS) if words else _FRAMES:
        found = pattern.search(query)
        if found is None or _is_other_word(query, found):
            continue
        changed = _capitalised(pattern.sub(other, query, count=1), like=query)
        if changed == query or _WRONG_ARTICLE.search(changed) or not all(phrase in changed for phrase in phrases):
            continue
        lower = overlap(changed)
        if lower < shared:
            query, shared = changed, lower
    return query


def _is_other_word(query: str, found: re.Match[str]) -> bool:
    """Whether the word is a noun although a verb is replaced, or precedes "to" although the new one can't."""
    before = query[: found.start()].lower().split()[-1:]
    return (found[0] in VERBS and not DETERMINERS.isdisjoint(before)) or (
        found[0] in NOT_BEFORE_TO and query[found.end() :].startswith(" to ")
    )


_WRONG_ARTICLE = re.compile(r"\b(?:[Aa] [aeio]|[Aa]n (?![aeiouhAEIOUH]))")


def _capitalised(text: str, *, like: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" if like[:1].isupper() else text


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.strip().split("\n"):
        pattern, _, other = line.partition(" = ")
        yield pattern, other.replace("~", " ")


_FRAMES = tuple((re.compile(pattern), other) for pattern, other in _pairs(FRAMES))
_WORDS = tuple((re.compile(rf"(?<![\w'’-]){re.escape(one)}(?![\w'’-])"), other) for one, other in _pairs(WORDS))
