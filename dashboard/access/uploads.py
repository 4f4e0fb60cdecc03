"""Files that are sent to the server: only those that a field of a page requested, and no more than fits in memory."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec, UploadFileUrlInfo

MOST_FILES = 5_000
"""Files a session, as of a folder of documents."""
SESSION_BYTES = 500_000_000
PROCESS_BYTES = 1_000_000_000
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")


class UploadRefusedError(Exception):
    """A file that is refused. `status` is that of the answer."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class BoundedUploads(MemoryUploadedFileManager):
    """Keeps the files of each session in memory, as Streamlit does, within limits and under ids that it gave out."""

    def __init__(self, upload_endpoint: str) -> None:
        super().__init__(upload_endpoint)
        self._expected: dict[str, dict[str, int]] = defaultdict(dict)
        """Bytes that each given-out id has received or is about to receive, by session."""

    def get_upload_urls(self, session_id: str, file_names: Sequence[str]) -> list[UploadFileUrlInfo]:
        """An address for each file that a field is about to send."""
        addresses = super().get_upload_urls(session_id, file_names)
        with self._lock:
            taken = self._expected[session_id]
            unused = [file_id for file_id, size in taken.items() if not size]
            for file_id in unused[: max(0, len(taken) + len(addresses) - MOST_FILES)]:
                del taken[file_id]  # asked for and never sent
            for address in addresses[: MOST_FILES - len(taken)]:
                taken[address.file_id] = 0
        return addresses

    @contextmanager
    def room_for(self, session_id: str, file_id: str, size: int) -> Iterator[None]:
        """Reserve so many bytes while a file is sent. UploadRefusedError if nobody asked for it or it is too much."""
        with self._lock:
            taken = self._expected.get(session_id, {})
            if file_id not in taken:
                raise UploadRefusedError("no field asked for this file, or for fewer files", status=403)
            before = taken[file_id]
            session = sum(taken.values()) - before + size
            process = sum(sum(sizes.values()) for sizes in self._expected.values()) - before + size
            if session > SESSION_BYTES or process > PROCESS_BYTES:
                raise UploadRefusedError("too much was sent: remove files, or send smaller ones", status=413)
            taken[file_id] = size
        try:
            yield
        finally:
            with self._lock:
                self._set_size(session_id, file_id)

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file that was asked for; a session that ended meanwhile keeps nothing."""
        with self._lock:
            expected = file.file_id in self._expected.get(session_id, {})
        if expected:
            super().add_file(session_id, file)

    def remove_file(self, session_id: str, file_id: str) -> None:
        """Forget a file; its id is used up."""
        super().remove_file(session_id, file_id)
        with self._lock:
            self._expected.get(session_id, {}).pop(file_id, None)

    def remove_session_files(self, session_id: str) -> None:
        """Forget all files and ids of a session."""
        super().remove_session_files(session_id)
        with self._lock:
            self._expected.pop(session_id, None)

    def _set_size(self, session_id: str, file_id: str) -> None:
        file = self.file_storage.get(session_id, {}).get(file_id)
        if file_id in self._expected.get(session_id, {}):
            self._expected[session_id][file_id] = 0 if file is None else len(file.data)


class UploadLimits:
    """Refuses a file before its first byte is read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        address = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if address is None:
            await self.app(scope, receive, send)
            return
        size = Headers(scope=scope).get("content-length", "")
        if not size.isascii() or not size.isdigit():
            await PlainTextResponse("say how long the file is", status_code=411)(scope, receive, send)
            return
        try:
            with _uploads().room_for(address[1], address[2], int(size)):
                await self.app(scope, receive, send)
        except UploadRefusedError as error:
            await PlainTextResponse(str(error), status_code=error.status)(scope, receive, send)


def _uploads() -> BoundedUploads:
    manager = get_instance().uploaded_file_mgr if exists() else None
    if not isinstance(manager, BoundedUploads):
        raise UploadRefusedError("this server takes no files", status=403)
    return manager
