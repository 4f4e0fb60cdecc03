"""Files are whole or not there: a failure leaves the old content and no second file behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest

from hcat.core.errors import StorageError
from hcat.core.records.atomic import new_file, put_whole, working_folder, write_whole


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


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder", "link to a pipe"])
def test_what_is_no_file_is_refused_and_stays(tmp_path: Path, kind: str) -> None:
    path = _special(tmp_path, kind)
    before = path.stat()
    with pytest.raises(StorageError, match=f"is a {kind.removeprefix('link to a ')}.*: name a file"):
        write_whole(path, b"content")
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert not list(tmp_path.glob("**/.*.part"))


def _special(folder: Path, kind: str) -> Path:
    path = folder / "s"
    if kind == "device":
        return Path("/dev/null")
    if kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(os.path.relpath(path))
    else:
        os.mkfifo(path)
    if kind == "link to a pipe":
        (folder / "link").symlink_to(path)
        return folder / "link"
    return path


def test_a_link_to_nothing_makes_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "there" / "real").read_bytes() == b"new"


def test_links_that_lead_to_one_another_are_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links") as caught:
        write_whole(tmp_path / "a", b"")
    assert caught.value.filename == str(tmp_path / "a")


def test_the_mode_stays_and_is_private_where_asked(tmp_path: Path) -> None:
    shared, private = tmp_path / "shared", tmp_path / "private"
    shared.write_bytes(b"old")
    shared.chmod(0o640)
    write_whole(shared, b"new", private=True)
    write_whole(private, b"new", private=True)
    assert (shared.stat().st_mode & 0o777, private.stat().st_mode & 0o777) == (0o640, 0o600)


def test_a_name_as_long_as_names_may_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 127)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


KILLED = """
import sys
from pathlib import Path
from hcat.core.records.atomic import new_file
with new_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("written", flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_writer_left_is_swept_by_the_next_but_not_what_another_writes(tmp_path: Path) -> None:
    killed, alive = (
        subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path / name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for name in ("killed.json", "alive.json")
    )
    for writer in (killed, alive):
        assert writer.stdout is not None and writer.stdout.readline() == b"written\n"
    killed.kill()
    killed.wait()
    assert len(list(tmp_path.glob(".*.part"))) == 2
    (tmp_path / ".mine.part").write_bytes(b"no file of ours")
    write_whole(tmp_path / "other.json", b"whole")
    (left,) = (path for path in tmp_path.glob(".*.part") if path.name != ".mine.part")
    assert left.name.startswith(".alive.json.")
    alive.communicate()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"alive.json", "other.json", ".mine.part"}


KILLED_AT_WORK = """
import sys
from pathlib import Path
from hcat.core.records.atomic import working_folder
with working_folder(Path(sys.argv[1])) as folder:
    (folder / "copy.db").write_bytes(b"half")
    print("written", flush=True)
    sys.stdin.read()
"""


def test_a_working_folder_goes_at_the_end_and_a_killed_one_with_the_next_writer(tmp_path: Path) -> None:
    with working_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []
    killed, alive = (
        subprocess.Popen(
            [sys.executable, "-c", KILLED_AT_WORK, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(2)
    )
    for worker in (killed, alive):
        assert worker.stdout is not None and worker.stdout.readline() == b"written\n"
    killed.kill()
    killed.wait()
    assert len(list(tmp_path.rglob("copy.db"))) == 2
    write_whole(tmp_path / "other.json", b"whole")
    assert len(list(tmp_path.rglob("copy.db"))) == 1
    alive.communicate()
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


def test_a_full_disk_leaves_the_old_file_and_no_part(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    program = (
        "import resource, signal, sys; from pathlib import Path; from hcat.core.records.atomic import write_whole; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "write_whole(Path(sys.argv[1]), bytes(100_000))"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=False)
    assert done.returncode == 1 and b"File too large" in done.stderr
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
