"""What a page drew reaches the browser, also where it is asked for again before it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from hcat.dashboard.access.sessions import WholeRuns

SCRIPT = """
import streamlit as st
st.session_state.runs = st.session_state.get("runs", 0) + 1
st.text(f"run {st.session_state.runs}")
"""


def texts_sent(kind: type[AppSession], script: Path, *, asked: int) -> list[str]:
    """What a session sends to the browser, asked for again each time that a run has ended and nothing of it is sent. In
    a thread of its own: in this one, Playwright may have an event loop that runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, _texts_sent(kind, script, asked)).result()


async def _texts_sent(kind: type[AppSession], script: Path, asked: int) -> list[str]:
    session = kind(
        ScriptData(str(script), is_hello=False),
        MemoryUploadedFileManager("/upload"),
        ScriptCache(),
        lambda: None,
        {"email": None},
    )
    sent: list[ForwardMsg] = []
    queue = session._browser_queue
    enqueue = queue.enqueue
    queue.enqueue = lambda message: (sent.append(message), enqueue(message))[1]  # type: ignore[method-assign]
    session.request_rerun(ClientState())
    runner = session._scriptrunner
    assert runner is not None and runner._script_thread is not None
    runner._script_thread.join(60)  # the event loop stands still: what was drawn waits in it
    for _ in range(asked):
        session.request_rerun(ClientState())
    while "run 2" not in texts(sent) or session._scriptrunner is not None:
        await asyncio.sleep(0.01)
    session.shutdown()
    return texts(sent)


def texts(messages: list[ForwardMsg]) -> list[str]:
    return [message.delta.new_element.text.body for message in messages if message.delta.new_element.text.body]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A page that is asked for as its parts are: by the runner that is there, where there is one."""
    monkeypatch.setattr(Runtime, "_instance", MagicMock())  # there is no server, as in Streamlit's own AppTest
    before = config.get_option("runner.fastReruns")
    config.set_option("runner.fastReruns", False)
    (tmp_path / "page.py").write_text(SCRIPT)
    yield tmp_path / "page.py"
    config.set_option("runner.fastReruns", before)


def test_nothing_that_was_drawn_gets_lost(script: Path) -> None:
    assert texts_sent(AppSession, script, asked=1) == ["run 2"], "Streamlit has mended it: drop our own"
    assert texts_sent(WholeRuns, script, asked=1) == ["run 1", "run 2"]


def test_what_is_asked_meanwhile_is_run_in_order(script: Path) -> None:
    assert texts_sent(WholeRuns, script, asked=3)[:2] == ["run 1", "run 2"]
