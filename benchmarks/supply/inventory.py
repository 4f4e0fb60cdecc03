"""`make sbom`: what is installed beside hcat, with versions and licences, as CycloneDX 1.6.

The metadata of the installed packages say all that it needs; a tool for it would bring a dozen packages of its own.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.supply.licences import expression_of, licence_of
from hcat.core import __version__

PRODUCT = "hcat"
NOT_PINNED = "pip"


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package; its metadata are a file that is read once."""

    name: str
    version: str
    licence: str
    expression: str
    requires: tuple[str, ...]

    @property
    def reference(self) -> str:
        """Its address among packages (purl)."""
        return PRODUCT if self.name == PRODUCT else f"pkg:pypi/{self.name}@{self.version.replace('+', '%2B')}"


def read_package(installed: Distribution) -> Package:
    """What the metadata say."""
    about = installed.metadata
    names = {_name(Requirement(text.partition(";")[0]).name) for text in about.get_all("Requires-Dist") or ()}
    licence, expression = licence_of(about), expression_of(about)
    return Package(_name(about["Name"]), about["Version"], licence, expression, tuple(sorted(names)))


def _name(text: str) -> str:
    return str(canonicalize_name(text))


def inventory(installed: Iterable[Distribution]) -> dict[str, object]:
    """The document: the same for the same packages, so without a time and with a number made of its content."""
    packages = {package.name: package for package in map(read_package, installed) if package.name != NOT_PINNED}
    components = [_component(packages[name]) for name in sorted(packages) if name != PRODUCT]
    content = json.dumps(components, sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": PRODUCT, "name": PRODUCT, "version": __version__}},
        "components": components,
        "dependencies": [
            {
                "ref": packages[name].reference,
                "dependsOn": [packages[other].reference for other in packages[name].requires if other in packages],
            }
            for name in sorted(packages)
        ],
    }


def _component(package: Package) -> dict[str, object]:
    stated = {"expression": package.expression} if package.expression else {"license": {"name": package.licence}}
    return {
        "type": "library",
        "bom-ref": package.reference,
        "name": package.name,
        "version": package.version,
        "purl": package.reference,
        "licenses": [stated],
    }


def main(path: Path) -> None:
    """Write the document."""
    document = inventory(distributions())
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    components = document["components"]
    print(f"{len(components) if isinstance(components, list) else 0} packages → {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
