"""One installed name, and one name for each file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hcat.core.settings import ROOT

LINKED = ("core", "dashboard", "pages")


@pytest.mark.parametrize("name", LINKED)
def test_a_folder_of_the_checkout_is_no_second_name(name: str) -> None:
    program = f"import hcat.{name}\ntry:\n    import {name}\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{name} is imported as hcat.{name}"


def test_the_package_holds_the_folders_of_the_checkout() -> None:
    package = ROOT / "hcat"
    assert {path.name for path in package.iterdir() if path.is_symlink()} == {*LINKED}
    assert (ROOT / "dashboard" / ".streamlit").resolve() == ROOT / ".streamlit"
    for name in (*LINKED, "data/demo"):
        assert (package / name).resolve() == ROOT / name
    assert Path(sys.modules["hcat"].__file__ or "").parent == package


def test_only_hcat_is_found_from_elsewhere(tmp_path: Path) -> None:
    """An editable installation, too, puts none of the checkout's folders on the path."""
    names = (*LINKED, "tests", "benchmarks", "hcat")
    program = (
        "import sys, importlib.util as u\nfor name in sys.argv[1:]: print(getattr(u.find_spec(name), 'origin', None))"
    )
    line = [sys.executable, "-I", "-c", program, *names]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = [place for place in done.stdout.splitlines() if Path(place).is_relative_to(ROOT) and ".venv" not in place]
    assert found == [str(ROOT / "hcat" / "__init__.py")]
