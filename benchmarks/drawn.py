"""When a page of the app is drawn: nothing asked of the server is unanswered, no script runs, and nothing is stale."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

LASTING = 60
"""Milliseconds for which all of that holds: one run of a script may ask for another."""
COUNT_REQUESTS = """(() => {
    const send = WebSocket.prototype.send, followed = new WeakSet();
    window.unanswered = 0;
    WebSocket.prototype.send = function (message) {
        if (!followed.has(this)) {
            followed.add(this);
            this.addEventListener("message", () => { window.unanswered = 0; });
        }
        window.unanswered += 1;
        return send.call(this, message);
    };
})()"""
"""What the page asked of the server since the server last said something; run before any script of the page."""
IDLE = f"""call => {{
    const app = document.querySelector('[data-testid="stApp"]');
    const idle = app && app.dataset.testScriptState === "notRunning" && !window.unanswered
        && !document.querySelector('[data-stale="true"]');
    if (!idle || window.idleFor?.call !== call) window.idleFor = {{call, since: performance.now()}};
    return idle && performance.now() - window.idleFor.since >= {LASTING};
}}"""
calls = itertools.count()


def wait_until_idle(page: Page, *, every: float | Literal["raf"] = "raf") -> None:
    """What was done last is answered, no script is running and nothing on the page is stale. The page must have had
    `COUNT_REQUESTS` from its start. It is asked with each frame, or `every` so many milliseconds."""
    page.wait_for_function(IDLE, arg=next(calls), polling=every)


def wait_until_drawn(page: Page, *, every: float | Literal["raf"] = "raf") -> None:
    """The same of a page that was just asked for: its first element is there."""
    page.get_by_test_id("stMain").get_by_test_id("stElementContainer").first.wait_for(state="attached")
    wait_until_idle(page, every=every)
