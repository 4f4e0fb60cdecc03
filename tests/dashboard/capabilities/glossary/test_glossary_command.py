"""`hcat glossary`."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from hcat.core.glossary.lookup import TERMS
from hcat.dashboard.cli import app


def glossary(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["glossary", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_all_entries_are_printed() -> None:
    text = glossary()
    assert all(f"{term.name}: " in text for term in TERMS.values())


def test_one_entry_has_its_source() -> None:
    assert glossary("q̂").startswith("q̂: The threshold of the prediction sets")
    assert glossary("hedges' g").rstrip().endswith("[Hedges 1981; Cohen 1988]")


def test_an_entry_named_so_comes_before_those_that_only_mention_it() -> None:
    [entry] = json.loads(glossary("weak", "--json"))["terms"]
    assert entry["term"] == "weak"
    assert len(json.loads(glossary("Benjamini", "--json"))["terms"]) == 1


def test_a_word_that_is_missing_names_the_nearest() -> None:
    result = CliRunner().invoke(app, ["glossary", "coverag"])
    assert result.exit_code == 0 and result.stdout.startswith("coverage: ")
    missing = CliRunner().invoke(app, ["glossary", "hedgs g"])
    assert missing.exit_code != 0 and "Did you mean Hedges' g?" in str(missing.exception)
