import re

import pytest

from hcat.core.view.renderers.quotation import quotation_html


def test_a_guideline_reads_as_it_was_written() -> None:
    text = "# Correctness\n\nDecide **one thing**:\nwould it do?\n\n- pass: it would\n- fail\n\n"
    html = str(quotation_html(f"{text}| a | b |\n|---|---|\n| 1 | 2 |"))
    assert '<p class="quoted-heading">Correctness</p>' in html
    assert "<strong>one thing</strong>:\nwould it do?" in html
    assert html.count("<li>") == 2 and "<td>2</td>" in html
    assert not re.search("<h[1-6]", html)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![p](https://example.org/p.png)",
        "[here](javascript:alert(1))",
        "<https://example.org>",
        "[ref]\n\n[ref]: https://example.org",
        '<b onclick="x()">bold</b>',
        "```html\n<script>alert(1)</script>\n```",
    ],
)
def test_nothing_in_it_runs_or_points_elsewhere(text: str) -> None:
    html = str(quotation_html(text))
    tags = set(re.findall(r"</?([a-z0-9]+)", html))
    assert tags <= {"p", "pre", "code", "br"} and not re.search(r"<[^>]*(href|src|onclick)", html)
