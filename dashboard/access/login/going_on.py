"""The page that somebody wanted before they had to sign in, stored in a cookie while they are at the provider."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, unquote, urlsplit

from starlette.types import Scope

COOKIE = "hcat-wanted"
MOST_CHARACTERS = 2_000
_SECONDS = 900
"""Time to sign in."""


def wanted_now(scope: Scope) -> str:
    """The page that a request asks for, with its query."""
    query = scope.get("query_string", b"").decode("latin-1")
    path = quote(scope["path"], safe="/")
    return own_page(f"{path}?{query}" if query else path)


def own_page(address: str) -> str:
    """The address where it is a page of this server; "/" for any other, so that no link leads people elsewhere."""
    fits = len(address) <= MOST_CHARACTERS and address.isascii() and address.isprintable()
    if not fits or not address.startswith("/") or address.startswith("//") or "\\" in address or " " in address:
        return "/"
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    return "/" if parts.scheme or parts.netloc else address


def asked_next(scope: Scope) -> str:
    """The page that the sign-in link names."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return own_page(query.get("next", ["/"])[0])


def wanted_before(cookies: dict[str, str]) -> str:
    """The page that the cookie names."""
    return own_page(unquote(cookies.get(COOKIE, "/")))


def cookie(page: str) -> str:
    """The header that keeps the page; for "/" the one that forgets it."""
    age = 0 if page == "/" else _SECONDS
    return f"{COOKIE}={quote(page, safe='')}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax"
