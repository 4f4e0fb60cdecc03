"""Sends many requests to one language model in batches, and counts the replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.types import Progress

AT_A_TIME = 64
"""The least number of requests in a batch: if none of a batch succeeds, the next one is not sent."""
ROUNDS = 16
"""The size of a batch in multiples of parallel requests, so that little time is lost waiting for the last replies."""


@dataclass
class Counted:
    """Reports the number of requests out of `total` that have replies, over all batches and models."""

    tell: Callable[[Progress], None] | None
    total: int
    answered: int = 0

    def of_batch(self, replies: int, _: int) -> None:
        """Report the number of replies in the current batch."""
        if self.tell is not None:
            self.tell(Progress("judge", min(self.answered + replies, self.total), self.total))


def ask_in_batches(model: LanguageModel, requests: Sequence[Request], counted: Counted) -> list[Reply]:
    """The replies, in the order of the requests. Raises ModelError if no request of a batch could succeed."""
    replies: list[Reply] = []
    size = max(AT_A_TIME, ROUNDS * model.parallel)
    for start in range(0, len(requests), size):
        batch = ask_all(model, requests[start : start + size], on_reply=counted.of_batch)
        counted.answered += len(batch)
        replies += batch
    return replies
