"""Texts that no answer may disclose, given by the validator: confidential phrases and passages, and the
instructions."""

from __future__ import annotations

import streamlit as st

from hcat.core.privacy.disclosure import SHORTEST, Protected


def protected_panel() -> Protected:
    """Two boxes; their texts are searched for in the answers below, and are stored nowhere."""
    with st.expander("What no answer may tell"):
        st.caption(
            f"A phrase counts where all its words stand in a row, a longer text and the instructions where {SHORTEST} "
            "words do. What the query itself holds is no leak. The leaks and the filter below count it; nothing "
            "is stored, and the stored score Leak of personal data does not know it. On the command line: "
            "`hcat safety --confidential FILE --system-prompt FILE`."
        )
        texts = st.text_area("Confidential phrases and passages, one a line", key="privacy-confidential")
        prompt = st.text_area("The system's instructions (system prompt)", key="privacy-system-prompt")
    return Protected.of(texts, prompt)
