"""Programs differ in which files they find in a zip file: a pack that is laid out so that they may is refused."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest

from hcat.core.capabilities.evidence.pack import write_pack
from hcat.core.capabilities.evidence.verify import verify
from hcat.core.errors import FileFormatError
from tests.core.capabilities.evidence.packed import KEY, unzipped

NAME = b"report.html"
EVIL = b"<p>All is well.</p>" * 40


def directory(pack: bytes) -> int:
    """Where the list of files begins."""
    return int.from_bytes(pack[-6:-2], "little")


def moved(pack: bytes, by: int) -> bytes:
    """The list of files with all places moved, and the end that says so."""
    start = directory(pack)
    listed, end = bytearray(pack[start:-22]), bytearray(pack[-22:])
    place = 0
    while place < len(listed):
        lengths = struct.unpack_from("<3H", listed, place + 28)
        struct.pack_into("<L", listed, place + 42, struct.unpack_from("<L", listed, place + 42)[0] + by)
        place += 46 + sum(lengths)
    struct.pack_into("<L", end, 16, start + by)
    return bytes(listed + end)


def entry(name: bytes, content: bytes) -> bytes:
    """One stored file with its head."""
    sizes = (zlib.crc32(content), len(content), len(content))
    return b"PK\x03\x04" + struct.pack("<5H3L2H", 20, 0, 0, 0, 33, *sizes, len(name), 0) + name + content


def another_file_first(pack: bytes) -> bytes:
    extra = entry(NAME, EVIL)
    return extra + pack[: directory(pack)] + moved(pack, len(extra))


def another_file_between(pack: bytes) -> bytes:
    extra = entry(NAME, EVIL)
    return pack[: directory(pack)] + extra + pack[directory(pack) : -22] + ending(pack, len(extra))


def ending(pack: bytes, by: int) -> bytes:
    end = bytearray(pack[-22:])
    struct.pack_into("<L", end, 16, directory(pack) + by)
    return bytes(end)


def another_file_behind(pack: bytes) -> bytes:
    return pack + entry(NAME, EVIL)


def another_pack_in_the_comment(pack: bytes) -> bytes:
    other = write_pack({**unzipped(pack), NAME.decode(): EVIL})
    return pack[:-2] + struct.pack("<H", len(other) % 65_536) + other[: len(other) % 65_536]


def another_name_in_the_head(pack: bytes) -> bytes:
    place = pack.index(NAME)
    return pack[:place] + b"Report.html" + pack[place + len(NAME) :]


def another_size_in_the_head(pack: bytes) -> bytes:
    place = pack.index(NAME) - 12
    return pack[:place] + struct.pack("<L", 7) + pack[place + 4 :]


def another_name_in_an_extra_field(pack: bytes) -> bytes:
    field = b"\x01" + struct.pack("<L", zlib.crc32(NAME)) + b"other.html"
    return with_extra(pack, struct.pack("<2H", 0x7075, len(field)) + field)


def sizes_for_larger_files(pack: bytes) -> bytes:
    return with_extra(pack, struct.pack("<2H2Q", 1, 16, len(EVIL), len(EVIL)))


def with_extra(pack: bytes, extra: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(unzipped(pack).items()):
            one = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            one.compress_type, one.create_system, one.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            one.extra = extra if name == NAME.decode() else b""
            archive.writestr(one, content)
    return buffer.getvalue()


def data_that_goes_on(pack: bytes) -> bytes:
    """The list has the size of the signed file; the packed data goes on behind it."""
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        info = archive.getinfo(NAME.decode())
        content = archive.read(info)
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    longer = packer.compress(content + EVIL) + packer.flush()
    start = info.header_offset + 30 + len(NAME)
    grown = len(longer) - info.compress_size
    changed = bytearray(pack[:start] + longer + pack[start + info.compress_size : directory(pack)])
    struct.pack_into("<L", changed, info.header_offset + 18, len(longer))
    rest = bytearray(pack[directory(pack) : -22])
    place = 0
    while place < len(rest):
        name_length = struct.unpack_from("<H", rest, place + 28)[0]
        [offset] = struct.unpack_from("<L", rest, place + 42)
        if offset > info.header_offset:
            struct.pack_into("<L", rest, place + 42, offset + grown)
        elif offset == info.header_offset:
            struct.pack_into("<L", rest, place + 20, len(longer))
        place += 46 + name_length
    return bytes(changed + rest) + ending(pack, grown)


@pytest.mark.parametrize(
    "laid_out",
    [
        another_file_first, another_file_between, another_file_behind, another_pack_in_the_comment,
        another_name_in_the_head, another_size_in_the_head, another_name_in_an_extra_field, sizes_for_larger_files,
        data_that_goes_on,
    ],
)  # fmt: skip
def test_another_layout_is_refused(pack: bytes, laid_out: Callable[[bytes], bytes]) -> None:
    content = laid_out(pack)
    assert content != pack
    with pytest.raises(FileFormatError, match="this is no evidence pack"):
        verify(content, key=KEY.public)


def test_what_hcat_writes_passes(pack: bytes) -> None:
    assert write_pack(unzipped(pack)) == pack
    assert verify(pack, key=KEY.public).intact
