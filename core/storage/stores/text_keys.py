"""The keys of sealed texts, in blocks. A key that is destroyed is overwritten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache

from sqlalchemy import delete
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from hcat.core.storage.database import Database
from hcat.core.storage.tables.texts import TextKeysRow
from hcat.core.storage.texts.key_ring import KeyRing, Part
from hcat.core.storage.texts.sealing import ERASED, KEY_BYTES, checked_key, key_at

A_BLOCK = 1024
"""Number of keys in one row."""


def key_rows(project_id: int, keys: KeyRing) -> Iterator[TextKeysRow]:
    """The rows that hold a ring."""
    size = A_BLOCK * KEY_BYTES
    for part, joined in keys.parts.items():
        for block in range(-(-len(joined) // size)):
            some = joined[block * size : (block + 1) * size]
            yield TextKeysRow(project_id=project_id, ring=keys.name, part=part, block=block, keys=some)


def destroy_keys(session: Session, ring: str, part: Part, numbers: Collection[int]) -> None:
    """Overwrite these keys of a ring."""
    for block in sorted({number // A_BLOCK for number in numbers}):
        row = session.exec(_of(ring, part).where(TextKeysRow.block == block)).one()
        keys = bytearray(row.keys)
        for number in numbers:
            if number // A_BLOCK == block:
                place = KEY_BYTES * (number % A_BLOCK)
                keys[place : place + KEY_BYTES] = ERASED
        row.keys = bytes(keys)
        session.add(row)
    session.flush()


def drop_rings(session: Session, rings: Collection[str]) -> None:
    """Destroy all keys of these rings."""
    session.execute(delete(TextKeysRow).where(col(TextKeysRow.ring).in_(rings)))


@dataclass(frozen=True)
class TextKeys:
    """The keys of one database."""

    database: Database

    def reader(self, ring: str) -> Callable[[Part, int], bytes]:
        """Gives the keys of a ring by their numbers; blocks are read when one of their keys is first asked for.
        StorageError where the database does not have one."""

        @cache
        def block_of(part: Part, block: int) -> bytes:
            with self.database.read() as session:
                row = session.exec(_of(ring, part).where(TextKeysRow.block == block)).first()
                return b"" if row is None else row.keys

        return lambda part, number: checked_key(key_at(block_of(part, number // A_BLOCK), number % A_BLOCK))


def _of(ring: str, part: Part) -> SelectOfScalar[TextKeysRow]:
    return select(TextKeysRow).where(TextKeysRow.ring == ring, TextKeysRow.part == part)
