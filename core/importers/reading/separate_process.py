"""Reads files in dangerous formats, each in a process that does nothing else and has no secrets.

A broken file can make a library end its process (an abort in C++, which no `except` sees), and a hostile one can use
all memory or time. The program reads the file from its standard input and writes one JSON object."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.json_records import parse_json
from hcat.core.settings import IMPORTED_FROM, plain_environment

TIMEOUT_SECONDS = 300
BASE_MEMORY = 4_000_000_000
MEMORY_FACTOR = 20
"""Address space for the libraries, and the addition for each byte of text in the file, as values and as JSON."""


def read_in_process(
    program: str, data: bytes, limits: Limits, *, kind: str, arguments: Sequence[str] = ()
) -> dict[str, object]:
    """The program's answer about a file of this kind; {} if it crashed.

    LimitError if it takes too long, or the program says so (`{"limit": message}`)."""
    command = program_command(program, limits, arguments)
    try:
        done = subprocess.run(  # noqa: S603  our own module, without a shell
            command,
            input=data,
            capture_output=True,
            cwd=IMPORTED_FROM,
            env=plain_environment(),
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitError(f"the {kind} file takes more than {TIMEOUT_SECONDS} seconds to read: split it") from None
    except OSError as error:
        raise FileFormatError(f"no process could be started to read the {kind} file: {error.strerror}") from None
    try:
        parsed = parse_json(done.stdout.decode("utf-8"))
    except (ValueError, RecursionError):
        parsed = None
    answer: dict[str, object] = dict(parsed) if isinstance(parsed, dict) and done.returncode == 0 else {}
    if "limit" in answer:
        raise LimitError(str(answer["limit"]))
    return answer


def program_command(program: str, limits: Limits, arguments: Sequence[str] = ()) -> list[str]:
    """The command that starts the program, in IMPORTED_FROM and with `plain_environment`."""
    return [sys.executable, "-m", program, str(limits.max_file_mb), str(limits.max_rows), *arguments]


def cap_memory(limits: Limits) -> None:
    """Limit this process to the address space that a file within the limits needs."""
    if sys.platform != "win32":
        import resource

        size = BASE_MEMORY + MEMORY_FACTOR * limits.max_bytes
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
