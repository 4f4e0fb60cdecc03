"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = ()
