"""Ways to break a file, from a seeded source of chance: its bytes, or what it says in its own format."""

from __future__ import annotations

import csv
import io
import json
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

HOSTILE_TEXTS = (
    *(
        "",
        " ",
        "\x00",
        "\x1b]0;owned\x07",
        "\x1b[2J",
        "a\rb",
        "two\nlines",
        "\u202eabc\u202c",
        "\u2066x",
        "\ufeff",
        "\u2028",
    ),
    *(
        "\ud800",
        "\udfff",
        "é",
        "e\u0301" * 30,
        "汉字",
        "\U0001f600",
        "=1+1",
        "@SUM(1)",
        "'; DROP TABLE run;--",
        "{{7*7}}",
    ),
    *("<script>alert(1)</script>", "../../etc/passwd", "/dev/null", "-1", "--json", "%s%n", "${HOME}", "nan", "inf"),
    *("-inf", "1e999", "1" * 41, "9" * 5_000, "1_000", "0x10", "[", "[" * 3_000, "{" * 3_000, "[1", "('a',", "null"),
    *("x" * 70_000, "a,b;c\td", '"', "'", "\\", "`id`", "$(id)", "a" * 300, "true", "\ud83d", "ſ", "ß" * 99, "Ⅷ", "٣"),
)
HOSTILE_VALUES: tuple[object, ...] = (
    *HOSTILE_TEXTS,
    *(None, True, False, 0, -1, 2**31, 2**63, 2**64, 10**40, 10**400, 1e308, -1e308, 5e-324, 0.1),
    *(
        float("nan"),
        float("inf"),
        float("-inf"),
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"a": {"a": {"a": 1}}},
        ["x"] * 2_000,
    ),
)
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00")
HOSTILE_BYTES = (
    *(b"\x00", b"\xff", b"\x80\x80", b"\xed\xa0\x80", b"\x1b[2J", b"\x0b", b"\r", b'"', b"{", b"[" * 5_000, b"PAR1"),
    *(b"PK\x03\x04", b"%PDF", b"\x1f\x8b\x08", b"9" * 5_000, b"\xe2\x80\xae", b"NaN", b"1e999", b",,,,", b"\\ud800"),
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "cp1252", "cp500", "shift_jis", "utf-7")
MOST_BYTES = 2_000_000

# What is raised of a file that is broken already, or of a fault that its format can't express.
CANNOT_BREAK_BY_FORMAT = (
    *(ValueError, LookupError, RuntimeError, ArithmeticError, TypeError, AttributeError, OSError, EOFError),
    *(csv.Error, zipfile.BadZipFile, zlib.error, struct.error),
)

Mutation = Callable[[bytes, Random], bytes]


def mutated(data: bytes, chance: Random, *, name: str) -> bytes:
    """The file with one to three faults: first in what it says, where its format is known, then in its bytes."""
    own = STRUCTURED.get(name.rpartition(".")[2].lower())
    count = chance.choice((1, 1, 1, 2, 3))
    structured = sum(chance.random() < 0.6 for _ in range(count)) if own else 0
    for _ in range(structured):
        try:
            data = own(data, chance)
        except CANNOT_BREAK_BY_FORMAT:
            structured -= 1  # its bytes are broken instead
    for _ in range(count - max(structured, 0)):
        data = chance.choice(BYTEWISE)(data, chance)[:MOST_BYTES]
    return data


def _place(data: bytes, chance: Random) -> int:
    return chance.randrange(len(data) + 1)


def _flip(data: bytes, chance: Random) -> bytes:
    flipped = bytearray(data or b"\x00")
    for _ in range(chance.choice((1, 1, 4, 32))):
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _truncate(data: bytes, chance: Random) -> bytes:
    return data[: _place(data, chance)]


def _splice(data: bytes, chance: Random) -> bytes:
    start, end, target = (*sorted((_place(data, chance), _place(data, chance))), _place(data, chance))
    return data[:target] + data[start:end] + data[target:]


def _remove(data: bytes, chance: Random) -> bytes:
    start = _place(data, chance)
    return data[:start] + data[start + chance.choice((1, 2, 16, 400)) :]


def _insert(data: bytes, chance: Random) -> bytes:
    place = _place(data, chance)
    return data[:place] + chance.choice(HOSTILE_BYTES) + data[place:]


def _mark(data: bytes, chance: Random) -> bytes:
    return chance.choice(BYTE_ORDER_MARKS) + data


def _recode(data: bytes, chance: Random) -> bytes:
    return data.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def _repeat(data: bytes, chance: Random) -> bytes:
    return data * chance.choice((2, 3, 50))


def _cross_lines(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines)


BYTEWISE: tuple[Mutation, ...] = (_flip, _truncate, _splice, _remove, _insert, _mark, _recode, _repeat, _cross_lines)


def _json(data: bytes, chance: Random) -> bytes:
    text = json.dumps(changed(json.loads(data), chance))
    return _doubled_key(text, chance).encode("ascii")


