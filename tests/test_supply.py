"""What is installed is what was pinned: every file by its hash, every package with its licence."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

from benchmarks.supply.inventory import inventory
from benchmarks.supply.licences import PAGE, page
from benchmarks.supply.lock import CPU_BUILD, FOLDER, pins_of, read_constraints
from hcat.core.settings import ROOT

NAMES = ("cpu", "run", "postgres", "ray", "test", "store", "docs", "cuda")
FILES = {name: pins_of((FOLDER / f"{name}.txt").read_text("utf-8")) for name in NAMES}


def test_every_pin_has_hashes_and_everything_with_hashes_is_pinned() -> None:
    versions = {name: pin.version for file in ("run", "postgres", "ray", "test") for name, pin in FILES[file].items()}
    assert versions == read_constraints()
    assert len(versions) == sum(len(FILES[file]) for file in ("run", "postgres", "ray", "test"))
    assert all(pin.hashes for file in FILES.values() for pin in file.values())
    assert FILES["cpu"] == {"torch": CPU_BUILD}
    assert CPU_BUILD.version.partition("+")[0] == read_constraints()["torch"]


@pytest.mark.parametrize("name", FILES)
def test_each_line_is_a_pin_or_a_hash_and_names_no_server(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    lines = [line.removesuffix(" \\") for line in text.splitlines()[1:]]
    hashes = [line for line in lines if line.startswith("    --hash=sha256:") and len(line) == 18 + 64]
    assert len(hashes) == sum(len(pin.hashes) for pin in FILES[name].values())
    assert len(lines) - len(hashes) == len(FILES[name])
    assert "://" not in text


def test_what_graphics_cards_need_is_for_linux_and_nothing_else_needs_it() -> None:
    assert all("sys_platform == 'linux'" in pin.marker for pin in FILES["cuda"].values())
    assert not FILES["cuda"].keys() & read_constraints().keys()


def test_the_build_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["build-system"]["requires"] == [f"setuptools=={read_constraints()['setuptools']}"]


@pytest.mark.parametrize(("changed", "installs"), [(b"", True), (b"# another line\n", False)])
def test_a_file_that_was_changed_is_not_installed(tmp_path: Path, changed: bytes, installs: bool) -> None:
    wheel = tmp_path / "small-1.0-py3-none-any.whl"
    write_wheel(wheel, b"")
    pinned = tmp_path / "pinned.txt"
    pinned.write_text(f"small==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n", "utf-8")
    write_wheel(wheel, changed)
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", tmp_path / "installed"]
    command += ["--disable-pip-version-check", "--find-links", tmp_path, "--require-hashes", "--requirement", pinned]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == installs, done.stderr
    assert ("DO NOT MATCH THE HASHES" in done.stderr) != installs


def write_wheel(path: Path, code: bytes) -> None:
    """A package of one module."""
    files = {
        "small.py": code,
        "small-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: small\nVersion: 1.0\n",
        "small-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "small-1.0.dist-info/RECORD": b"",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # without a time: the same bytes for the same code


def test_the_page_of_licences_lists_every_pin_with_what_it_says_of_itself() -> None:
    assert PAGE.read_text("utf-8") == page(), "write it anew by make lock"
    assert "not stated" not in PAGE.read_text("utf-8")


def test_the_inventory_names_each_installed_package_with_version_and_licence() -> None:
    document = inventory(distributions())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    components = {component["name"]: component for component in document["components"]}
    versions = {name: component["version"].partition("+")[0] for name, component in components.items()}
    assert versions.items() >= read_constraints().items()
    assert components["streamlit"]["purl"] == f"pkg:pypi/streamlit@{versions['streamlit']}"
    assert components["streamlit"]["licenses"] == [{"expression": "Apache-2.0"}]
    needs = {entry["ref"]: entry["dependsOn"] for entry in document["dependencies"]}
    assert components["numpy"]["purl"] in needs[components["pandas"]["purl"]]
    assert components["torch"]["purl"].replace("%2B", "+").startswith("pkg:pypi/torch@2.13.0")
