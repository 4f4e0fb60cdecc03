"""Files are whole or not there: a failure leaves the old content and no second file behind."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import fsspec
import pytest

from core.records.atomic import new_file, put_whole, write_whole


def test_a_new_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    path.write_bytes(b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [file.name for file in tmp_path.iterdir()] == ["scores.parquet"]


def test_the_old_content_is_read_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with new_file(path) as file:
        file.write(b"half")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"half"


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), new_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_what_a_link_points_to_is_replaced_and_not_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"content")
    reader.join(timeout=120)
    assert read == [b"content"] and pipe.is_fifo()


def test_an_absent_folder_is_reported_by_the_name_that_was_given(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "absent" / "a.json", b"")
    assert caught.value.filename == str(tmp_path / "absent" / "a.json")


@pytest.mark.parametrize("protocol", ["file", "memory"])
def test_every_filesystem_gets_whole_files(tmp_path: Path, protocol: str) -> None:
    filesystem, folder = fsspec.core.url_to_fs(f"{protocol}://{tmp_path}")
    filesystem.makedirs(folder, exist_ok=True)
    for content in (b"one", b"two"):
        put_whole(filesystem, f"{folder}/a.bin", content)
        assert filesystem.cat_file(f"{folder}/a.bin") == content
    assert [name.rsplit("/", 1)[-1] for name in filesystem.ls(folder, detail=False)] == ["a.bin"]
