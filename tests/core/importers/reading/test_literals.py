"""Lists in CSV cells: JSON, Python's own, numpy's."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.importers.reading.literals import MAX_LITERAL_CHARACTERS, read_literal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", []),
        ("[ ]", []),
        ("['a', 'b']", ["a", "b"]),
        ("['a' 'b']", ["a", "b"]),  # numpy; Python itself would say ["ab"]
        ("['a'\n 'b' \"it's\"]", ["a", "b", "it's"]),
        ('["a", "b"]', ["a", "b"]),
        ("['a',]", ["a"]),
        (r"['tab\there', 'it\'s', 'caf\xe9 \u20ac', '\d+ C:\\x']", ["tab\there", "it's", "café €", "\\d+ C:\\x"]),
        ("[1, 2.5, None, 'x']", [1, 2.5, None, "x"]),
        ("[1 2]", [1, 2]),
        ("[nan, 'x']", [None, "x"]),
        ("[{'id': 'd1', 'text': 'One.', 'score': None}]", [{"id": "d1", "text": "One.", "score": None}]),
        ("{'a': 1, 'b': True}", {"a": 1, "b": True}),
        ("[('a', 1)]", [["a", 1]]),
        ('{"a": NaN}', {"a": None}),
    ],
)
def test_lists_and_objects_as_tools_write_them(text: str, expected: object) -> None:
    assert read_literal(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        "['a' 'b'",
        "['a''b']",
        "['a' ... 'z']",
        "['a'] and more",
        "[Document(**{'a': 'b'})]",
        "__import__('os')",
        "[{'a': 'b' 'c'}]",
        "[" * 5_000,
        "{'a': " * 2_000,
        "['a', 'b']]",
    ],
)
def test_anything_else_is_refused_and_nothing_is_run(text: str) -> None:
    with pytest.raises(ValueError, match=r"list|object|values"):
        read_literal(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[np.float64(0.83), np.int64(3), np.str_('x'), np.True_]", [0.83, 3, "x", True]),
        ("[Decimal('0.1'), UUID('a-b'), Timestamp('2024-01-01 10:00')]", ["0.1", "a-b", "2024-01-01 10:00"]),
        ("[datetime.datetime(2024, 5, 1, 10, 0, tzinfo=datetime.timezone.utc)]", ["2024-05-01T10:00:00"]),
        ("[<Role.USER: 'user'>, <Enum: 1>, <Node object at 0x7f>]", ["user", 1, "<Node object at 0x7f>"]),
        ("['a <b: 1> c']", ["a <b: 1> c"]),
        ("array(['a', 'b'], dtype=object)", ["a", "b"]),
        ("[tensor(0.5, device='cuda:0'), nan, -inf]", [0.5, None, None]),
        ("('a', {'b'})", ["a", ["b"]]),
        ("OrderedDict([('a', 1)])", {"a": 1}),
        ("defaultdict(<class 'list'>, {'a': [1]})", {"a": [1]}),
        ("[a.b.Document(text='x')]", [{"type": "Document", "text": "x"}]),
        ("[Thing('x', 2)]", ["Thing('x', 2)"]),
        ("[Document(text=open('x')), b'bytes']", [{"type": "Document", "text": "x"}, "bytes"]),
    ],
)
def test_objects_of_libraries_are_read_as_what_they_hold(text: str, value: object) -> None:
    assert read_literal(text) == value


def test_very_long_cells_are_not_evaluated() -> None:
    with pytest.raises(ValueError, match="too long"):
        read_literal("{'a': '" + "x" * MAX_LITERAL_CHARACTERS + "'}")


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_every_way_of_writing_a_list_reads_back_as_it_was(items: list[str]) -> None:
    assert read_literal(str(items)) == items
    assert read_literal(json.dumps(items)) == items
    with np.printoptions(threshold=10_000):
        assert read_literal(str(np.array(items, dtype=object))) == items


def test_objects_as_python_shows_them_are_read_as_their_fields() -> None:
    text = "[Document(metadata={'page': 1}, page_content='one'), Node(inner=Document(id=None))]"
    assert read_literal(text) == [
        {"type": "Document", "metadata": {"page": 1}, "page_content": "one"},
        {"type": "Node", "inner": {"type": "Document", "id": None}},
    ]
