"""onnxruntime's telemetry is off: no files in the user's cache folder, no request to its maker's host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EMBED = """
import os, sys, time, threading, socket
from pathlib import Path

{first}

asked = []
proxy = socket.create_server(("127.0.0.1", 0))

def take():
    while True:
        caller, _ = proxy.accept()
        asked.append(caller.recv(1000))
        caller.close()

threading.Thread(target=take, daemon=True).start()
for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
    os.environ[name] = "http://127.0.0.1:%d" % proxy.getsockname()[1]

import asyncio
from memory_service.models.local import LocalEmbedder

async def embed():
    embedder = LocalEmbedder(Path(sys.argv[1]), threads=1)
    answer = await embedder.embed_documents(["Anna moved to Oslo."])
    await embedder.aclose()
    return answer.vectors.shape

assert asyncio.run(embed()) == (1, 768)
time.sleep({seconds})
assert not asked, asked
"""
"""Embeds for real and lives on. Its home is empty, and the HTTP proxy is in the process itself, so that a request is
seen on a machine without a network too. Without ORT_DISABLE_TELEMETRY onnxruntime 1.31 writes two files when it is
imported, and sends the proxy its first CONNECT after 6 to 14 s."""


def run(tmp_path: Path, first: str, seconds: float) -> list[Path]:
    """The files that are in the home of a process that embeds and lives so long."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    code = EMBED.format(first=first, seconds=seconds)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "models")],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return sorted(path for path in home.rglob("*") if path.is_file())


def test_a_process_that_embeds_leaves_no_files_and_asks_for_no_host(tmp_path: Path) -> None:
    assert run(tmp_path, "", 18) == []


@pytest.mark.parametrize("value", ["", "0"])
def test_the_environment_does_not_turn_it_on(tmp_path: Path, value: str) -> None:
    assert run(tmp_path, f"os.environ['ORT_DISABLE_TELEMETRY'] = {value!r}", 0) == []


def test_the_package_alone_turns_it_off() -> None:
    """Whatever imports onnxruntime here imports the package first."""
    code = "import os, memory_service; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = {**os.environ, "ORT_DISABLE_TELEMETRY": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"
