"""Matches of the word pieces of a block of samples, in as many passes as memory requires."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.token_matching import Idf, greedy_matches
from hcat.core.models.cache import EmbeddingStore, text_key
from hcat.core.models.encoder.encoder import ENCODER, TOKENS
from hcat.core.models.encoder.token_states import TokenEncoder, TokenStates
from hcat.core.scoring.block import Block
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.types import OnProgress, Progress

STAGE = "match"
CHARACTERS_AT_ONCE = 200_000
"""The most characters of answers and references whose states are in memory: some 100 MB, at most three times that."""


class _MatchTokens:
    """Matches the word pieces of answers and references, if a metric needs them.

    The states belong to whole texts, so that a text of several sentences is encoded once as a whole and once sentence
    by sentence. A text that is one sentence is encoded once: its embedding comes from the same pass and is saved."""

    def __init__(self, inputs: StepInputs) -> None:
        encoder: object = inputs.models.get(ENCODER)
        self._metrics = inputs.needing(TOKENS)
        self._shares = bool(inputs.needing(ENCODER.name))
        self._encoder = encoder if isinstance(encoder, TokenEncoder) else None
        self._store = inputs.store
        self._idf = inputs.idf or count_word_pieces(inputs)

    def __call__(self, block: Block, on_progress: OnProgress | None) -> Block:
        """The samples with the matches of their word pieces; embeddings that are by-products are saved in the store."""
        encoder = self._encoder
        if encoder is None:
            return block
        found = list(block)
        places = [
            place for place, sample in enumerate(block) if any(m.unscored_reason(sample) is None for m in self._metrics)
        ]
        done = 0
        for group in _groups(block, places):
            texts = list(dict.fromkeys(text for place in group for text in _texts(block[place])))
            states = dict(zip(texts, encoder.encode_tokens(texts), strict=True))
            for place in group:
                answer, reference = _texts(block[place])
                idf = () if self._idf is None else (self._idf,)
                found[place] = block[place].with_results(greedy_matches(states[answer], states[reference]), *idf)
            if self._shares:
                _keep(_embedded([block[place] for place in group], states), self._store)
            done += len(group)
            if on_progress is not None:
                on_progress(Progress(STAGE, done, len(places)))
        return found


def count_word_pieces(inputs: StepInputs) -> Idf | None:
    """The inverse document frequency of word pieces in the references of the whole run; None if no metric reads it.

    One pass over the samples, of which a thousand are in memory at a time."""
    encoder: object = inputs.models.get(ENCODER)
    reads_run = any(metric.reads_whole_run for metric in inputs.needing(TOKENS))
    if not reads_run or not isinstance(encoder, TokenEncoder):
        return None
    references = (text for sample in inputs.samples if (text := (sample.reference or "").strip()))
    return Idf.of(pieces for texts in _thousands(references) for pieces in encoder.token_ids(texts))


def _thousands(texts: Iterator[str]) -> Iterator[list[str]]:
    while some := list(itertools.islice(texts, 1000)):
        yield some


def _prepare(inputs: StepInputs) -> RunStep:
    return _MatchTokens(inputs)


def _texts(sample: SampleView) -> tuple[str, str]:
    return (sample.sample.answer or "").strip(), (sample.sample.reference or "").strip()


def _groups(block: Sequence[SampleView], places: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    size = 0
    for place in places:
        added = sum(len(text) for text in _texts(block[place]))
        if group and size + added > CHARACTERS_AT_ONCE:
            yield group
            group, size = [], 0
        group.append(place)
        size += added
    if group:
        yield group


def _embedded(group: Sequence[SampleView], states: dict[str, TokenStates]) -> dict[str, NDArray[np.float32]]:
    """The embeddings of those texts that are one sentence."""
    found: dict[str, NDArray[np.float32]] = {}
    for sample in group:
        for part, text in zip(("answer", "reference"), _texts(sample), strict=True):
            row = states[text].row
            if row is not None and [placed.sentence.text for placed in sample.parts[part]] == [text]:
                found[text] = row
    return found


def _keep(rows: dict[str, NDArray[np.float32]], store: EmbeddingStore) -> None:
    keys = {text_key(text): row for text, row in rows.items()}
    held = store.get(list(keys))
    new = {key: row for key, row in keys.items() if key not in held}
    if new:
        store.put(list(new), np.stack(list(new.values())))


MATCH_TOKENS = Step(STAGE, (TOKENS,), _prepare)
