"""A client generated from the OpenAPI document calls the service: `make test-wheel`.

The generator has a separate environment, because it excludes the release of typer in constraints.txt. Without a
reachable package index the test is skipped with that reason.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.running import Service, nothing_left
from tests.docs.clean_install import install

GENERATOR = "openapi-python-client==0.29.1"
PROGRAM = """
import asyncio
import sys

from memory_client import Client
from memory_client.api.default import add_messages, context, create_bank, get_memory, list_memories, recall, remember
from memory_client.models import (
    BankBody, BankBodySettings, ContextBody, MemoryBody, MemoryBodyMetadataType0, MessageBody, MessageBodyRole,
    MessagesBody, PageOfMemoryItem, Problem, RecallBody,
)

client = Client(base_url=sys.argv[1], timeout=60, raise_on_unexpected_status=True)
settings = BankBodySettings.from_dict({"subject": "Anna", "intake": "verbatim"})
made = create_bank.sync_detailed(client=client, body=BankBody(bank_id="anna-generated", settings=settings))
print(made.status_code, made.parsed.settings["subject"])

metadata = MemoryBodyMetadataType0.from_dict({"where": {"city": "Porto", "visits": [1, 2.5, None, True]}})
body = MemoryBody(content="Anna moved to Porto in May.", metadata=metadata, tags=["home"], wait_ms=60_000)
committed = remember.sync("anna-generated", client=client, body=body, idempotency_key="move")
print(committed.status, committed.created)
again = remember.sync("anna-generated", client=client, body=body, idempotency_key="move")
print(again.memory_id == committed.memory_id)
stored = get_memory.sync("anna-generated", committed.memory_id, client=client)
print(stored.metadata.to_dict() == metadata.to_dict(), stored.tags)

said = MessageBody(role=MessageBodyRole.USER, content="I am allergic to walnuts.", id="m1")
queued = add_messages.sync("anna-generated", client=client, body=MessagesBody(conversation_id="c1", messages=[said]))
print(len(queued.message_ids))


async def read():
    found = await recall.asyncio("anna-generated", client=client, body=RecallBody(query="Where does Anna live?", k=1))
    print(found.items[0].content)
    text = await context.asyncio("anna-generated", client=client, body=ContextBody(message="Where do I live?"))
    print("Porto" in text.text, text.tokens > 0)


asyncio.run(read())
page = list_memories.sync("anna-generated", client=client, tag=["home"])
print(type(page) is PageOfMemoryItem, [item.content for item in page.items])
refused = recall.sync("anna-generated", client=client, body=RecallBody(query="cats", k=0))
print(type(refused) is Problem, refused.errors[0].field)
"""
PRINTED = [
    "201 Anna",
    "active True",
    "True",
    "True ['home']",
    "1",
    "Anna moved to Porto in May.",
    "True True",
    "True ['Anna moved to Porto in May.']",
    "True k",
]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    data = tmp_path / "data"
    with Service(data) as running:
        yield running
        assert running.stop() == 0
    nothing_left(data)


def test_a_generated_client_calls_the_service(service: Service, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    programs = tmp_path / "venv" / "bin"
    install(programs / "python", GENERATOR)
    document = tmp_path / "openapi.json"
    document.write_bytes(service.call("GET", "/openapi.json").content)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    generated = subprocess.run(
        [str(programs / "openapi-python-client"), "generate", "--path", str(document), "--meta", "none",
         "--output-path", str(tmp_path / "memory_client"), "--fail-on-warning"],
        cwd=tmp_path, env=environment | {"PATH": f"{programs}:{environment['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert generated.returncode == 0, generated.stdout + generated.stderr
    (tmp_path / "program.py").write_text(PROGRAM)
    ran = subprocess.run(
        [str(programs / "python"), "program.py", service.address],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines() == PRINTED
