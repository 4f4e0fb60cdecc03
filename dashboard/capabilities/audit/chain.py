"""Whether the audit log is whole, and the signed checkpoints that show it later."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.audit.service import AuditState
from hcat.core.capabilities.evidence.installation import installation_key
from hcat.core.errors import HcatError
from hcat.core.records.signing import PublicKey, read_public_key
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

MOST_AT_ONCE = 20_000
"""Rows that are checked whenever the page is opened, within a second; longer logs when somebody asks."""

PROTECTS = (
    ("Who", "Is refused by", "Is found by"),
    ("---", "---", "---"),
    ("somebody who uses hcat", "hcat, which has no way to change the log, and the database", "–"),
    (
        "a program with hcat's own login to the database",
        "the database, until that program removes its triggers",
        "the chain of hashes, and the digests of the rows it is about",
    ),
    (
        "an administrator of the database",
        "nothing",
        "the chain, unless all of it is computed anew; a checkpoint that is kept elsewhere, always",
    ),
    (
        "whoever holds the signing key and the database",
        "nothing",
        "a checkpoint that somebody else signed or dated",
    ),
)
LIMITS = (
    "The log can't tell who somebody was who worked under another's name: that takes a login. It holds the names of "
    "people and of what they changed, and never a text."
)


def chain_panel() -> None:
    """Show the length of the log and whether it is intact; a check against a checkpoint; a checkpoint to take away."""
    n = workspace().audit.count()
    if n <= MOST_AT_ONCE:
        _say(workspace().audit.state(), checked="Each row follows from the one before.")
    else:
        st.info(f"The log has {n:,} rows. “Check the log” reads all of them.")
    check, attest = st.columns(2)
    with check, st.expander("Check the log", icon=":material/verified:", key="audit-check"):
        _check()
    with attest, st.expander("Sign a checkpoint", icon=":material/draw:", key="audit-attest"):
        _attest()
    with st.expander("Against whom this protects", icon=":material/shield:", key="audit-protects"):
        st.markdown("\n".join(f"| {' | '.join(row)} |" for row in PROTECTS))
        st.caption(LIMITS)


def _say(state: AuditState, *, checked: str) -> None:
    if not state.complaint:
        st.success(f"The log is whole: {state.n:,} rows. {checked} Newest hash: {state.hash}", icon=":material/check:")
    else:
        st.error(
            f"The log is not {'whole' if state.fault else 'guarded'}. {sentence(state.complaint)} Keep a copy of the "
            "database, and ask who ran it."
        )


def _check() -> None:
    st.caption(
        "Reads all rows, and compares what they are about with what is stored now. A checkpoint shows a cut end too."
    )
    given = st.file_uploader("Checkpoint that was kept elsewhere (optional)", type=["json"], key="audit-checkpoint")
    key = st.file_uploader(
        "Public key of who signed it (optional)",
        type=["pem", "pub"],
        key="audit-key",
        help="Left out, the key of this installation. `hcat key show` prints it.",
    )
    if not st.button("Check the log", key="audit-check-now"):
        return
    try:
        signer = (
            None if given is None else _signer(None if key is None else key.getvalue(), "" if key is None else key.name)
        )
        content, name = (None, "") if given is None else (given.getvalue(), given.name)
        with st.spinner("Reading the log …"):
            state = workspace().audit.verify(content, key=signer, name=name)
    except HcatError as error:
        st.error(sentence(error))
        return
    against = "" if given is None else f" It goes on from {plain(given.name)}."
    _say(state, checked=f"What it is about is as it was left.{against}")


def _signer(key: bytes | None, name: str) -> PublicKey:
    return installation_key().public if key is None else read_public_key(key, name=name)


def _attest() -> None:
    st.caption(
        "A file that says how far the log goes now, signed. Keep it where nobody who runs this store can change it."
    )
    if not st.button("Sign a checkpoint now", key="audit-sign"):
        return
    try:
        key = installation_key()
        signed = workspace().audit.checkpoint(key)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.download_button(
        "Download the checkpoint",
        signed,
        file_name="checkpoint.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        key="audit-checkpoint-file",
    )
    st.caption(f"Signed by {key.public.fingerprint}")
