"""The tables of texts: their keys, which texts were erased, and the files that erasures still have to remove."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class TextKeysRow(Row, table=True):
    """Keys of a file's texts, up to 1,024 of 32 bytes one after the other. The file names its key ring; `part` says
    whether the keys are of samples or of passages. An erased text's key is 32 zero bytes."""

    __tablename__ = "text_keys"
    __table_args__ = (UniqueConstraint("ring", "part", "block"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    ring: str
    part: str
    block: int
    keys: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class ErasureRow(Row, table=True):
    """Record of an erased text: the sample, who had it erased, when and why. Rows are never changed: the database
    refuses it. It names the run and refers to none, since it outlives the run; ids of deleted runs may be reused,
    hashes are not."""

    __tablename__ = "erasure"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    run_id: int
    run: str
    run_hash: str
    sample_id: str
    author: str
    reason: str = Field(sa_type=Text)
    at: datetime = Field(sa_type=UtcDateTime)


class ErasedFileRow(Row, table=True):
    """A file that an erasure replaced and that is to be removed; the row goes once it is gone."""

    __tablename__ = "erased_file"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    kind: str
    artifact: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
