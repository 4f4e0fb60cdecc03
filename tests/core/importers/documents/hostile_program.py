"""The program that parses documents, with files that end it, hold it up or eat its memory, by their name."""

from __future__ import annotations

import os
import time

from hcat.core.importers.documents import process_main

_parse = process_main.parse_file


def _parse_or_harm(name: str, data: bytes, limits: object) -> object:
    if "crash" in name:
        os.abort()
    if "slow" in name:
        time.sleep(3600)
    if "greedy" in name:
        bytearray(10**12)
    return _parse(name, data, limits)  # type: ignore[arg-type]


process_main.parse_file = _parse_or_harm  # type: ignore[assignment]
process_main.main()
