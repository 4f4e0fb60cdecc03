"""Contrast of texts and signs in both themes, computed from the theme itself: WCAG 2.1 AA asks for 4.5 and 3."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest

from hcat.core.display.palette import BAD, CATEGORICAL, GOOD, REGIONS, contrast
from hcat.core.settings import ROOT
from hcat.dashboard.charts.style import tone

TEXT, SIGN = 4.5, 3.0
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
CSS = (ROOT / "dashboard" / "assets" / "theme.css").read_text("utf-8")


def blended(ink: str, share: float, paper: str) -> str:
    """What this share of the ink over the paper looks like."""
    pairs = [(int(ink[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def css_colors(selector: str) -> tuple[str, str]:
    """The light and the dark colour that the style sheet gives to a selector."""
    rule = CSS[CSS.index(selector) :].partition("}")[0]
    found = re.search(r"light-dark\((#\w{6}), (#\w{6})\)", rule)
    assert found, f"no colour for {selector}"
    return found.group(1), found.group(2)


def caption_share() -> float:
    found = re.search(r"stCaptionContainer.*?opacity: 1;.*?currentcolor (\d+)%", CSS, re.DOTALL)
    assert found
    return int(found.group(1)) / 100


def pairs(dark: bool) -> Iterator[tuple[str, str, str, float]]:
    """What is read or seen, its colour, the colour behind it, and the least contrast."""
    theme, tones = CONFIG["dark" if dark else "light"], tone(dark)
    paper, panel, sidebar = (
        theme["backgroundColor"],
        theme["secondaryBackgroundColor"],
        theme["sidebar"]["backgroundColor"],
    )
    ink, primary = theme["textColor"], theme["primaryColor"]
    for name, behind in (("page", paper), ("panel", panel), ("sidebar", sidebar)):
        yield f"text on the {name}", ink, behind, TEXT
        yield f"caption on the {name}", blended(ink, caption_share(), behind), behind, TEXT
        yield f"link on the {name}", theme["linkColor"], behind, TEXT
    yield "primary button", css_colors("[kind^=")[dark], primary, TEXT
    yield "chosen value (chip)", css_colors("[data-tag]")[dark], primary, TEXT
    yield "focus of a menu entry", css_colors("stSidebarNavLink")[dark], sidebar, SIGN
    yield "chart: titles and values", tones.ink, paper, TEXT
    yield "chart: axis ticks and titles", tones.quiet, paper, TEXT
    yield "chart: hover label", tones.ink, tones.paper, TEXT
    yield "chart: accent", tones.accent, paper, SIGN
    yield "chart: pass", GOOD, paper, SIGN
    yield "chart: fail", BAD, paper, SIGN
    yield "chart: both", REGIONS["both"], paper, SIGN


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_and_signs_stand_out(dark: bool) -> None:
    rows = [(name, contrast(color, behind), least) for name, color, behind, least in pairs(dark)]
    for name, ratio, least in rows:
        print(f"{'dark' if dark else 'light'}  {name:<32}{ratio:6.2f}  (at least {least})")
    assert [(name, round(ratio, 2)) for name, ratio, least in rows if ratio < least] == []


def test_the_ratio_is_that_of_the_recommendation() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # the grey that just fails
    assert contrast("#FFFFFF", "#3E9FB3") == pytest.approx(3.08, abs=0.005)  # what white on the dark theme's teal was


def test_points_of_topics_stand_out_on_both_papers() -> None:
    """Points have an outline of the paper's colour; colours alone reach 3 on one of both papers at least."""
    for color in CATEGORICAL:
        assert max(contrast(color, tone(dark).paper) for dark in (False, True)) >= SIGN


def test_every_axis_has_the_tested_colours() -> None:
    import numpy as np

    from hcat.core.metrics.funnel import RecallCurve
    from hcat.dashboard.capabilities.retrieval.chart import recall_chart

    curve = RecallCurve(np.array([0.2, 0.4]), 3)
    for dark in (False, True):
        figure = recall_chart(first=None, second=curve, ceiling=None, cutoffs=(1,), dark=dark)
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert (axis.tickfont.color, axis.title.font.color) == (tone(dark).quiet, tone(dark).quiet)
            assert axis.title.text
