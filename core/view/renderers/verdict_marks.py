"""The mark before a verdict, so that it is read without colour."""

from __future__ import annotations

from hcat.core.display.messages import say

_MARKS = (("weak", "▼"), ("lower score", "▽"), ("higher score", "▽"), ("different score", "▽"))


def marked(verdict: str) -> str:
    """ "▼ weak", "◇ possibly lower", "○ insufficient evidence"; in the edition's language."""
    if verdict.startswith("possibly"):
        return f"◇ {say(verdict)}"
    if verdict == "insufficient evidence":
        return f"○ {say(verdict)}"
    mark = dict(_MARKS).get(verdict)
    return say(verdict) if mark is None else f"{mark} {say(verdict)}"
