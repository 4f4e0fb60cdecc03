"""Hashes name runs, labels, weights and answers in files and caches: their values must never change."""

from __future__ import annotations

from pathlib import Path

from hcat.core.records.hashing import sha256_of_bytes, sha256_of_files, sha256_of_json, sha256_of_text
from hcat.core.records.run_file import content_hash
from hcat.core.types import Passage, Sample

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""SHA-256 of "abc": FIPS 180-2, appendix B.1."""
SAMPLES = (
    Sample("s1", "Is it so? ü", "Yes.", (Passage("p", "It is so.", 0.5),), dimensions={"b": "2", "a": "1"}),
    Sample("s2", "And\ud800?", None, trial=1),
)


def test_the_known_value() -> None:
    assert sha256_of_text("abc") == sha256_of_bytes([b"a", b"", b"bc"]) == ABC


def test_files_count_one_after_another(tmp_path: Path) -> None:
    for name, content in (("1", b"a"), ("2", b"bc")):
        (tmp_path / name).write_bytes(content)
    assert sha256_of_files([tmp_path / "1", tmp_path / "2"]) == ABC
    assert sha256_of_files([tmp_path / "2", tmp_path / "1"]) != ABC


def test_json_does_not_depend_on_the_order_of_keys() -> None:
    # printf '{"a": "\\u00fc", "b": [1, null]}' | sha256sum
    assert sha256_of_json({"b": [1, None], "a": "ü"}) == JSON
    assert sha256_of_json({"a": "ü", "b": [1, None]}) == JSON


def test_the_content_hash_of_a_run_is_that_of_the_first_version() -> None:
    assert content_hash(SAMPLES) == RUN


JSON = "424e2bdf702980113ce971f701aa7a9f2af2a9458594f2427f79c1286c900425"
RUN = "2209f3103e27cd5b7c97a1094f960c1eeabb9f6acf3243fd83cc5dc0323198ff"
