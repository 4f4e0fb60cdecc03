"""A long test is left out only while nothing that it rests on has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import proofs

MODULES = {
    "hcat/__init__.py": "",
    "core/__init__.py": "",
    "core/mean.py": "def mean(values):\n    from hcat.core.parts import total\n    return total(values)\n",
    "core/parts.py": "def total(values): return sum(values)\n",
    "core/program.py": "print(1)\n",
    "core/other.py": "",
    "core/table.json": "[1]",
    "core/words.po": "",
    "core/capabilities/__init__.py": "",
    "dashboard/cli.py": "",
    "pages/other.py": "",
    "docs/read.md": "",
    "constraints.txt": "numpy==1\n",
    "tests/conftest.py": "",
    "tests/simulation/numbers.csv": "1\n",
    "tests/simulation/started.py": "print(2)\n",
    "Makefile": "test:\n",
    "tests/simulation/test_command.py": 'PROGRAM = "hcat.dashboard.cli"\n',
    "tests/pages/test_page.py": "",
    "tests/simulation/test_mean.py": 'from hcat.core.mean import mean\nPROGRAM = "-m hcat.core.program"\n'
    'STARTED = "started.py"\n',
}
FILE = "tests/simulation/test_mean.py"
UNREAD = {"core/other.py", "core/words.po", "core/capabilities/__init__.py", "dashboard/cli.py"}
UNREAD |= {"pages/other.py", "docs/read.md", "Makefile"}
COMMAND, PAGE = "tests/simulation/test_command.py", "tests/pages/test_page.py"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setattr(proofs, "LOCK", tmp_path / "tests" / "proofs.json")
    return tmp_path


def proof(file: str = FILE) -> str:
    for known in (proofs._imported, proofs._files, proofs._of_file, proofs._of_data, proofs._of_product):
        known.cache_clear()
    return proofs.proof(file)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_what_a_test_rests_on_is_in_its_proof_and_nothing_else(tree: Path, name: str) -> None:
    before = proof()
    with (tree / name).open("a") as file:
        file.write("\n# changed\n")
    others = {COMMAND, PAGE} | UNREAD
    assert (proof() == before) == (name in others)


@pytest.mark.parametrize("file", [COMMAND, PAGE])
@pytest.mark.parametrize("name", sorted(name for name in MODULES if not name.startswith("tests/")))
def test_a_test_of_a_command_or_a_page_rests_on_the_whole_product(tree: Path, name: str, file: str) -> None:
    before = proof(file)
    with (tree / name).open("a") as written:
        written.write("\n# changed\n")
    assert proof(file) != before


def test_a_file_is_left_out_while_its_proof_is_the_same(tree: Path) -> None:
    assert proofs.unchanged() == []
    proofs.LOCK.write_text(json.dumps({FILE: proof(), "tests/simulation/test_gone.py": "0"}))
    assert proofs.unchanged() == [FILE]
    (tree / "core" / "parts.py").write_text("def total(values): return sum(values, 0.0)\n")
    proof()
    assert proofs.unchanged() == []


def test_files_of_tests_are_found() -> None:
    files = proofs.test_files()
    assert "tests/test_proofs.py" in files and len(files) > 500
    assert proofs.LOCK.is_relative_to(proofs.ROOT)
