"""Who does the work: options before settings, one shard by this process, jobs at the address of the settings alone."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest

from hcat.core.errors import HcatError, MissingExtraError
from hcat.core.executors import chosen, ray_head
from hcat.core.executors.chosen import check_engine, chosen_executor, most_workers, with_engine
from hcat.core.executors.ray_cluster import RayExecutor, import_ray
from hcat.core.executors.ray_head import check_head
from hcat.core.executors.shard import Shard
from hcat.core.records.job import JobEngine
from hcat.core.settings import Settings
from hcat.core.types import OnProgress


def test_the_engine_follows_options_before_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Settings()
    cluster = Settings(engine="ray", ray_address="10.0.0.1:6379", ray_workers=4, device="cuda:0")
    assert chosen_executor(plain) is None
    assert chosen_executor(with_engine(plain, engine="ray", workers=3)) == RayExecutor(None, 3)
    assert chosen_executor(with_engine(plain, address="10.0.0.2:6379")) == RayExecutor("10.0.0.2:6379")
    assert chosen_executor(cluster) == RayExecutor("10.0.0.1:6379", 4, on_gpus=True)
    assert chosen_executor(with_engine(cluster, engine="local")) is None
    assert chosen_executor(with_engine(cluster, workers=2), device="cpu") == RayExecutor("10.0.0.1:6379", 2)
    with pytest.raises(HcatError, match="say cuda, not cuda:1"):
        chosen_executor(cluster, device="cuda:1")
    with pytest.raises(HcatError, match="--engine ray"):
        with_engine(plain, workers=2)
    for address in ("ray://10.0.0.2:10001", "10.0.0.2", "auto", "10.0.0.2:"):
        with pytest.raises(HcatError, match="host:port"):
            chosen_executor(with_engine(plain, address=address))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"hcat\[ray\]"):
        import_ray(for_this_machine=True)


def test_a_job_may_have_as_many_workers_as_the_settings_or_processors_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    processors = os.cpu_count() or 1
    assert most_workers(Settings()) == processors
    assert most_workers(Settings(ray_workers=5)) == 5
    assert most_workers(Settings(ray_address="10.0.0.1:6379")) is None
    check_engine(Settings(), JobEngine("ray", processors))
    check_engine(Settings(ray_address="10.0.0.1:6379"), JobEngine("ray", 500))
    for settings, refused in (
        (Settings(), JobEngine("ray", processors + 1)),
        (Settings(ray_address="10.0.0.1:6379", ray_workers=5), JobEngine("ray", 6)),
        (Settings(), JobEngine("ray", 0)),
        (Settings(), JobEngine("local", 2)),
    ):
        with pytest.raises(HcatError, match="workers"):
            check_engine(settings, refused)
    monkeypatch.setattr(chosen, "installed_ray", lambda: None)
    check_engine(Settings(), JobEngine("local"))
    with pytest.raises(MissingExtraError, match=r"hcat\[ray\]"):
        check_engine(Settings(), JobEngine("ray"))


@dataclass
class Noted:
    """Work that notes who does it and on what."""

    done: list[tuple[int, str]] = field(default_factory=list)

    def worker(self) -> Callable[[Shard[str], OnProgress | None], None]:
        return lambda shard, _: self.done.append((os.getpid(), shard.name))

    def among(self, workers: int) -> list[Noted]:
        raise AssertionError("a single shard was to be shared out")


@pytest.mark.parametrize("names", [(), ("only",)])
def test_one_shard_or_none_is_done_by_this_process_and_starts_no_cluster(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_cluster(_: RayExecutor) -> Iterable[None]:
        raise AssertionError("a cluster was started")

    monkeypatch.setattr(RayExecutor, "_cluster", no_cluster)
    work, told, started = Noted(), list[int](), list[int]()
    executor = RayExecutor("10.0.0.1:6379", on_workers=started.append)
    executor.run(work, (Shard(0, name, ("item",)) for name in names), told.append, None)
    assert work.done == [(os.getpid(), name) for name in names]
    assert told == [1] * len(names)
    assert not started


def test_two_shards_start_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    class StartedError(Exception):
        pass

    def cluster(_: RayExecutor) -> Iterable[None]:
        raise StartedError

    monkeypatch.setattr(RayExecutor, "_cluster", cluster)
    with pytest.raises(StartedError):
        RayExecutor().run(Noted(), [Shard(0, "a", ("item",)), Shard(1, "b", ("item",))], lambda _: None, None)


def by_cluster_at(port: int) -> None:
    """Have two shards done by it."""
    shards = [Shard(0, "a", ("item",)), Shard(1, "b", ("item",))]
    RayExecutor(f"127.0.0.1:{port}").run(Noted(), shards, lambda _: None, None)


def test_a_cluster_that_does_not_answer_is_said_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(HcatError, match=rf"No Ray cluster at 127\.0\.0\.1:{port}: .*refused"):
        by_cluster_at(port)


class Elsewhere(StreamRequestHandler):
    """A service that is no Ray: it answers every line as a web server does."""

    def handle(self) -> None:
        with suppress(OSError):
            while self.rfile.readline():
                self.wfile.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


class Silent(StreamRequestHandler):
    """A service that takes what comes and says nothing."""

    def handle(self) -> None:
        with suppress(OSError):
            while self.rfile.read(1):
                pass


@pytest.mark.parametrize("service", [Elsewhere, Silent])
def test_another_service_at_the_address_is_told_and_not_waited_for(
    service: type[StreamRequestHandler], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ray_head, "ANSWERS_WITHIN", 1.0)
    with ThreadingTCPServer(("127.0.0.1", 0), service) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        with pytest.raises(HcatError, match=rf"127\.0\.0\.1:{port} is no head of a Ray cluster: see") as told:
            by_cluster_at(port)
        assert "\n" not in str(told.value)
        monkeypatch.setenv("RAY_AUTH_MODE", "token")
        monkeypatch.delenv("RAY_AUTH_TOKEN", raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        with pytest.raises(HcatError, match="there is no token: set RAY_AUTH_TOKEN"):
            check_head(f"127.0.0.1:{port}")
        server.shutdown()
