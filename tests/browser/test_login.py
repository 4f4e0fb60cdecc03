"""Who has not signed in gets nothing but the sign-in screen, whatever they send; who has, acts under their own name."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import oidc_provider_mock._app as provider_app
import pytest
from joserfc.jwk import RSAKey
from oidc_provider_mock._storage import AuthorizationCode
from playwright.sync_api import Browser, Page, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from benchmarks.served import RunningApp
from hcat.dashboard.access.login import going_on
from tests.browser.conftest import PATIENCE
from tests.browser.provider import SECRET, served_with_login
from tests.browser.steps import becomes, wait_until_idle

pytestmark = pytest.mark.browser

COOKIE = "_streamlit_user"
DOCUMENT = {"accept": "text/html"}
ANOTHER_KEY = RSAKey.generate_key(2048, private=True).as_dict(private=True)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with served_with_login(tmp_path_factory.mktemp("login")) as (started, _):
        yield started


@pytest.fixture
def client(served: RunningApp) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, timeout=30) as opened:
        yield opened


def come_back(client: httpx.Client, sub: str = "s-1") -> str:
    """Sign in at the provider; the address that it sends people back to, not yet followed."""
    begun = client.get(client.get("/sign-in").headers["location"])
    assert begun.status_code == 302
    return str(httpx.post(begun.headers["location"], data={"sub": sub}).headers["location"])


def sign_in(client: httpx.Client, sub: str = "s-1") -> None:
    assert client.get(come_back(client, sub)).headers["location"] == "/"


def opens(client: httpx.Client) -> int:
    return client.get("/weaknesses", headers=DOCUMENT).status_code


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/weaknesses"),
        ("GET", "/media/0123456789abcdef.csv"),
        ("GET", "/component/hcat_person/index.js"),
        ("PUT", "/_stcore/upload_file/session/file"),
        ("DELETE", "/_stcore/upload_file/session/file"),
        ("GET", "/auth/logout"),
        ("GET", "/_stcore/stream"),
    ],
)
def test_nothing_is_answered_without_a_cookie(client: httpx.Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.text) == (401, "sign in first")
    shown = client.request(method, path, headers=DOCUMENT)
    assert shown.status_code == 401
    assert "Sign in with your account" in shown.text


def test_a_connection_without_a_cookie_is_refused(client: httpx.Client) -> None:
    upgrade = {
        **{"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"},
        **{"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "origin": str(client.base_url)},
    }
    assert client.get("/_stcore/stream", headers=upgrade).status_code == 403
    sign_in(client)
    with client.stream("GET", "/_stcore/stream", headers=upgrade) as answer:
        assert answer.status_code == 101


def test_the_app_itself_and_the_health_of_the_process_stay_open(client: httpx.Client) -> None:
    assert client.get("/healthz").text == client.get("/_stcore/health").text == "ok"
    assert client.get("/static/none.js").status_code != 401


def test_signing_in_opens_pages_uploads_and_downloads(client: httpx.Client) -> None:
    sign_in(client)
    assert opens(client) == 200
    assert client.get("/media/0123456789abcdef.csv").status_code == 404
    assert client.put("/_stcore/upload_file/session/file").status_code not in (200, 204, 401)


def test_a_link_to_a_page_leads_there_once_signed_in(client: httpx.Client) -> None:
    page = "/weaknesses?project=Harbour+Bank&slice=%5B%22kind%22%2C%22fee%22%5D"
    shown = client.get(page, headers=DOCUMENT)
    address = re.search(r"href='([^']+)'", shown.text)
    assert address is not None
    begun = client.get(client.get(html.unescape(address[1])).headers["location"])
    back = client.get(httpx.post(begun.headers["location"], data={"sub": "s-1"}).headers["location"])
    assert (back.status_code, back.headers["location"]) == (302, page)
    assert going_on.COOKIE not in client.cookies
    assert opens(client) == 200


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "/a\r\nset-cookie: x=1",
        "/" + "a" * 3_000,
        "/é",
    ],
)
def test_a_link_leads_nowhere_else(client: httpx.Client, elsewhere: str) -> None:
    begun = client.get(client.get("/sign-in", params={"next": elsewhere}).headers["location"])
    back = client.get(httpx.post(begun.headers["location"], data={"sub": "s-1"}).headers["location"])
    assert back.headers["location"] == "/"
    client.cookies.clear()
    client.get(client.get("/sign-in").headers["location"])
    client.cookies.set(going_on.COOKIE, quote(elsewhere, safe=""))
    assert going_on.wanted_before(dict(client.cookies)) == "/"


def test_a_cookie_that_somebody_else_signed_is_refused(client: httpx.Client) -> None:
    forged = create_signed_value("guessed", COOKIE, '{"sub": "s-1", "is_logged_in": true}').decode()
    client.cookies.set(COOKIE, forged)
    assert opens(client) == 401


def test_a_changed_cookie_is_refused(client: httpx.Client) -> None:
    sign_in(client)
    value = client.cookies[COOKIE]
    client.cookies.clear()
    client.cookies.set(COOKIE, value[:-2] + ("aa" if value[-2:] != "aa" else "bb"))
    assert opens(client) == 401


def test_a_callback_counts_once_and_for_its_own_browser(client: httpx.Client, served: RunningApp) -> None:
    back = come_back(client)
    with httpx.Client(base_url=served.url) as stranger:
        refused = stranger.get(back)
        assert refused.status_code == 403
        assert "The sign-in was not completed" in refused.text
        assert opens(stranger) == 401
    assert client.get(back).status_code == 302
    assert opens(client) == 200
    client.cookies.delete(COOKIE)
    assert client.get(back).status_code == 403
    assert opens(client) == 401


def test_a_token_that_is_not_for_this_sign_in_is_refused(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    claims = provider_app.OpenIDCode.get_jwt_config

    def changed(**other: object) -> object:
        return lambda self, grant, client=None: {**claims(self, grant, client), **other}

    for what, owner, name, value in (
        ("expired", provider_app.OpenIDCode, "get_jwt_config", changed(exp=-3600)),
        ("issuer", provider_app.OpenIDCode, "get_jwt_config", changed(iss="http://evil.example")),
        ("audience", provider_app.OpenIDCode, "get_jwt_config", changed(aud=["another"])),
        ("party", provider_app.OpenIDCode, "get_jwt_config", changed(aud=["another"], azp="hcat")),
        ("two audiences", provider_app.OpenIDCode, "get_jwt_config", changed(aud=["hcat", "another"], azp="hcat")),
        ("key", provider_app.OpenIDCode, "get_jwt_config", changed(key=ANOTHER_KEY)),
        ("nonce", AuthorizationCode, "get_nonce", lambda _: "replayed"),
    ):
        with subtests.test(what), monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            client.cookies.clear()
            refused = client.get(come_back(client))
            assert refused.status_code == 403
            assert "The sign-in was not completed" in refused.text
            assert opens(client) == 401
    client.cookies.clear()
    sign_in(client)
    assert opens(client) == 200


def test_a_refusal_of_the_provider_is_told(client: httpx.Client) -> None:
    begun = client.get(client.get("/sign-in").headers["location"])
    back = httpx.post(begun.headers["location"], data={"action": "deny"}).headers["location"]
    assert "error=access_denied" in back
    assert client.get(back).status_code == 403


def test_after_signing_out_the_old_cookie_is_worth_nothing(client: httpx.Client) -> None:
    sign_in(client)
    kept = client.cookies[COOKIE]
    assert urlsplit(client.get("/auth/logout").headers["location"]).path == "/oauth2/end_session"
    client.cookies.set(COOKIE, kept)
    assert opens(client) == 401
    assert "You are signed out." in client.get("/oauth2callback").text


def test_a_person_signs_in_acts_under_their_name_and_signs_out(page: Page, served: RunningApp) -> None:
    page.goto(served.url)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="s-1").click()
    expect(page.get_by_text("Signed in as Ann Lead")).to_be_visible()
    second = page.context.new_page()
    second.goto(served.url)
    expect(second.get_by_text("Signed in as Ann Lead")).to_be_visible()
    for opened in (second, page):  # while a page is still drawn, what it sends for a press can be dropped
        wait_until_idle(opened)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.get_by_role("button", name="Sign out").click()
    expect(second.get_by_text("Sign in with your account")).to_be_visible()
    assert becomes(page, lambda: "/oauth2/end_session" in asked)
    second.close()
    assert SECRET not in served.log.read_text()


def test_a_person_who_opens_a_link_is_there_after_signing_in(page: Page, served: RunningApp) -> None:
    page.goto(f"{served.url}/glossary?project=none")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="s-1").click()
    expect(page.get_by_text("Signed in as Ann Lead")).to_be_visible()
    assert urlsplit(page.url).path == "/glossary"


def test_idle_time_shows_the_sign_in_screen(browser: Browser, tmp_path: Path) -> None:
    with served_with_login(tmp_path, idle_minutes=0.25) as (started, _):
        opened = browser.new_context().new_page()
        opened.set_default_timeout(PATIENCE)
        opened.goto(started.url)
        opened.get_by_role("link", name="Sign in").click()
        opened.get_by_role("button", name="s-2").click()
        expect(opened.get_by_text("Sign in with your account")).to_be_visible()
        assert SECRET not in started.log.read_text()
        opened.context.close()


def test_a_provider_that_does_not_answer_is_told_in_one_line(tmp_path: Path) -> None:
    with served_with_login(tmp_path) as (started, _), httpx.Client(base_url=started.url, timeout=60) as client:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(provider_app, "openid_config", None)
            patch.setattr(provider_app.flask, "jsonify", lambda *_: ("", 500))
            answer = client.get(client.get("/sign-in").headers["location"])
        assert answer.status_code == 502
        assert "The sign-in service does not answer." in answer.text
        log = started.log.read_text()
        assert SECRET not in log
        assert "Traceback" not in log
