"""Screens for people who have not signed in: one plain document, without a script."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse

SIGN_IN = "/sign-in"
_STYLE = """
:root { color-scheme: light dark; --text: #17252B; --back: #FFFFFF; --mark: #0B6B7C; --on: #FFFFFF }
@media (prefers-color-scheme: dark) { :root { --text: #E6EEF0; --back: #10181C; --mark: #3E9FB3; --on: #10181C } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--text);
  font: 1rem/1.5 "Source Sans", "Segoe UI", system-ui, sans-serif }
main { max-width: 28rem; padding: 2rem }
h1 { font-size: 1.75rem; font-weight: 650; margin: 0 0 .5rem }
a { display: inline-block; margin-top: 1rem; padding: .5rem 1.25rem; border-radius: .4rem; background: var(--mark);
  color: var(--on); text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
"""
NOT_SIGNED_IN = "Sign in with your account to go on."
SIGNED_OUT = "You are signed out."
FAILED = "The sign-in was not completed. Please try again."
NO_PROVIDER = "The sign-in service does not answer. Try again, or tell whoever runs hcat."


def screen(text: str, *, status: int, next_page: str = "/") -> HTMLResponse:
    """The document with one sentence and the button that begins to sign in, and leads on to the next page then."""
    address = SIGN_IN if next_page == "/" else f"{SIGN_IN}?next={quote(next_page, safe='')}"
    return HTMLResponse(
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>hcat: sign in</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head>"
        f"<body><main><h1>hcat</h1><p>{escape(text)}</p><a href='{escape(address)}'>Sign in</a></main></body></html>",
        status_code=status,
        headers={"cache-control": "no-store"},
    )
