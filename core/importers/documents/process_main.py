"""The program that parses files which it reads from its standard input, one after another: see `process`.

Each file is a line of JSON with its name and size, then its bytes; each answer is a line of JSON.
"""

from __future__ import annotations

import json
import logging
import sys

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.messages import Message, write_message
from hcat.core.importers.documents.parse import parse_file
from hcat.core.importers.limits import Limits

BASE_MEMORY = 2_000_000_000
MEMORY_FACTOR = 20
"""Address space for the libraries, and the addition for each byte of a file of the largest size."""


def main() -> None:
    """Answer until the input ends."""
    max_file_mb, max_rows = sys.argv[1:3]
    limits = Limits(max_file_mb=float(max_file_mb), max_rows=int(max_rows))
    _cap_memory(limits)
    logging.disable()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # what a library prints is no answer
    while header := sys.stdin.buffer.readline():
        request = json.loads(header)
        data = sys.stdin.buffer.read(request["size"])
        answers.write(json.dumps(_answer(str(request["name"]), data, limits)).encode("ascii") + b"\n")
        answers.flush()


def _answer(name: str, data: bytes, limits: Limits) -> Message:
    """The documents, or in words why there are none. Only a crash of a library ends the process."""
    try:
        documents, note = parse_file(name, data, limits)
        return write_message(documents, note)
    except LimitError as error:
        return {"limit": str(error)}
    except FileFormatError as error:
        return {"broken": str(error)}
    except MemoryError:
        return {"limit": "it needs more memory than hcat gives to one file: split it"}
    except RecursionError:
        return {"broken": "it is nested too deeply to be read"}
    except Exception as error:  # noqa: BLE001  whatever a library raises on a broken file, the next file is read
        return {"broken": f"it can't be read ({type(error).__name__}): save it again in its program"}


def _cap_memory(limits: Limits) -> None:
    if sys.platform != "win32":
        import resource

        size = BASE_MEMORY + MEMORY_FACTOR * min(limits.max_bytes, 100_000_000)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    main()
