"""Roles of people in the chosen project, and for administrators the ways to change them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.project.roles.permissions import role_table
from hcat.core.records.people import ROLES, Membership, Person
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

DONE = "members-done"
"""Session key of the last change, which is reported once the page is redrawn."""


def members_panel(project: ProjectInfo) -> None:
    """The members of the project, and how to change them for who may."""
    people, access = workspace().people, workspace().access
    if said := st.session_state.pop(DONE, None):
        st.success(said)
    if access.signing_name() is None:
        st.info(
            "Roles are not in use: whoever opens hcat on this machine may do everything, in every project. They come "
            "into use with the first administrator. On this machine, for your own account:"
        )
        st.code('hcat members add "$(id -un)" --account --administrator', language="shell")
        st.caption("For a team, let people sign in first: docs/team.md says how.")
        return
    own = access.role(project.id)
    st.markdown(f"Your role in project **{plain(project.name)}** is **{own}**.")
    if not access.may_read("results", project.id):
        return
    members = people.members(project)
    if members:
        rows = [(each.person.name, each.role, each.at.date(), each.person.email) for each in members]
        frame = pd.DataFrame(rows, columns=["Name", "Role", "Since", "E-mail"])
        data_table(frame, hide_index=True, alt=f"Members of {project.name}", key="members")
    else:
        st.caption("The project has no members yet. Administrators of the installation may do everything in it.")
    if access.may("member.set_role", project.id):
        _change(project, members, people.all())
    else:
        st.caption("Administrators change roles.")


def _change(project: ProjectInfo, members: Sequence[Membership], known: Sequence[Person]) -> None:
    give, take = st.columns(2)
    people = workspace().people
    with give, st.form("give-role"):
        st.markdown("**Give a role**")
        person = st.selectbox(
            "Person",
            known,
            format_func=lambda each: each.name,
            help="Everybody who has signed in once. Somebody who has a role already gets the new one in its place.",
        )
        role = st.selectbox("Role", ROLES, index=ROLES.index("annotator"))
        if st.form_submit_button("Give role", icon=":material/person_add:") and person is not None:
            _do(lambda: people.set_role(project, person, role), f"{plain(person.name)} is {role} from now on.")
    with take, st.form("take-role"):
        st.markdown("**Take a role away**")
        member = st.selectbox(
            "Member", members, format_func=lambda each: f"{each.person.name}, {each.role}", placeholder="No member"
        )
        st.caption("It ends with the next thing that they read or do. What they did stays, under their name.")
        if st.form_submit_button("Take away", icon=":material/person_remove:") and member is not None:
            _do(lambda: people.remove(project, member.person), f"{plain(member.person.name)} is no member any more.")


def _do(change: Callable[[], None], said: str) -> None:
    try:
        change()
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state[DONE] = said
    st.rerun()


def administrators_panel() -> None:
    """Show the administrators of the installation; they alone can change the list, and one always remains."""
    people, access = workspace().people, workspace().access
    if access.signing_name() is None:
        return
    with st.expander("Administrators of the installation", icon=":material/admin_panel_settings:"):
        st.markdown(", ".join(plain(name) for name in access.administrators()) or "Nobody yet.")
        st.caption("They may do everything in every project, create projects, and read the audit log.")
        if not access.may("person.set_administrator", None):
            return
        person = st.selectbox("Person", people.all(), format_func=lambda each: each.name, key="administrator-person")
        name = plain(person.name)
        if person.administrator:
            if st.button(f"{name} is no administrator any more", key="administrator-change"):
                _do(lambda: people.set_administrator(person, administrator=False), f"{name} is no administrator.")
        elif st.button(f"Make {name} an administrator", key="administrator-change"):
            _do(lambda: people.set_administrator(person, administrator=True), f"{name} is an administrator.")


def roles_panel() -> None:
    """Show the permissions of each role."""
    st.subheader("What each role may do")
    columns: list[str] = [role.capitalize() for role in ROLES]
    rows = [(text, *("yes" if may[role] else "–" for role in ROLES)) for text, may in role_table()]
    frame = pd.DataFrame(rows, columns=["", *columns])
    st.table(frame.set_index(""))
    st.caption(
        "Pages, commands and jobs are bound alike. An annotator labels without seeing scores or what others said. "
        "Nobody approves a report that they wrote or submitted."
    )
