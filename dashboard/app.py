"""The router: every page of `navigation.PAGES`, with the project and the run chosen in the sidebar."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import streamlit as st

from hcat.core.errors import NotAllowedError
from hcat.dashboard.components.account import check_connection, check_membership, check_page, show_account, show_refusal
from hcat.dashboard.components.links import open_overview
from hcat.dashboard.components.person import keep_person, recall_person
from hcat.dashboard.components.sidebar import choose_project_and_run
from hcat.dashboard.components.tables import downloads_below
from hcat.dashboard.components.theme import follow_theme
from hcat.dashboard.garbage import freeze_new_modules
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.navigation import PAGES, find_page

ASSETS = Path(__file__).parent / "assets"

freeze_new_modules()
st.set_page_config(page_title="hcat", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), size="large")

st.html(ASSETS / "theme.css")
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
