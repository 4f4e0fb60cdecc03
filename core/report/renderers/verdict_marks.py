"""The mark before a verdict, so that it is read without colour."""

from __future__ import annotations

_MARKS = (("weak", "▼"), ("lower score", "▽"), ("higher score", "▽"), ("different score", "▽"))


def marked(verdict: str) -> str:
    """ "▼ weak", "◇ possibly lower", "○ insufficient evidence"; a verdict without a mark as it is."""
    if verdict.startswith("possibly"):
        return f"◇ {verdict}"
    if verdict == "insufficient evidence":
        return f"○ {verdict}"
    mark = dict(_MARKS).get(verdict)
    return verdict if mark is None else f"{mark} {verdict}"
