"""What was read of an upload, and the upload itself, goes with the session that sent it."""

from __future__ import annotations

import ast
import gc
import inspect
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit import net_util
from streamlit.runtime import caching
from streamlit.runtime.caching import cache_resource_api
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from hcat.core.importers import FileColumns, Preview
from hcat.core.scoring.score_file import ScoreFile
from hcat.core.settings import ROOT
from hcat.dashboard.access.uploads import MOST_FILES, PROCESS_BYTES, SESSION_BYTES, BoundedUploads
from hcat.dashboard.capabilities.grammar.loader import uploaded_database
from hcat.dashboard.loaders.uploads import uploaded_columns, uploaded_run, uploaded_scores


@dataclass(frozen=True)
class Sent:
    file_id: str
    content: bytes
    name: str = "a.csv"

    def getvalue(self) -> bytes:
        return self.content


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A session whose pages read; it is over when its caches are cleared, as Streamlit does when a browser leaves."""
    name = "session-of-this-test"
    monkeypatch.setattr(cache_resource_api, "get_session_id_or_throw", lambda: name)
    yield name
    caching.clear_session_resource_cache(name)


def alive() -> list[object]:
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, Preview | FileColumns | ScoreFile)]


def test_nothing_that_was_read_of_uploads_outlives_the_session(session: str) -> None:
    before = len(alive())
    for number in range(20):
        sent = Sent(f"f{number}", f"id,query,answer,score\na,q{number},a,0.5\nb,q,a,0.7\n".encode())
        assert uploaded_columns(sent).columns
        assert uploaded_run(sent, {}).rows == 2
        assert uploaded_scores(sent).columns
    assert 0 < len(alive()) - before <= 3 * 4, "and while it lasts, the last four of each kind stay"
    caching.clear_session_resource_cache(session)
    assert len(alive()) == before


def test_an_uploaded_database_is_one_file_and_goes_with_the_session(session: str, tmp_path: Path) -> None:
    places = []
    for number in range(2):
        with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
            connection.execute(f"CREATE TABLE t{number} (x)")
            connection.commit()
        places.append(Path(uploaded_database(Sent(f"d{number}", (tmp_path / "a.db").read_bytes(), "a.db"))))
    assert [place.exists() for place in places] == [False, True]
    caching.clear_session_resource_cache(session)
    assert not places[1].parent.exists()


def test_no_cache_of_the_whole_server_holds_an_upload() -> None:
    for path in sorted((ROOT / "dashboard").rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and any("Upload" in ast.unparse(a) for a in function.args.args):
                caches = [ast.unparse(each) for each in function.decorator_list if "cache_" in ast.unparse(each)]
                assert all("scope='session'" in cache for cache in caches), (path.name, function.name)


def test_bytes_of_uploads_are_given_back_when_the_session_ends() -> None:
    manager = BoundedUploads("/upload")
    for number in range(10):
        session = f"s{number}"
        for address in manager.get_upload_urls(session, ["a", "b"]):
            with manager.room_for(session, address.file_id, 1_000):
                manager.add_file(session, UploadedFileRec(address.file_id, "a", "text/csv", bytes(1_000)))
        assert sum(len(file.data) for files in manager.file_storage.values() for file in files.values()) == 2_000
        manager.remove_session_files(session)
        assert not any(manager.file_storage.values())
    assert 0 < SESSION_BYTES < PROCESS_BYTES <= 1_000_000_000
    assert 0 < MOST_FILES <= 5_000


def test_nobody_is_asked_for_the_address_of_this_machine() -> None:
    import hcat.dashboard.server

    assert net_util.get_external_ip() is None
    assert inspect.getmodule(net_util.get_external_ip) is hcat.dashboard.server
