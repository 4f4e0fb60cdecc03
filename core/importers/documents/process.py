"""The process that parses documents: a broken or hostile file can end it, but not the caller.

One process parses one file after another, since starting Python for each takes longer than most files. It is ended if a
file takes too long, and restarted for the next one. It has no secrets and little memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Timer
from typing import Self, cast

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.messages import Message, read_message
from hcat.core.importers.limits import Limits
from hcat.core.records.documents import Document
from hcat.core.settings import IMPORTED_FROM

TIMEOUT_SECONDS = 120
LOOK_SECONDS = 0.5
PROGRAM = "hcat.core.importers.documents.process_main"
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "TZ")
BROKE_OFF = "the program that reads it broke off: the file is broken, or needs more memory than hcat gives to one file"


@dataclass
class DocumentProcess:
    """Parses files in a process of its own, which starts with the first one. Use as a context manager."""

    limits: Limits
    timeout: float = TIMEOUT_SECONDS
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def parse(
        self, name: str, data: bytes, *, while_waiting: Callable[[], None] | None = None
    ) -> tuple[tuple[Document, ...], str]:
        """The result of `parse_file`. FileFormatError or LimitError also if the process ended or took too long.

        `while_waiting` is called twice a second; an exception that it raises ends the process."""
        process = self._running()
        expired = Event()

        def end() -> None:
            expired.set()
            process.kill()

        timer = Timer(self.timeout, end)
        timer.start()
        try:
            answer = _watched_exchange(process, name, data, while_waiting)
        finally:
            timer.cancel()
        if answer is None or expired.is_set():
            self.close()
            if expired.is_set():
                raise LimitError(f"it takes more than {self.timeout:g} seconds to read: split it")
            raise FileFormatError(BROKE_OFF)
        return read_message(answer)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # what was not sent yet is not wanted any more
        process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            command = [sys.executable, "-m", PROGRAM, str(self.limits.max_file_mb), str(self.limits.max_rows)]
            environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
            try:
                self._process = subprocess.Popen(  # noqa: S603  our own module, without a shell
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=IMPORTED_FROM,
                    env=environment,
                )
            except OSError as error:
                raise FileFormatError(f"no process could be started to read it: {error.strerror}") from None
        return self._process


def _watched_exchange(
    process: subprocess.Popen[bytes], name: str, data: bytes, while_waiting: Callable[[], None] | None
) -> Message | None:
    """`_exchange`, in a thread if the caller wants to check whether to continue."""
    if while_waiting is None:
        return _exchange(process, name, data)
    with ThreadPoolExecutor(1) as executor:
        answer = executor.submit(_exchange, process, name, data)
        try:
            while not _is_over(answer):
                while_waiting()
        except BaseException:
            process.kill()  # which ends the thread
            raise
        return answer.result()


def _is_over(answer: Future[Message | None]) -> bool:
    try:
        answer.result(LOOK_SECONDS)
    except TimeoutError:
        return False
    return True


def _exchange(process: subprocess.Popen[bytes], name: str, data: bytes) -> Message | None:
    """Send the file and wait for the answer; None if the process ended."""
    if process.stdin is None or process.stdout is None:
        return None
    try:
        process.stdin.write(json.dumps({"name": name, "size": len(data)}).encode() + b"\n")
        process.stdin.write(data)
        process.stdin.flush()
        line = process.stdout.readline()
        answer = json.loads(line) if line.endswith(b"\n") else None
    except (OSError, ValueError):
        return None
    return cast("Message", answer) if isinstance(answer, dict) else None
