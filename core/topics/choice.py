"""The choice of a topic method, if it is not left to the number of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, TypeVar, get_args

from hcat.core.errors import HcatError
from hcat.core.types import JsonValue

ReductionChoice = Literal["auto", "umap", "pca"]
ClusterChoice = Literal["auto", "hdbscan", "dbscan", "k-means"]
REDUCTIONS: tuple[ReductionChoice, ...] = get_args(ReductionChoice)
CLUSTERINGS: tuple[ClusterChoice, ...] = get_args(ClusterChoice)
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """The settings of reduction and clustering; "auto" and None leave them to the texts.

    The reduction to so many `dimensions`, with UMAP by so many `neighbours`; the clustering, with k-means into `k`
    topics, by density into topics of at least `least` texts, with DBSCAN within a `radius` of the reduced rows."""

    reduction: ReductionChoice = "auto"
    clustering: ClusterChoice = "auto"
    k: int | None = None
    dimensions: int | None = None
    neighbours: int | None = None
    least: int | None = None
    radius: float | None = None

    def __post_init__(self) -> None:
        belongs = (
            ("a number of topics", self.k, self.clustering == "k-means", "the clustering k-means"),
            ("a number of neighbours", self.neighbours, self.reduction == "umap", "the reduction umap"),
            ("a radius", self.radius, self.clustering == "dbscan", "the clustering dbscan"),
            (
                "a smallest topic",
                self.least,
                self.clustering in ("hdbscan", "dbscan"),
                "the clustering hdbscan or dbscan",
            ),
        )
        for what, value, fits, needed in belongs:
            if value is not None and not fits:
                raise HcatError(f"{what} takes {needed}")
        lowest = (("topic", self.k, 1), ("dimension", self.dimensions, 1), ("text in a topic", self.least, 2))
        for what, number, fewest in lowest:
            if number is not None and number < fewest:
                raise HcatError(f"there is at least {fewest} {what}, not {number}")
        if self.neighbours is not None and self.neighbours < 2:
            raise HcatError(f"UMAP takes at least 2 neighbours, not {self.neighbours}")
        if self.radius is not None and not 0 < self.radius < float("inf"):
            raise HcatError(f"a radius is a positive number, not {self.radius}")

    @classmethod
    def of(
        cls,
        *,
        reduction: str = "auto",
        clustering: str = "auto",
        k: int | None = None,
        dimensions: int | None = None,
        neighbours: int | None = None,
        least: int | None = None,
        radius: float | None = None,
    ) -> TopicChoice:
        """The choice that these words name; a number alone means k-means, a radius DBSCAN, neighbours UMAP.

        HcatError for an unknown word."""
        clustering = {"kmeans": "k-means"}.get(clustering, clustering)
        if clustering == "auto":
            clustering = "k-means" if k is not None else "dbscan" if radius is not None else "auto"
            clustering = "hdbscan" if clustering == "auto" and least is not None else clustering
        reduction = "umap" if neighbours is not None and reduction == "auto" else reduction
        return cls(
            _among(reduction, REDUCTIONS, "reduction"),
            _among(clustering, CLUSTERINGS, "clustering"),
            k,
            dimensions,
            neighbours,
            least,
            radius,
        )

    @classmethod
    def read(cls, arguments: Mapping[str, JsonValue]) -> TopicChoice:
        """The inverse of `written`, for jobs; missing settings are left to the texts."""
        numbers = {name: arguments.get(name) for name in ("k", "dimensions", "neighbours", "least")}
        whole = {name: value if isinstance(value, int) else None for name, value in numbers.items()}
        radius = arguments.get("radius")
        return cls.of(
            reduction=str(arguments.get("reduction", "auto")),
            clustering=str(arguments.get("clustering", "auto")),
            radius=float(radius) if isinstance(radius, int | float) else None,
            **whole,
        )

    def written(self) -> dict[str, JsonValue]:
        """The chosen settings as JSON, without those left to the texts."""
        return {name: value for name, value in asdict(self).items() if value not in ("auto", None)}


AUTOMATIC = TopicChoice()


def _among(word: str, choices: tuple[T, ...], what: str) -> T:
    for choice in choices:
        if choice == word:
            return choice
    raise HcatError(f"no {what} {word!r}: choose one of {', '.join(choices)}")
