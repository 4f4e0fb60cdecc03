"""Files are taken only where a field asked for them, and within limits for a session and for the server."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from hcat.dashboard.access import uploads
from hcat.dashboard.access.uploads import BoundedUploads, UploadLimits, UploadRefusedError


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> BoundedUploads:
    monkeypatch.setattr(uploads, "SESSION_BYTES", 100)
    monkeypatch.setattr(uploads, "PROCESS_BYTES", 150)
    monkeypatch.setattr(uploads, "MOST_FILES", 3)
    return BoundedUploads("/upload")


def asked(manager: BoundedUploads, session: str, files: int = 1) -> list[str]:
    return [address.file_id for address in manager.get_upload_urls(session, ["name"] * files)]


def send(manager: BoundedUploads, session: str, file_id: str, size: int) -> None:
    with manager.room_for(session, file_id, size):
        manager.add_file(session, UploadedFileRec(file_id, "name", "text/plain", b"x" * size))


def test_what_no_field_asked_for_is_refused_and_never_kept(manager: BoundedUploads) -> None:
    with pytest.raises(UploadRefusedError), manager.room_for("a", "made-up", 1):
        pass
    manager.add_file("a", UploadedFileRec("made-up", "name", "text/plain", b"x"))
    assert manager.get_files("a", ["made-up"]) == []
    (own,) = asked(manager, "a")
    with pytest.raises(UploadRefusedError), manager.room_for("b", own, 1):
        pass


def test_a_session_and_the_server_take_so_much_and_give_room_back(manager: BoundedUploads) -> None:
    first, second = asked(manager, "a", 2)
    send(manager, "a", first, 60)
    with pytest.raises(UploadRefusedError) as too_much, manager.room_for("a", second, 41):
        pass
    assert too_much.value.status == 413
    send(manager, "a", first, 90)  # the same file again replaces the first
    (other,) = asked(manager, "b")
    with pytest.raises(UploadRefusedError), manager.room_for("b", other, 61):
        pass
    manager.remove_file("a", first)
    send(manager, "b", other, 100)
    manager.remove_session_files("b")
    send(manager, "a", second, 100)


def test_files_on_their_way_count(manager: BoundedUploads) -> None:
    first, second = asked(manager, "a", 2)
    with manager.room_for("a", first, 60), pytest.raises(UploadRefusedError), manager.room_for("a", second, 60):
        pass
    with manager.room_for("a", second, 60):
        pass


def test_a_session_takes_so_many_files(manager: BoundedUploads) -> None:
    used = asked(manager, "a", 3)
    for file_id in used:
        send(manager, "a", file_id, 1)
    (more,) = asked(manager, "a")
    with pytest.raises(UploadRefusedError), manager.room_for("a", more, 1):
        pass
    manager.remove_file("a", used[0])
    send(manager, "a", asked(manager, "a")[0], 1)


def test_ids_that_were_asked_for_and_never_used_make_room(manager: BoundedUploads) -> None:
    for _ in range(5):
        asked(manager, "a", 2)
    (file_id,) = asked(manager, "a")
    send(manager, "a", file_id, 1)
    assert list(manager.file_storage["a"]) == [file_id]


def test_a_session_that_ended_while_a_file_came_keeps_nothing(manager: BoundedUploads) -> None:
    (file_id,) = asked(manager, "a")
    with manager.room_for("a", file_id, 10):
        manager.remove_session_files("a")
        manager.add_file("a", UploadedFileRec(file_id, "name", "text/plain", b"x"))
    assert not manager.file_storage.get("a")


def test_refusals_come_before_the_file_is_read(manager: BoundedUploads, monkeypatch: pytest.MonkeyPatch) -> None:
    async def take(request: Request) -> Response:
        return Response(await request.body())

    monkeypatch.setattr(uploads, "_uploads", lambda: manager)
    routes = [Route("/_stcore/upload_file/{session}/{file}", take, methods=["PUT", "DELETE"])]
    client = TestClient(UploadLimits(Starlette(routes=routes)))
    (file_id,) = asked(manager, "a")
    address = f"/_stcore/upload_file/a/{file_id}"
    assert client.put(address, content=b"x").text == "x"
    assert client.put(address, content=b"x" * 101).status_code == 413
    assert client.put("/_stcore/upload_file/a/other", content=b"x").status_code == 403
    assert client.put(address, content=iter([b"x"])).status_code == 411
    assert client.delete("/_stcore/upload_file/a/other").status_code == 200
