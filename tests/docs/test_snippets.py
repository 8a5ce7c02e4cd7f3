"""The code blocks of the documentation run as they are printed, beside one real service.

A test changes only the address, the bank's name (each page has its own), and the ids written in capitals, such as
FACT_ID. `sleep` waits until the bank's messages are decided. Python blocks of a page without `asyncio.run` share one
namespace, as in `python -m asyncio`. A block marked `output` holds lines that the command before it prints.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.pages import PAGES, ROOT, Block, blocks_of

RUN = ("sh", "python", "output")
LANGUAGES = (*RUN, "sql", "json", "text", "yaml", "mermaid")
"""`sql`: see tests/store/test_monitors.py and the test of docs/sql.md. The languages after it are only shown."""

NOT_RUN = {
    "make run   # an embedded Postgres 18 with pgvector, the service and a worker on 127.0.0.1:8080": "the fixture "
    "starts the service; test_readme.py checks the names of make's targets",
    '.venv/bin/memory-service key create --role write --bank anna --agent kitchen-bot --note "the kitchen agent"': ""
    "the first key closes the service that all pages use; tests/cli/test_key_commands.py runs the commands of keys",
    "curl -s localhost:8080/v1/banks/anna/tokens -H 'content-type: application/json' "
    '-H "Authorization: Bearer $MEMORY_API_KEY" \\': "needs a key; tests/server/test_access_tokens.py",
}
"""Blocks of `sh` and `python` that no test runs, by their first line, with the reason."""

IDS: dict[str, tuple[str, str]] = {
    "FACT_ID": ("facts", "memory_id"),
    "MEMORY_ID": ("memories?type=episodic", "memory_id"),
    "ETAG": ("memories?type=episodic", "etag"),
    "QUARANTINED_ID": ("memories?status=quarantined", "memory_id"),
    "TRACE_ID": ("traces", "trace_id"),
    "QUESTION_ID": ("clarifications", "clarification_id"),
    "CHECKPOINT_ID": ("sessions/trip/checkpoints", "checkpoint_id"),
}
"""Ids in capitals: the first item of this list of the bank, and its field."""

CREATES_BANK = re.compile(r'create_bank\(|bank create|"bank_id": ')
"""In a page that creates its bank. For other pages the test creates one."""
SLEEP = """#!/bin/sh
until curl -s "$SERVICE/v1/banks/$BANK/stats" | grep -q '"pending":0.*"depth":0'; do /bin/sleep 0.1; done
"""
MASKS = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"\d{4}-\d\d-\d\d", "DATE"),
    (r"\d\d:\d\d(:\d\d)?", "TIME"),
    (r"\s+", " "),
)


@dataclass(frozen=True, slots=True)
class Service:
    """A running service, and the folder and environment of commands beside it."""

    address: str
    folder: Path
    environment: dict[str, str]

    def id_of(self, bank: str, name: str) -> str:
        path, field = IDS[name]
        deadline = time.monotonic() + 30  # traces are written after the answer
        items: list[dict[str, Any]] = []
        while not items:
            assert time.monotonic() < deadline, f"{name}: the bank has no {path}"
            time.sleep(0.05)
            items = httpx.get(f"{self.address}/v1/banks/{bank}/{path}").json()["items"]
        return items[0][field]

    def adapted(self, code: str, bank: str) -> str:
        """The code with the test's address, bank and ids."""
        code = code.replace("localhost:8080", self.address.removeprefix("http://"))
        code = re.sub(r"\banna\b", bank, code)
        return re.sub(rf"\b(?:{'|'.join(IDS)})\b", lambda found: self.id_of(bank, found[0]), code)

    def run(self, command: list[str], bank: str) -> str:
        ran = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | {"BANK": bank},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
        return ran.stdout


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "bin").mkdir()
    (folder / "bin" / "sleep").write_text(SLEEP)
    (folder / "bin" / "sleep").chmod(0o755)
    (folder / "chatgpt-export").mkdir()
    shutil.copy(ROOT / "tests/transfer/samples/chatgpt.json", folder / "chatgpt-export/conversations.json")
    (folder / ".curlrc").write_text("fail-with-body\n")
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "CURL_HOME": str(folder),
        "COLUMNS": "100",
        "MEMORY_DATA_DIR": str(folder / "data"),
        "MEMORY_PORT": "0",
        "MEMORY_EXCHANGE_QUIET_SECONDS": "0.3",
        "MEMORY_POLL_SECONDS": "0.1",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "memory_service", "serve"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as serving:
        assert serving.stdout is not None
        try:
            address = next(
                (found[1] for line in serving.stdout if (found := re.search(r"answers on (\S+)", line))), ""
            )
            assert address, "the service did not start"
            yield Service(address, folder, environment | {"SERVICE": address})
        finally:
            serving.terminate()
            serving.communicate()


def is_run(block: Block) -> bool:
    return block.language in RUN and block.first_line not in NOT_RUN


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(map(is_run, blocks_of(page)))], ids=lambda p: p.name
)
def test_a_page_runs(page: Path, service: Service) -> None:
    bank = f"anna-{page.stem.lower()}"
    snippets: list[str] = []
    printed = ""
    if not CREATES_BANK.search(page.read_text(encoding="utf-8")):
        httpx.post(f"{service.address}/v1/banks", json={"bank_id": bank}).raise_for_status()
    for block in filter(is_run, blocks_of(page)):
        if block.language == "output":
            missing = set(masked_lines(block.code)) - {"..."} - set(masked_lines(printed))
            assert not missing, f"line {block.line}: not printed: {missing}\nprinted: {printed}"
            continue
        code = service.adapted(block.code, bank)
        try:
            if block.language == "sh":
                printed = service.run(["sh", "-euc", code], bank)
            elif "asyncio.run(" in code:
                printed = service.run([sys.executable, "-c", code], bank)
            else:
                snippets.append(code)
        except AssertionError as error:
            raise AssertionError(f"{page.name}, line {block.line}: {error}") from None
    if snippets:
        file = service.folder / f"{page.stem}.py"
        file.write_text("\n".join(snippets))
        service.run([sys.executable, "-m", "tests.support.async_snippet", str(file)], bank)


def masked_lines(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.splitlines():
        for pattern, mask in MASKS:
            line = re.sub(pattern, mask, line)
        if line.strip():
            lines.append(line.strip())
    return lines


def test_every_block_has_a_known_language() -> None:
    """Else a block marked `bash` or `shell` would not run."""
    for page in PAGES:
        for block in blocks_of(page):
            assert block.language in LANGUAGES, f"{page.name}, line {block.line}: {block.language}"


def test_blocks_that_do_not_run_exist() -> None:
    found = {block.first_line for page in PAGES for block in blocks_of(page) if block.language in RUN}
    assert NOT_RUN.keys() <= found
