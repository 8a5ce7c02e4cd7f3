"""schemathesis calls each operation of the OpenAPI document with data that it allows and data that it forbids.

Its checks: no 5xx, only documented status codes and media types, answers as the schema says, allowed data is accepted,
forbidden data refused.
"""

# pyright: reportUnknownMemberType=false, reportUntypedFunctionDecorator=false

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.profiles import PROFILES
from memory_service.server.app import create_app
from memory_service.server.serve import address_of, listen
from tests.conftest import cloned

BANK = "anna"
EXAMPLES = 8
LONG = 256
FIRST, LAST = datetime(1801, 1, 1), datetime(2025, 1, 1)  # noqa: DTZ001 - hypothesis wants naive bounds

# JSON Schema cannot express: a time between 1800 and now, the name of a person, a profile that the bank has.
schemathesis.openapi.format("date-time", st.datetimes(FIRST, LAST).map(lambda at: at.isoformat() + "Z"))
schemathesis.openapi.format("name", st.from_regex(r"[A-Z][a-z]{2,9}", fullmatch=True))
schemathesis.openapi.format("profile", st.sampled_from(sorted(PROFILES)))


def drawable(part: Any) -> Any:
    """The document without limits of long texts, of which drawing one takes minutes, and with short waits."""
    if isinstance(part, dict):
        node = cast("dict[str, Any]", part)
        return {
            key: value | {"maximum": 10} if key == "wait_ms" else drawable(value)
            for key, value in node.items()
            if not (key == "maxLength" and value > LONG)
        }
    return [drawable(one) for one in cast("list[Any]", part)] if isinstance(part, list) else part


document = create_app(cast("Memory", SimpleNamespace(settings=Settings()))).openapi()
schema = schemathesis.openapi.from_dict(drawable(document))
schema.config.generation.update(allow_x00=False)


@schema.hook
def map_case(context: Any, case: schemathesis.Case[Any]) -> schemathesis.Case[Any]:
    """In allowed data: the bank exists, no cursor (it comes from an earlier answer), no wait, `since` is not after
    `until`, no idempotency key, which belongs to one body, and only sensitivities have a level."""
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.headers.pop("Idempotency-Key", None)
        if case.method == "DELETE" and case.path.endswith("{bank_id}"):
            pass  # the bank of the other cases stays
        elif "bank_id" in case.path_parameters:
            case.path_parameters["bank_id"] = BANK
        for part in (case.query, case.body):
            if isinstance(part, dict):
                part.pop("cursor", None)
                part.pop("wait_seconds", None)
                if part.get("since") and part.get("until"):
                    part["since"], part["until"] = sorted((str(part["since"]), str(part["until"])))
                for norm in cast("list[Any]", part.get("norms") or []):
                    if isinstance(norm, dict) and norm.get("kind") != "sensitivity":
                        norm.pop("level", None)
    return case


@pytest.fixture(scope="module")
def address(session_dir: Path, server_url: str, template: str) -> Iterator[str]:
    """The address of a service on a new database, in a thread."""
    listener = listen("127.0.0.1", 0)
    ready, done = threading.Event(), threading.Event()

    async def serve(database_url: str) -> None:
        found = Settings.model_validate(
            {"DATABASE_URL": database_url, "data_dir": session_dir, "pool_size": 4}
        )
        async with await Memory.open(found, migrated=False) as memory:
            await memory.create_bank(BANK)
            server = uvicorn.Server(uvicorn.Config(create_app(memory), log_config=None, lifespan="off"))
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            ready.set()
            await asyncio.to_thread(done.wait)
            server.should_exit = True
            await serving

    with cloned(server_url, template) as url:
        thread = threading.Thread(target=lambda: asyncio.run(serve(url)))
        thread.start()
        assert ready.wait(60)
        yield address_of(listener)
        done.set()
        thread.join()


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    # Not `explicit`: schemathesis makes its 3,000 cases while tests are collected, which takes half a minute. Not
    # `shrink`: it draws the texts again and again.
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
def test_the_document_says_what_is_accepted(case: schemathesis.Case[Any], address: str) -> None:
    case.call_and_validate(base_url=address)
