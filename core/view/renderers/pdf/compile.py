"""Typst in a process of its own: texts of others can make it take all time or memory, and not the one that asks."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime

from hcat.core.display.control_characters import one_line
from hcat.core.errors import HcatError
from hcat.core.settings import IMPORTED_FROM

TIMEOUT_SECONDS = 600
PROGRAM = "hcat.core.view.renderers.pdf.compile_main"
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


class MissingGlyphError(HcatError):
    """No font can set a combination of characters."""


def compile_pdf(files: Mapping[str, bytes], *, main: str, created_at: datetime) -> bytes:
    """The PDF that the file named `main` describes. `files`, by their paths, are all that it can read.

    HcatError where it can't be made, in the words of Typst, or takes too long; MissingGlyphError for a character.
    """
    made = _made({"main": main, "created_at": int(created_at.timestamp())}, files)
    if made.startswith(b"%PDF-"):
        return made
    raise HcatError("the PDF can't be set: it broke off. The report as HTML has the same content.")


def compile_pictures(files: Mapping[str, bytes], *, dots_per_inch: int) -> list[bytes]:
    """Each drawing as a PNG file, in the same order. `files` are SVG by their names. HcatError where one can't be."""
    pages = "#pagebreak()\n".join(f'#image("{name}")\n' for name in files)
    main = f"#set page(width: auto, height: auto, margin: 0pt)\n{pages}".encode()
    made = _made({"main": "pictures.typ", "dots_per_inch": dots_per_inch}, {**files, "pictures.typ": main})
    return [base64.b64decode(picture) for picture in json.loads(made)]


def _made(asked: Mapping[str, object], files: Mapping[str, bytes]) -> bytes:
    """The standard output of the program."""
    request = {**asked, "files": {name: base64.b64encode(data).decode("ascii") for name, data in files.items()}}
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - our own module, without a shell
            [sys.executable, "-m", PROGRAM],
            input=json.dumps(request).encode("ascii"),
            capture_output=True,
            cwd=IMPORTED_FROM,
            env=environment,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HcatError(
            f"the PDF takes more than {TIMEOUT_SECONDS} seconds to set: choose fewer chapters or runs"
        ) from None
    except OSError as error:
        raise HcatError(f"no process could be started to set the PDF: {error.strerror}") from None
    if done.returncode == 0:
        return done.stdout
    said = one_line(done.stderr.decode("utf-8", "replace")) or "it broke off"
    family = MissingGlyphError if "could not be displayed with font" in said else HcatError
    raise family(f"the PDF can't be set: {said}. The report as HTML has the same content.")
