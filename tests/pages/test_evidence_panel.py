"""Evidence packs on the page Report: made, checked, and told apart from what was changed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.evidence.verify import verify
from tests.pages.test_pages import assert_sound, press, shown

OpenPage = Callable[..., AppTest]


def checked(app: AppTest, content: bytes, name: str = "evidence.zip", mime: str = "application/zip") -> str:
    uploader = next(each for each in app.file_uploader if each.label == "Evidence pack or its PDF")
    uploader.upload(name, content, mime).run()
    press(app, "Check the pack")
    return shown(app)


def test_a_pack_is_made_and_checked(open_page: OpenPage) -> None:
    app = open_page("report", "calibrated")
    press(app, "Make the pack")
    assert_sound(app)
    made = app.session_state["pack"].content
    assert verify(made).intact
    assert "Signed by" in shown(app)
    said = checked(app, made)
    assert " is intact." in said
    assert "a key that you did not name" in said
    with zipfile.ZipFile(io.BytesIO(made)) as pack:
        pdf = pack.read("report.pdf")
    said = checked(app, pdf, "report.pdf", "application/pdf")
    assert "report\\.pdf is intact." in said
    assert "The pages are those that follow from the signed report" in said
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"44", b"45") if name == "report.json" else old.read(name))
    said = checked(app, changed.getvalue())
    assert " is not intact." in said
    assert "report\\.json" in said
    assert "this is no evidence pack" in checked(app, b"no zip").lower()
