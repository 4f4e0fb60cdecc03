"""Writes `requirements/`: every pin of `constraints.txt` with the hashes of all files of that version.

`run.txt` is what the product needs, `postgres.txt` what a database server needs beside it, `ray.txt` what a cluster
does, and `test.txt` what its tests do. torch is served in two builds: `cpu.txt` is tried first, and `cuda.txt` is what
the other one needs beside these. `store.txt` is the object store of `make cluster-trial`, in an environment of its own,
since it needs older packages, and `docs.txt` what builds the site of `make docs`, in another. uv asks the index for
hashes of all platforms; pip would name only the file that it takes on this machine. Run by `make lock` after a change
of `constraints.txt`, `pyproject.toml`, `STORE` or `SITE`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from hcat.core.settings import ROOT

CONSTRAINTS = ROOT / "constraints.txt"
FOLDER = ROOT / "requirements"
PYTHON = "3.11.7"


@dataclass(frozen=True, slots=True)
class Pin:
    """A package at one version, where it is needed, and the SHA-256 of every file of that version."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    def __str__(self) -> str:
        needed = f" ; {self.marker}" if self.marker else ""
        return " \\\n    ".join([f"{self.name}=={self.version}{needed}", *(f"--hash={file}" for file in self.hashes)])


CPU_BUILD = Pin("torch", "2.13.0+cpu", "", ("sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b",))
"""torch for processors alone, as other indexes than PyPI serve it (Linux, x86_64, Python 3.11)."""
_ENTRY = re.compile(r"^([\w.-]+)==(\S+)(?: ; ([^\\\n]*?))? \\\n((?: +--hash=\S+(?: \\)?\n)+)", re.MULTILINE)
_HEADERS = {
    "cpu": "torch for processors alone, where an index has it",
    "run": "What hcat needs",
    "postgres": "What a PostgreSQL database needs beside run.txt",
    "ray": "What a Ray cluster needs beside run.txt",
    "test": "What the tests need beside run.txt, postgres.txt and ray.txt",
    "store": "An S3-compatible server for `make cluster-trial`, in an environment of its own",
    "docs": "What builds the site of `make docs`, in an environment of its own",
    "cuda": "What torch needs beside run.txt where it is built for graphics cards",
}


def pins_of(text: str) -> dict[str, Pin]:
    """The pins of a requirements file with hashes, by name."""
    found = (
        Pin(entry[1], entry[2], entry[3] or "", tuple(re.findall(r"sha256:\w+", entry[4])))
        for entry in _ENTRY.finditer(text)
    )
    return {str(canonicalize_name(pin.name)): pin for pin in found}


def read_constraints(path: Path = CONSTRAINTS) -> dict[str, str]:
    """The pinned version of each package."""
    pairs = (line.split("==") for line in path.read_text("utf-8").split())
    return {str(canonicalize_name(name)): version for name, version in pairs}


def divided(
    run: Mapping[str, Pin], extras: Mapping[str, Mapping[str, Pin]], names: Iterable[str]
) -> dict[str, list[Pin]]:
    """The files' pins. What is not among the pinned names is there for graphics cards, or for other systems; what an
    extra needs is not repeated in the files of the extras after it."""
    listed, pinned = set(run), set(names)
    files = {"cpu": [CPU_BUILD], "run": [run[name] for name in sorted(run) if name in pinned]}
    for extra, pins in extras.items():
        files[extra] = [pins[name] for name in sorted(pins) if name in pinned and name not in listed]
        listed |= set(pins)
    linux = (run[name] for name in sorted(run) if name not in pinned)
    files["cuda"] = [pin for pin in linux if "sys_platform == 'linux'" in pin.marker]
    return files


STORE = ("moto[s3]==5.2.5", "flask==3.1.3", "flask-cors==6.0.5")
"""The packages of the object store; what they need is pinned by `requirements/store.txt` alone."""
SITE = ("mkdocs==1.6.1", "mkdocs-material==9.8.2")
"""The builder of the site; what it needs is pinned by `requirements/docs.txt` alone."""
_OWN = {"store": "STORE", "docs": "SITE"}


def _compiled(uv: str, *options: str, needed: Iterable[str] = ()) -> dict[str, Pin]:
    """What the project needs with these options, or what the `needed` packages do."""
    source = ["-"] if needed else ["pyproject.toml", *options, "--constraint", CONSTRAINTS.name]
    command = [uv, "pip", "compile", *source, "--universal", "--python-version", PYTHON]
    command += ["--generate-hashes", "--no-header", "--no-annotate", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, input="\n".join(needed))
    return pins_of(done.stdout)


def write(name: str, pins: Iterable[Pin]) -> None:
    """A file of `requirements/`."""
    source = f"{_OWN[name]} in benchmarks/supply/lock.py" if name in _OWN else CONSTRAINTS.name
    header = f"# {_HEADERS[name]}. Written by `make lock`; change {source} instead.\n"
    (FOLDER / f"{name}.txt").write_text(header + "\n".join(map(str, pins)) + "\n", "utf-8")


def main(uv: str) -> None:
    """Ask the index, and write the files."""
    extras = {name: _compiled(uv, "--extra", name) for name in ("postgres", "ray", "test")}
    files = divided(_compiled(uv), extras, read_constraints())
    files["store"] = list(_compiled(uv, needed=STORE).values())
    files["docs"] = list(_compiled(uv, needed=SITE).values())
    FOLDER.mkdir(exist_ok=True)
    for name, pins in files.items():
        write(name, pins)
        print(f"requirements/{name}.txt: {len(pins)} packages, {sum(len(pin.hashes) for pin in pins):,} hashes")


if __name__ == "__main__":
    main(sys.argv[1])
