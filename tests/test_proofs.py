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
    "constraints.txt": "numpy==1\n",
    "tests/conftest.py": "",
    "tests/simulation/test_mean.py": 'from hcat.core.mean import mean\nPROGRAM = "-m hcat.core.program"\n',
}
FILE = "tests/simulation/test_mean.py"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setattr(proofs, "LOCK", tmp_path / "tests" / "proofs.json")
    monkeypatch.setattr(proofs, "LONG", ("tests/simulation/",))
    return tmp_path


def proof() -> str:
    for known in (proofs._imported, proofs._files, proofs._of_file, proofs._of_data):
        known.cache_clear()
    return proofs.proof(FILE)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_what_a_test_rests_on_is_in_its_proof_and_nothing_else(tree: Path, name: str) -> None:
    before = proof()
    with (tree / name).open("a") as file:
        file.write("\n# changed\n")
    assert (proof() == before) == (name in {"core/other.py", "core/words.po"})


def test_a_file_is_left_out_while_its_proof_is_the_same(tree: Path) -> None:
    assert proofs.unchanged() == []
    proofs.LOCK.write_text(json.dumps({FILE: proof(), "tests/simulation/test_gone.py": "0"}))
    assert proofs.unchanged() == [FILE]
    (tree / "core" / "parts.py").write_text("def total(values): return sum(values, 0.0)\n")
    proof()
    assert proofs.unchanged() == []


def test_long_files_are_there() -> None:
    files = proofs.long_files()
    assert len(files) > 50 and all((proofs.ROOT / file).is_file() for file in files)
    assert proofs.LOCK.is_relative_to(proofs.ROOT)
