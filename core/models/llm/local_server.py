"""Serves a local GGUF file as an OpenAI-compatible endpoint on loopback, by llama.cpp: no network is needed."""

from __future__ import annotations

import threading
from pathlib import Path

from hcat.core.errors import FileFormatError, HcatError, MissingExtraError

_MAGIC = b"GGUF"


class LocalServer:
    """A running server. `address` is its base URL for HCAT_LLM_BASE_URL.

    Raises MissingExtraError without llama.cpp, FileFormatError for a file that is not GGUF, HcatError if it can't
    start, such as for a port in use or a model that does not fit into memory."""

    def __init__(self, model: Path, *, port: int = 0, threads: int = 2, context: int = 8192, parallel: int = 1) -> None:
        _check(model)
        try:
            import xllamacpp
        except ImportError:
            raise MissingExtraError("serving a local model needs llama.cpp: pip install 'hcat[llm]'") from None
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        params.hostnames, params.port, params.ui = ["127.0.0.1"], port, False
        params.n_ctx, params.n_parallel, params.verbosity = context * parallel, parallel, 0
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        try:
            self._server = xllamacpp.Server(params)
        except (RuntimeError, ValueError) as error:
            raise HcatError(f"{model.name} can't be served: {error}") from None
        self.name = model.stem
        self.address = f"{self._server.listening_address}/v1"

    def wait(self, stop: threading.Event) -> None:
        """Serve until the event is set."""
        stop.wait()


def _check(model: Path) -> None:
    if not model.is_file():
        raise FileFormatError(f"{model} is not a file: name a model in GGUF format")
    with model.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise FileFormatError(f"{model.name} is no model in GGUF format")
