"""A log for each defect: its place in the code, without texts and secrets except a short message.

A log is named by the kind of error and its place in the code, so that a repeated defect overwrites its own."""

from __future__ import annotations

import os
import platform
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hcat.core import __version__
from hcat.core.display.addresses import without_secrets
from hcat.core.display.control_characters import visible
from hcat.core.errors import HcatError
from hcat.core.faults.expected import expected_line
from hcat.core.records.atomic import write_whole
from hcat.core.records.hashing import sha256_of_text
from hcat.core.settings import IMPORTED_FROM, Settings, settings

MOST_CHARACTERS = 160
"""The most characters of an error's own message, which may quote a text."""
MOST_FRAMES = 60
"""The most frames of one error: an endless recursion has a thousand."""
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|PWD", re.IGNORECASE)
_PACKAGES = Path(sysconfig.get_paths()["purelib"])


def line_for(error: BaseException, *, during: str, settings: Settings | None = None) -> str:
    """The one line for an uncaught error. A defect is first written into a log, which the line names.

    `during` is the current activity: the command, the page or the job. The log is next to the store of the `settings`,
    by default those of the process."""
    expected = expected_line(error)
    return _line_of_defect(error, _write_log(error, during, settings)) if expected is None else expected


def _write_log(error: BaseException, during: str, chosen: Settings | None) -> Path | None:
    """The name of the written log of an error; None if there is no place for it."""
    places = list(_places(error))
    name = f"error-{sha256_of_text(' '.join((type(error).__name__, *places)))[:8]}.log"
    content = "\n".join([*_head(during), *_account(error)]) + "\n"
    for folder in _folders(chosen):
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(folder / name, content.encode("utf-8", "backslashreplace"), private=True)
            return folder / name
    return None


def _line_of_defect(error: BaseException, log: Path | None) -> str:
    kind = type(error).__name__
    if log is None:
        place = next(iter([*_places(error)][-1:]), "an unknown place")
        return f"this is a defect of hcat ({kind} at {place}): tell whoever maintains it what you did"
    return f"this is a defect of hcat ({kind}): send {log} to whoever maintains it, and say what you did"


def _folders(chosen: Settings | None) -> Iterator[Path]:
    """The folders for logs: next to the store, if there is one, else the user's own folder for such files."""
    from sqlalchemy.exc import ArgumentError

    from hcat.core.faults.work_folder import work_folder

    with suppress(HcatError, ArgumentError, ValueError, OSError):
        store = work_folder(chosen or settings())
        if store.is_dir():
            yield store / "logs"
    with suppress(RuntimeError):  # nobody's home is known
        yield Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "hcat"


def _head(during: str) -> Iterator[str]:
    yield f"hcat {__version__}, Python {platform.python_version()}, {platform.platform()}"
    yield datetime.now(UTC).isoformat(timespec="seconds")
    yield f"during: {_cleaned(during)}"


def _account(error: BaseException) -> Iterator[str]:
    """The error, its place, and the errors that caused it, the last first."""
    seen: set[int] = set()
    next_error: BaseException | None = error
    while next_error is not None and id(next_error) not in seen:
        seen.add(id(next_error))
        yield ""
        yield f"{type(next_error).__name__}: {_cleaned(str(next_error))}"
        yield from (f"  {place}" for place in _places(next_error))
        next_error = next_error.__cause__ or next_error.__context__


def _places(error: BaseException) -> Iterator[str]:
    """The lines of code that the error passed, the outermost first; of many, the first and the last."""
    frames = [
        f"{_shown(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    if len(frames) > MOST_FRAMES:
        frames = [*frames[: MOST_FRAMES // 2], "…", *frames[-MOST_FRAMES // 2 :]]
    return iter(frames)


def _shown(filename: str) -> str:
    path = Path(filename)
    for folder in (_PACKAGES, IMPORTED_FROM, Path(sys.base_prefix)):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _cleaned(text: str) -> str:
    """One short line without secrets and terminal codes."""
    for name, value in os.environ.items():
        if len(value) > 3 and _SECRET.search(name):
            text = text.replace(value, "***")
    line = visible(" ".join(without_secrets(text).split()))
    return line if len(line) <= MOST_CHARACTERS else f"{line[:MOST_CHARACTERS]}…"
