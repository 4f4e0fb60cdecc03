"""Everything that writes a file does so by `hcat.core.records.atomic`: whole, or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("core", "dashboard", "pages")
THE_HELPER = "core/records/atomic.py"

OTHERS = {
    "core/jobs/processes.py": "a job's log, which grows",
    "core/storage/backup.py": "unpacked into a folder of its own, which is deleted",
    "core/storage/measured_files.py": "rows go into memory, and from there whole into the store",
    "core/storage/sample_writer.py": "rows go into a file that the store of artifacts opened",
    "core/storage/sqlite_copies.py": "a database is read from, or written to in place, as a transaction",
    "core/storage/database.py": "an empty database with its mode, before the first connection",
    "core/storage/texts/erasing.py": "the same, of a file whose texts are erased",
    "core/capabilities/grammar/sqlite_main.py": "a database is only read",
    "core/capabilities/collect/journal.py": "a journal, which grows by lines that are on the disk before they count",
    "core/project/exporting/sample_export.py": "rows go into a file that the caller opened",
    "core/capabilities/policy/services/regenerations.py": "a finished journal gets another name",
    "core/capabilities/collect/service.py": "a finished journal gets another name",
    "dashboard/loaders/large_uploads.py": "a copy of an upload, deleted once it is read",
}
"""What is no file that is complete or absent, each with its reason."""

WRITES = {"write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "to_excel", "to_pickle", "to_feather"}
"""Methods that write whatever they are given."""
TO_FILE = {"to_csv": 0, "to_parquet": 0, "to_html": 0, "write_html": 0, "write_image": 0, "write_table": 1, "dump": 1}
TO_FILE |= {"save": 0, "savez": 0, "savetxt": 0, "save_file": 1, "copy": 1, "copy2": 1, "copyfile": 1, "move": 1}
TO_FILE |= {"ParquetWriter": 0, "fdopen": 0, "connect": 0}
"""Calls that write to what stands at this place, where that is a name and no open file; of other modules' own too."""
OF_MODULES = {"dump": {"json", "pickle", "yaml"}, "copy": {"shutil"}, "save": {"np", "torch"}, "move": {"shutil"}}
OF_MODULES |= {"write_table": {"pq"}, "savez": {"np"}, "savetxt": {"np"}, "connect": {"sqlite3"}}
OPEN_FILES = {"BytesIO", "StringIO", "new_file", "new_path"}


def _sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def bypasses(tree: ast.AST) -> list[int]:
    """The lines of the calls that write a file by themselves."""
    open_files = _open_files(tree)
    return [call.lineno for call in ast.walk(tree) if isinstance(call, ast.Call) and _writes(call, open_files)]


def _open_files(tree: ast.AST) -> set[str]:
    """Names of buffers, and of files that the helper opened."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _called(node.value) in OPEN_FILES:
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.withitem) and _called(node.context_expr) in OPEN_FILES:
            names |= {node.optional_vars.id} if isinstance(node.optional_vars, ast.Name) else set()
    return names


def _writes(call: ast.Call, open_files: set[str]) -> bool:
    name, owner = _called(call), _owner(call)
    if name == "open":
        return _opens_to_write(call, owner)
    if name == "ZipFile":
        return bool(set(_mode_of(call, 1)) & set("wax")) and not _is_open(call.args[0], open_files)
    if name in {"replace", "rename"}:  # of texts and tables they take more, or their arguments by name
        return owner == "os" or (len(call.args) == 1 and not call.keywords and not _of_a_query(call.args[0]))
    if name in {"mkstemp", "NamedTemporaryFile"} or name in WRITES:
        return True
    if name not in TO_FILE or (name in OF_MODULES and owner not in OF_MODULES[name]):
        return False
    place = TO_FILE[name]
    if name in {"to_csv", "to_parquet", "to_html"} and not call.args:
        return any(word.arg in {"path", "path_or_buf", "buf"} for word in call.keywords)
    return len(call.args) <= place or not _is_open(call.args[place], open_files)


def _opens_to_write(call: ast.Call, owner: str) -> bool:
    if owner == "os":
        return "O_WRONLY" in ast.dump(call) or "O_RDWR" in ast.dump(call)
    mode = _mode_of(call, 1 if not isinstance(call.func, ast.Attribute) or owner in {"io", "gzip", "bz2"} else 0)
    return bool(set(mode) & set("wax+"))


def _mode_of(call: ast.Call, place: int) -> str:
    words = [word.value for word in call.keywords if word.arg == "mode"]
    mode = words[0] if words else call.args[place] if len(call.args) > place else None
    texts = [] if mode is None else [node.value for node in ast.walk(mode) if isinstance(node, ast.Constant)]
    return "".join(text for text in texts if isinstance(text, str))


def _is_open(node: ast.expr, open_files: set[str]) -> bool:
    return _called(node) in OPEN_FILES or (isinstance(node, ast.Name) and node.id in open_files)


def _of_a_query(node: ast.expr) -> bool:
    """Whether it is a part of SQL, which takes the place of another part."""
    return isinstance(node, ast.Call) and _owner(node) == "exp"


def _called(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _owner(call: ast.Call) -> str:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.id if isinstance(owner, ast.Name) else ""


def test_files_are_written_by_the_helper_alone() -> None:
    writers = {name: lines for name, tree in _sources() if (lines := bypasses(tree))}
    writers.pop(THE_HELPER)
    assert {name: lines for name, lines in writers.items() if name not in OTHERS} == {}
    assert set(OTHERS) <= set(writers), "an exception that is none any more: strike it"


@pytest.mark.parametrize(
    "line",
    [
        'open("a", "w")',
        'open("a", mode="ab")',
        'path.open("wb")',
        'io.open("a", "x")',
        'os.open("a", os.O_CREAT | os.O_WRONLY)',
        'path.write_text("a")',
        'path.write_bytes(b"a")',
        "path.touch()",
        'frame.to_csv("a.csv", index=False)',
        "frame.to_csv(path_or_buf=path)",
        "frame.to_parquet(path)",
        "pq.write_table(table, path)",
        'zipfile.ZipFile(path, "w")',
        "json.dump(document, file)",
        "np.save(path, rows)",
        "shutil.copy(a, b)",
        "os.replace(a, b)",
        "tempfile.NamedTemporaryFile()",
        "save_file(tensors, path)",
        "sqlite3.connect(path)",
    ],
)
def test_a_writer_of_its_own_is_seen(line: str) -> None:
    assert bypasses(ast.parse(line)) == [1]


@pytest.mark.parametrize(
    "line",
    [
        'open("a")',
        'path.open("rb")',
        "frame.to_csv(index=False)",
        'zipfile.ZipFile(file, "r")',
        "out = io.BytesIO()\npq.write_table(table, out)",
        "with new_file(path) as file:\n    pq.write_table(table, file)",
        "with new_path(path) as unfinished:\n    sqlite3.connect(unfinished)",
        'text.replace("a", "b")',
        'frame.rename(columns={"a": "b"})',
        "copy.copy(a)",
    ],
)
def test_what_writes_no_file_is_let_be(line: str) -> None:
    assert bypasses(ast.parse(line)) == []
