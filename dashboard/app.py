"""The router: every page of `navigation.PAGES`, with the project and the run chosen in the sidebar."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import streamlit as st

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:  # `streamlit run` puts only this file's folder on the path
    sys.path.insert(0, ROOT)

from core.errors import NotAllowedError  # noqa: E402
from dashboard.components.account import check_connection, check_membership, check_page, show_account, show_refusal  # noqa: E402
from dashboard.components.links import open_overview  # noqa: E402
from dashboard.components.person import keep_person, recall_person  # noqa: E402
from dashboard.components.sidebar import choose_project_and_run  # noqa: E402
from dashboard.components.tables import downloads_below  # noqa: E402
from dashboard.components.theme import follow_theme  # noqa: E402
from dashboard.garbage import freeze_new_modules  # noqa: E402
from dashboard.loaders.workspace import workspace  # noqa: E402
from dashboard.navigation import PAGES, find_page  # noqa: E402

freeze_new_modules()
st.set_page_config(page_title="hcat", page_icon=str(Path(ROOT) / "dashboard" / "assets" / "icon.svg"), layout="wide")
st.logo(str(Path(ROOT) / "dashboard" / "assets" / "logo.svg"), size="large")

st.html(Path(ROOT) / "dashboard" / "assets" / "theme.css")
check_connection()
labels_only = workspace().access.labels_only()

sections = {
    section: [
        st.Page(
            entry.path,
            title=entry.title,
            icon=entry.icon,
            url_path="" if entry.name == "overview" else entry.name,
            default=entry.name == "overview",
            visibility="hidden" if entry.reads == "results" and labels_only else "visible",
        )
        for entry in entries
    ]
    for section, entries in groupby(PAGES, key=lambda entry: entry.section)
}
sections["Project"].append(st.Page(open_overview, url_path="overview", visibility="hidden"))
page = st.navigation(sections, expanded=True)
if page.url_path == "overview":  # before the sidebar's widgets take parts of the address for themselves
    page.run()
recall_person()
if not workspace().access.is_outsider():
    choose_project_and_run()
with st.sidebar:
    keep_person()
    follow_theme()
    show_account()
check_membership()
try:
    check_page(find_page(page.url_path or "overview"))
    with downloads_below():
        page.run()
except NotAllowedError as error:
    show_refusal(error)
