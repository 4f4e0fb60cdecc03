"""Which samples a page shows: a value that lives in the URL, so that it can be shared, bookmarked and reloaded."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hcat.core.errors import HcatError
from hcat.core.figures.point_map.selection import MOST_CORNERS, Point
from hcat.core.records.hashing import sha256_of_text
from hcat.core.slices.slices import samples_in
from hcat.core.types import Slice

MAX_IDS = 400
"""Up to so many samples are named in a URL; more, which browsers would refuse, are marked in the order of the run."""
OF_ANOTHER_RUN = ("",)
"""The ids of marks or of an area that were made of another run: no sample has it."""


@dataclass(frozen=True, slots=True)
class MapArea:
    """A polygon on the map of some topics: their source, the hash that identifies them, and the corners."""

    on: str
    topics: str
    corners: tuple[Point, ...]

    def to_text(self) -> str:
        """Of letters that an address takes as they are; the corners bit by bit."""
        packed = base64.urlsafe_b64encode(np.array(self.corners, dtype="<f8").tobytes()).decode()
        return f"{self.on}.{self.topics}.{packed}"

    @classmethod
    def from_text(cls, text: str) -> MapArea | None:
        """The area in such a text; None where it is none."""
        on, _, rest = text.partition(".")
        topics, _, packed = rest.partition(".")
        try:
            numbers = np.frombuffer(base64.urlsafe_b64decode(packed), dtype="<f8")
        except (binascii.Error, ValueError):
            return None
        if len(numbers) % 2 or not 3 <= len(numbers) // 2 <= MOST_CORNERS or not np.isfinite(numbers).all():
            return None
        return cls(on, topics, tuple((float(x), float(y)) for x, y in numbers.reshape(-1, 2)))


def _nothing(_area: MapArea) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class SampleSelection:
    """All samples of the run, those of a slice, or a list of ids; with the `area` of the map that they came from."""

    slice: Slice | None = None
    sample_ids: tuple[str, ...] = ()
    area: MapArea | None = None

    @property
    def title(self) -> str:
        if self.slice is not None:
            return self.slice.title
        if self.sample_ids == OF_ANOTHER_RUN:
            return "a selection of another run, or of topics that have been found again since"
        return f"{len(self.sample_ids):,} selected samples" if self.sample_ids else "all samples"

    def to_query(self, order: Sequence[str] = ()) -> dict[str, str]:
        """The selection as URL parameters; `order` are the ids of the run's samples, which a long list needs. Of a long
        list that an area holds, whichever of the two is shorter."""
        if self.slice is not None:
            levels = [self.slice.dimension_1, self.slice.level_1]
            if self.slice.dimension_2 is not None:
                levels += [self.slice.dimension_2, str(self.slice.level_2)]
            return {"slice": json.dumps(levels, ensure_ascii=False)}
        if len(self.sample_ids) > MAX_IDS and order:
            marks, area = _marks(self.sample_ids, order), "" if self.area is None else self.area.to_text()
            return {"area": area} if 0 < len(area) < len(marks) else {"marks": marks}
        if self.sample_ids:
            return {"ids": json.dumps(self.sample_ids, ensure_ascii=False)}
        return {}

    @classmethod
    def from_query(
        cls,
        query: Mapping[str, str],
        order: Sequence[str] = (),
        *,
        inside: Callable[[MapArea], tuple[str, ...]] = _nothing,
    ) -> SampleSelection:
        """The selection in these URL parameters; whatever is not one selects all samples. `inside` returns the samples
        in an area of the map."""
        levels = _texts(query.get("slice"))
        if len(levels) == 2:
            return cls(slice=Slice(levels[0], levels[1]))
        if len(levels) == 4:
            return cls(slice=Slice(levels[0], levels[1], levels[2], levels[3]))
        if query.get("marks"):
            return cls(sample_ids=_marked(query["marks"], order))
        if query.get("area"):
            area = MapArea.from_text(query["area"])
            return cls(sample_ids=(() if area is None else inside(area)) or OF_ANOTHER_RUN, area=area)
        return cls(sample_ids=tuple(_texts(query.get("ids"))))

    def choose(self, dimensions: pd.DataFrame) -> list[str]:
        """The ids that this selects from a frame of dimensions indexed by sample id, in its order."""
        if self.sample_ids:
            wanted = set(self.sample_ids)
            return [name for name in map(str, dimensions.index.to_numpy()) if name in wanted]
        if self.slice is None:
            return list(map(str, dimensions.index.to_numpy()))
        try:
            return samples_in(dimensions, self.slice)
        except HcatError:  # an old link may name a dimension that the run does not have
            return []


def _marks(sample_ids: Sequence[str], order: Sequence[str]) -> str:
    """One bit for each sample of the run, packed, after a few digits that identify the run."""
    chosen = frozenset(sample_ids)
    bits = np.packbits(np.array([sample_id in chosen for sample_id in order], dtype=np.bool_))
    packed = base64.urlsafe_b64encode(zlib.compress(bits.tobytes(), 9)).decode()
    return f"{_run_mark(order)}.{packed}"


def _marked(text: str, order: Sequence[str]) -> tuple[str, ...]:
    run, _, packed = text.partition(".")
    if run != _run_mark(order):
        return OF_ANOTHER_RUN
    try:
        bits = zlib.decompressobj().decompress(base64.urlsafe_b64decode(packed), len(order))
    except (binascii.Error, ValueError, zlib.error):
        return OF_ANOTHER_RUN
    hits = np.unpackbits(np.frombuffer(bits, dtype=np.uint8))[: len(order)]
    return tuple(sample_id for sample_id, hit in zip(order, hits, strict=False) if hit) or OF_ANOTHER_RUN


def _run_mark(order: Sequence[str]) -> str:
    return sha256_of_text("\x1f".join(order))[:8]


def _texts(value: str | None) -> list[str]:
    try:
        texts = json.loads(value or "[]")
    except (ValueError, RecursionError):  # no JSON, digits without end, lists in lists without end
        return []
    return texts if isinstance(texts, list) and all(isinstance(item, str) for item in texts) else []


def selected_customdata(event: Mapping[str, object]) -> list[Sequence[str]]:
    """The customdata of the points in a Plotly selection event."""
    selection = event.get("selection", {})
    points = selection.get("points", []) if isinstance(selection, Mapping) else []
    return [point["customdata"] for point in points if point.get("customdata")]
