"""A journal of requests and answers, line by line on the disk: however the process ends, no answer is requested twice.

The first line names the test set, target and number of trials of the journal. A line is on the disk before the next
request is sent. A last line that a killed process left unfinished is dropped."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from hcat.core.errors import ConflictError, FileFormatError, StorageError
from hcat.core.records.json_text import json_object
from hcat.core.types import JsonValue

Key = tuple[str, int]
"""A test case and a trial of it."""


class Journal:
    """The journal of a collection.

    Raises ConflictError if the file belongs to another collection or another process writes it, FileFormatError if it
    is not a journal."""

    def __init__(self, path: Path, header: Mapping[str, JsonValue]) -> None:
        self.path = path
        self.replies: dict[Key, Mapping[str, JsonValue]] = {}
        self.failures: dict[Key, str] = {}
        self.requests = 0
        self._lock = threading.Lock()
        self._pending: set[Key] = set()
        self._file = path.open("r+b" if path.exists() else "x+b")
        try:
            _lock(self._file, path)
            whole = self._load(header)
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)
        if whole == 0:
            self._append({"journal": dict(header)})

    @property
    def unknown(self) -> frozenset[Key]:
        """Requests that were sent when the process ended: whether the system answered isn't known."""
        return frozenset(self._pending - self.replies.keys() - self.failures.keys())

    def asked(self, key: Key) -> None:
        """Record a request before it is sent."""
        self._append({"asked": list(key)})
        self._note({"asked": list(key)})

    def answered(self, key: Key, reply: Mapping[str, JsonValue]) -> None:
        self._append({"answered": list(key), "reply": dict(reply)})
        self._note({"answered": list(key), "reply": dict(reply)})

    def failed(self, key: Key, reason: str) -> None:
        self._append({"failed": list(key), "reason": reason})
        self._note({"failed": list(key), "reason": reason})

    def forget_failures(self) -> None:
        """Delete the failures, so that they are requested again."""
        self.failures.clear()

    def close(self) -> None:
        self._file.close()

    def _append(self, event: Mapping[str, JsonValue]) -> None:
        line = json.dumps(event, ensure_ascii=False).encode() + b"\n"
        try:
            with self._lock:
                self._file.write(line)
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as error:
            raise StorageError(
                f"{self.path} can't be written ({error.strerror}): make room; the same command goes on where it ended"
            ) from None

    def _load(self, header: Mapping[str, JsonValue]) -> int:
        """Read the file; returns the number of bytes of complete lines."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        lines = content[:whole].decode("utf-8", "replace").splitlines()
        try:
            events = [json_object(line) for line in lines]
            if events and events[0]["journal"] != dict(header):
                raise ConflictError(
                    f"{self.path} belongs to other tests, another target or another number of trials: name another "
                    "output, or delete it"
                )
            for event in events[1:]:
                self._note(event)
        except (ValueError, KeyError, TypeError):
            raise FileFormatError(f"{self.path} is no journal of answers: name another output, or delete it") from None
        return whole

    def _note(self, event: Mapping[str, JsonValue]) -> None:
        with self._lock:
            if "asked" in event:
                self._pending.add(_key(event["asked"]))
                self.requests += 1
            elif "answered" in event:
                reply = event["reply"]
                if not isinstance(reply, dict):
                    raise TypeError("a reply is an object")
                self.replies[_key(event["answered"])] = reply
                self.failures.pop(_key(event["answered"]), None)
            else:
                self.failures[_key(event["failed"])] = str(event["reason"])


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock the journal for one process: two would request the same answers twice."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ConflictError(f"{path} is being written by another process: wait until it ends, or cancel it") from None


def _key(value: JsonValue) -> Key:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], int):
        raise TypeError("a key is a test case and a trial")
    return str(value[0]), value[1]
