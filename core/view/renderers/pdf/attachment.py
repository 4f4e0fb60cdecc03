"""A file that travels inside a PDF."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")


@dataclass(frozen=True, slots=True)
class Attachment:
    """`name` as readers see it, of letters, digits, dots, hyphens and underscores; `description` says what it is.

    `relationship` is what the file is to the document (ISO 32000-2, 7.11.3): "data" it was made of, or a "supplement".
    """

    name: str
    data: bytes
    media_type: str
    description: str
    relationship: Literal["data", "source", "supplement"] = "data"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"an attachment can't be named {self.name!r}")
        if not _MEDIA_TYPE.fullmatch(self.media_type):
            raise ValueError(f"{self.media_type!r} is no media type")
