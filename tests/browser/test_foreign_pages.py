"""What a page of somebody else tries with a dashboard on this machine, in a real browser: it gets nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.chromium import find_chromium
from benchmarks.served import FLAGS
from tests.browser.conftest import PATIENCE, RunningApp
from tests.browser.steps import visit

pytestmark = pytest.mark.browser

EVIL = "evil.example"
CONNECT = """url => new Promise(done => {
    const socket = new WebSocket(url, ["streamlit"]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""
ASK = """async ([url, options]) => {
    try {
        const answer = await fetch(url, options);
        return answer.type + " " + answer.status + " " + await answer.text();
    } catch (error) { return "refused"; }
}"""


class Elsewhere(BaseHTTPRequestHandler):
    """A page of somebody else; what stands after `?frame=` is drawn in it."""

    def do_GET(self) -> None:
        address = self.path.partition("?frame=")[2]
        frame = f"<iframe src='{address}'></iframe>" if address else ""
        body = f"<p>a page elsewhere</p>{frame}".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def deceived(browser: Browser) -> Iterator[Page]:
    """A browser whose name server says that `evil.example` is this machine."""
    rule = f"--host-resolver-rules=MAP {EVIL} 127.0.0.1"
    opened = browser.browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, rule])
    page = opened.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    opened.close()


def test_a_name_that_somebody_pointed_at_this_machine_opens_nothing(deceived: Page, app: RunningApp) -> None:
    rebound = app.url.replace("127.0.0.1", EVIL)
    answer = deceived.goto(rebound)
    assert answer is not None
    assert answer.status == 403
    expect(deceived.locator("body")).to_contain_text("does not answer to that name")
    assert deceived.evaluate(CONNECT, f"{rebound.replace('http', 'ws')}/_stcore/stream") == "refused"
    assert deceived.evaluate(ASK, ["/_stcore/health", {}]).startswith("basic 403")


def test_a_foreign_page_can_neither_draw_the_dashboard_nor_talk_to_it(
    page: Page, app: RunningApp, elsewhere: str
) -> None:
    with page.expect_response(lambda answer: answer.url.startswith(app.url)) as framed:
        page.goto(f"{elsewhere}/?frame={app.url}/")
    assert framed.value.status == 403
    assert framed.value.headers["x-frame-options"] == "DENY"
    expect(page.frame_locator("iframe").get_by_text("Overview")).to_have_count(0)
    assert page.evaluate(CONNECT, f"{app.url.replace('http', 'ws')}/_stcore/stream") == "refused"
    assert page.evaluate(ASK, [f"{app.url}/_stcore/health", {}]) == "refused"
    assert page.evaluate(ASK, [f"{app.url}/_stcore/health", {"mode": "no-cors"}]) in ("refused", "opaque 0 ")
    assert "external IP" not in app.log.read_text(), "a foreign page made the server ask the internet"


def test_the_dashboard_runs_only_its_own_scripts_and_takes_only_files_that_it_asked_for(
    page: Page, app: RunningApp
) -> None:
    visit(page, app.url)
    page.evaluate(
        """() => { const script = document.createElement("script");
        script.textContent = "window.foreign = 1"; document.head.append(script); }"""
    )
    assert page.evaluate("window.foreign") is None
    assert page.evaluate(ASK, ["/_stcore/upload_file/any/any", {"method": "PUT", "body": "x"}]).startswith("basic 403")
    for route in ("metrics", "agent/openapi.json"):
        assert page.evaluate(ASK, [f"/_stcore/{route}", {}]).startswith("basic 404")
