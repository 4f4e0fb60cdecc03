"""Choice of how topics are found: the methods, and the parameters of the chosen ones."""

from __future__ import annotations

import streamlit as st

from hcat.core.topics.choice import CLUSTERINGS, REDUCTIONS, TopicChoice


def topic_choice() -> TopicChoice:
    """The choices for the next search; whatever nobody chooses depends on the number of texts."""
    with st.expander("How topics are found"):
        left, right = st.columns(2)
        with left:
            reduction = st.selectbox(
                "Reduction", REDUCTIONS, key="topic-reduction", help="auto: UMAP from 60 texts on, else PCA."
            )
            dimensions = _number("Dimensions (0: five)", 0, 50, "topic-dimensions", "To how many texts are reduced.")
            neighbours = None
            if reduction == "umap":
                neighbours = _number("Neighbours (0: 15)", 0, 200, "topic-neighbours", "More show coarser structure.")
        with right:
            clustering = st.selectbox(
                "Clustering", CLUSTERINGS, key="topic-clustering", help="auto: HDBSCAN from 60 texts on, else k-means."
            )
            k = least = radius = None
            if clustering == "k-means":
                k = _number("Number of topics (0: found)", 0, 500, "topic-k", "0 takes the best mean silhouette.")
            if clustering in ("hdbscan", "dbscan"):
                least = _number("Fewest texts of a topic (0: half of √n)", 0, 10_000, "topic-least", "At least 2.")
            if clustering == "dbscan":
                radius = st.number_input(
                    "Radius (0: at the bend of the distances)", 0.0, 100.0, 0.0, key="topic-radius", step=0.05
                )
    least = None if least is None else max(least, 2)
    return TopicChoice(reduction, clustering, k, dimensions, _at_least_two(neighbours), least, radius or None)


def _number(title: str, low: int, high: int, key: str, explanation: str) -> int | None:
    """The number that was entered; None for 0, which leaves it to the texts."""
    return int(st.number_input(title, low, high, 0, key=key, help=explanation)) or None


def _at_least_two(number: int | None) -> int | None:
    return None if number is None else max(number, 2)
