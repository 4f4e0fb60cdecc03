"""Evidence packs on the page Report: made, checked, and told apart from what was changed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.evidence.verify import verify
from tests.core.capabilities.evidence.packed import unzipped, zipped
from tests.pages.test_pages import assert_sound, press, shown

OpenPage = Callable[..., AppTest]


def checked(app: AppTest, content: bytes, name: str = "evidence.zip", mime: str = "application/zip") -> str:
    uploader = next(each for each in app.file_uploader if each.label == "Evidence pack or its PDF")
    uploader.upload(name, content, mime).run()
    press(app, "Check the pack")
    return " ".join([*(each.value for each in app.warning), shown(app)])


def test_a_pack_is_made_and_checked(open_page: OpenPage) -> None:
    app = open_page("report", "calibrated")
    press(app, "Make the pack")
    assert_sound(app)
    made = app.session_state["pack"].content
    assert verify(made).problems == ()
    assert "Signed by" in shown(app)
    said = checked(app, made)
    assert "who signed" in said
    assert "a key that you did not name" in said
    with zipfile.ZipFile(io.BytesIO(made)) as pack:
        pdf = pack.read("report.pdf")
    said = checked(app, pdf, "report.pdf", "application/pdf")
    assert "report\\.pdf" in said
    assert "The pages are those that follow from the signed report" in said
    files = unzipped(made)
    said = checked(app, zipped({**files, "report.json": files["report.json"].replace(b"44", b"45")}))
    assert "Not intact" in said
    assert "report\\.json" in said
    assert "this is no evidence pack" in checked(app, b"no zip").lower()