def _json_lines(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines()
    number = chance.randrange(len(lines))
    lines[number] = _json(lines[number], chance)
    return b"\n".join(lines)


def _doubled_key(text: str, chance: Random) -> str:
    """Now and then an object names its first field a second time."""
    if chance.random() < 0.1 and text.startswith("{"):
        return '{"query": "first", "sample_id": "first", ' + text[1:]
    return text


def changed(value: object, chance: Random) -> object:
    """The JSON value with one part of it replaced, removed, doubled, renamed or wrapped."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        fields = dict(value)
        name = chance.choice(list(fields))
        way = chance.randrange(6)
        if way == 0:
            del fields[name]
        elif way == 1:
            fields[str(chance.choice(HOSTILE_TEXTS))] = fields.pop(name)
        elif way == 2:
            fields[str(chance.choice(HOSTILE_TEXTS))] = chance.choice(HOSTILE_VALUES)
        else:
            fields[name] = changed(fields[name], chance)
        return fields
    if isinstance(value, list) and value and chance.random() < 0.8:
        items, place = list(value), chance.randrange(len(value))
        way = chance.randrange(5)
        if way == 0:
            items.insert(place, items[place])
        elif way == 1:
            del items[place]
        else:
            items[place] = changed(items[place], chance)
        return items
    if chance.random() < 0.1:
        for _ in range(chance.choice((1, 40, 300))):
            value = [value]
        return value
    return chance.choice(HOSTILE_VALUES)


def _table(data: bytes, chance: Random) -> bytes:
    text = data.decode("utf-8")
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    row = chance.choice((rows[0], chance.choice(rows)))
    place, way = chance.randrange(len(row)), chance.randrange(6)
    if way == 0:
        row[place] = chance.choice(row)
    elif way == 1:
        row.append(chance.choice(HOSTILE_TEXTS))
    elif way == 2:
        del row[place]
    else:
        row[place] = chance.choice(HOSTILE_TEXTS)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=chance.choice((delimiter, delimiter, ";", "\t"))).writerows(rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def _parquet(data: bytes, chance: Random) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    place = chance.randrange(table.num_columns)
    name, way = table.column_names[place], chance.randrange(6)
    if way == 0:
        table = table.drop_columns([name])
    elif way == 1:
        table = table.append_column(name, table.column(place))
    elif way == 2:
        table = table.slice(0, chance.choice((0, 1))) if chance.random() < 0.5 else pa.concat_tables([table, table])
    elif way == 3:
        names = list(table.column_names)
        names[place] = _encodable(chance.choice(HOSTILE_TEXTS))
        table = table.rename_columns(names)
    elif way == 4:
        table = table.replace_schema_metadata(_metadata(table.schema.metadata or {}, chance))
    else:
        table = table.set_column(place, name, _column(table.column(place), chance))
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _metadata(metadata: dict[bytes, bytes], chance: Random) -> dict[bytes, bytes]:
    stated = metadata.get(b"hcat", b"{}")
    return {**metadata, b"hcat": (_json if chance.random() < 0.7 else chance.choice(BYTEWISE))(stated, chance)}


def _column(column: pa.ChunkedArray, chance: Random) -> pa.Array:
    values = column.to_pylist()
    hostile = [value for value in HOSTILE_VALUES if not isinstance(value, dict | list)]
    kind = type(next((value for value in values if value is not None), ""))
    same = [value for value in hostile if isinstance(value, kind) and not isinstance(value, bool)] or [None]
    for _ in range(chance.choice((1, 1, len(values)))):
        replaced = chance.choice(same)
        values[chance.randrange(len(values))] = _encodable(replaced) if isinstance(replaced, str) else replaced
    if chance.random() < 0.2:
        values = [_encodable(str(value)) for value in values]
    return pa.array(values)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _archive(data: bytes, chance: Random) -> bytes:
    """A zip archive (also a Word document or a workbook) with one of its files broken, doubled, renamed or left out."""
    out = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),  # of names that it holds twice
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        broken, way = chance.choice(old.namelist()), chance.randrange(5)
        for name in old.namelist():
            content = old.read(name)
            if name != broken or way == 0:
                new.writestr(name, content)
            if name == broken and way != 1:
                new.writestr(_entry_name(name, chance) if way == 2 else name, mutated(content, chance, name=name))
    return out.getvalue()


def _entry_name(name: str, chance: Random) -> str:
    return (
        _encodable(chance.choice((*HOSTILE_TEXTS, f"../../{name}", f"/tmp/{name}", "a/" * 300 + name))[:60_000]) or name
    )


def _markup(data: bytes, chance: Random) -> bytes:
    pieces = (
        *(
            "<table>" * 400,
            "<div>" * 3_000,
            "</p></p>",
            "<!--",
            "<![CDATA[",
            "&#x110000;",
            "&lt" * 900,
            "<a href='javascript:x'>",
        ),
        *(
            "# " * 500,
            "> " * 500,
            "- " * 900,
            "```",
            "|" * 4_000,
            "[" * 4_000,
            "![",
            "*" * 4_000,
            "\n\n---\n",
            "<?xml ?>",
        ),
        *(text for text in HOSTILE_TEXTS if len(text) < 100),
    )
    place = _place(data, chance)
    return data[:place] + chance.choice(pieces).encode("utf-8", "surrogatepass") + data[place:]


STRUCTURED: dict[str, Mutation] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": _table,
    "tsv": _table,
    "parquet": _parquet,
    **dict.fromkeys(("zip", "docx", "xlsx"), _archive),
    **dict.fromkeys(("md", "html", "xml", "yaml", "txt"), _markup),
}
