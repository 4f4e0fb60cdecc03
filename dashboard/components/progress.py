"""A bar for work that the page waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import streamlit as st

from hcat.core.types import Progress
from hcat.core.wording.jobs.progress import progress_text
from hcat.dashboard.components.markdown import plain


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[Progress], None]]:
    """Show the progress of the work in a bar, which is removed when the work ends, however it ends."""
    bar, began = st.progress(0.0, f"**{title}**"), monotonic()

    def show(progress: Progress) -> None:
        said = plain(progress_text(progress, elapsed=monotonic() - began))
        bar.progress(min(progress.share or 0.0, 1.0), f"**{title}** {said}")

    try:
        yield show
    finally:
        bar.empty()
