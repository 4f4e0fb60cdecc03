"""Models load without a bar or a warning of a library on the terminal."""

from __future__ import annotations

import pytest

from hcat.core.models.nli.packaged import open_packaged


def test_the_packaged_entailment_model_loads_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    assert open_packaged().name
    assert capfd.readouterr() == ("", "")
