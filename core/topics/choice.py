"""How topics are to be found, where somebody does not leave it to the number of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from core.errors import HcatError
from core.types import JsonValue

ReductionChoice = Literal["auto", "umap", "pca"]
ClusterChoice = Literal["auto", "hdbscan", "dbscan", "k-means"]
REDUCTIONS: tuple[ReductionChoice, ...] = get_args(ReductionChoice)
CLUSTERINGS: tuple[ClusterChoice, ...] = get_args(ClusterChoice)
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """The reduction, the clustering, and with k-means how many topics; "auto" and None leave it to the texts."""

    reduction: ReductionChoice = "auto"
    clustering: ClusterChoice = "auto"
    k: int | None = None

    def __post_init__(self) -> None:
        if self.k is not None and self.clustering != "k-means":
            raise HcatError(f"a number of topics takes the clustering k-means, not {self.clustering}")
        if self.k is not None and self.k < 1:
            raise HcatError(f"there is at least one topic, not {self.k}")

    @classmethod
    def of(cls, *, reduction: str = "auto", clustering: str = "auto", k: int | None = None) -> TopicChoice:
        """The choice that these words name; a number alone means k-means. HcatError for an unknown word."""
        clustering = "k-means" if k is not None and clustering == "auto" else clustering
        return cls(_among(reduction, REDUCTIONS, "reduction"), _among(clustering, CLUSTERINGS, "clustering"), k)

    @classmethod
    def read(cls, arguments: Mapping[str, JsonValue]) -> TopicChoice:
        """The inverse of `written`, for jobs; what is not there is left to the texts."""
        k = arguments.get("k")
        return cls.of(
            reduction=str(arguments.get("reduction", "auto")),
            clustering=str(arguments.get("clustering", "auto")),
            k=k if isinstance(k, int) else None,
        )

    def written(self) -> dict[str, JsonValue]:
        """What was chosen, as JSON; nothing of what is left to the texts."""
        chosen: dict[str, JsonValue] = {"reduction": self.reduction, "clustering": self.clustering, "k": self.k}
        return {name: value for name, value in chosen.items() if value not in ("auto", None)}


AUTOMATIC = TopicChoice()


def _among(word: str, choices: tuple[T, ...], what: str) -> T:
    for choice in choices:
        if choice == word:
            return choice
    raise HcatError(f"no {what} {word!r}: choose one of {', '.join(choices)}")
