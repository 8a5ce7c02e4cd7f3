"""Erasure beside work in progress."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from memory_service import Memory, NewMessage
from memory_service.types import Extractions, Segment
from tests.conftest import Admin, at_work, settle, until
from tests.db.steps import Connection
from tests.erasure.scan import rows_of, tables_with
from tests.isolation import victim
from tests.support.scripted import ScriptedExtractor, script

NONCE = "zqxflight"


class HeldExtractor(ScriptedExtractor):
    """Answers once `released` is set; `began` is set as soon as it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.began = asyncio.Event()
        self.released = asyncio.Event()

    async def extract(self, segments: Sequence[Segment], **options: object) -> Extractions:
        self.began.set()
        await self.released.wait()
        return await super().extract(segments, **options)


@pytest.mark.parametrize("scope", ["conversation", "bank"])
async def test_an_extraction_during_the_erasure_writes_nothing(
    memory: Memory, admin: Admin, scope: str
) -> None:
    held = HeldExtractor()
    script(memory, extractor=held)
    await memory.create_bank("b", {"gate": False})
    message = NewMessage("user", f"I live in {NONCE}.", id="m")
    await memory.add_messages("b", "talk", [message, NewMessage("assistant", "Noted.")])
    await memory.end_import("b", ["talk"])
    async with at_work(memory):
        await asyncio.wait_for(held.began.wait(), 60)
        assert tables_with(admin, NONCE) == {"message"}
        if scope == "bank":
            await memory.erase_bank("b")
        else:
            await memory.erase("b", conversation_id="talk")
        assert tables_with(admin, NONCE) == set()
        held.released.set()
        calls = await until(lambda: held.calls)
        assert len(calls) == 1
        await asyncio.sleep(1)  # what the worker would write now
    assert tables_with(admin, NONCE) == set()
    if scope == "bank":
        assert rows_of(admin, "b") == {}
    else:
        assert (await memory.stats("b"))["queue"]["depth"] == 0


async def test_a_message_that_is_being_written_is_erased_with_its_bank(
    memory: Memory, admin: Admin, service: Connection
) -> None:
    """memory.message has no foreign key to the bank: erase waits for writers of messages."""
    await memory.create_bank("b")
    with service.transaction():
        service.execute(
            "select memory_api.add_message(bank => 'b', conversation => 'c', agent => null, lane => 0, id => %s, "
            "client_id => null, role => 'user', name => null, content => %s, occurred => null, metadata => null)",
            [uuid4(), NONCE],
        )
        erasing = asyncio.create_task(memory.erase_bank("b"))
        await until(
            lambda: (
                admin.execute(
                    "select count(*) > 0 from pg_stat_activity where wait_event = 'advisory'"
                ).fetchone()
                == (True,)
            )
        )
        assert not erasing.done()
    await erasing
    assert tables_with(admin, NONCE) == set()
    assert rows_of(admin, "b") == {}


async def test_a_trace_that_is_being_written_is_erased(
    memory: Memory, admin: Admin, service: Connection
) -> None:
    await memory.create_bank("b", {"gate": False})
    await memory.add_messages("b", "talk", [NewMessage("user", "I live in Porto.")])
    await memory.end_import("b", ["talk"])
    await settle(memory, "b")
    with service.transaction():
        trace = victim.trace(NONCE) | {"candidates": "{}"}
        service.execute("select memory_api.record_traces(bank => 'b', traces => %s)", [Jsonb([trace])])
        erasing = asyncio.create_task(memory.erase("b", conversation_id="talk"))
        await until(
            lambda: (
                admin.execute(
                    "select count(*) > 0 from pg_stat_activity where wait_event = 'advisory'"
                ).fetchone()
                == (True,)
            )
        )
    await erasing
    assert tables_with(admin, NONCE) == set()


async def test_a_connection_killed_in_the_middle_leaves_everything(
    memory: Memory, admin: Admin, login: str
) -> None:
    """The whole erasure is one transaction: killed before its commit it did nothing, and can be repeated."""
    await memory.create_bank("b", {"gate": False})
    await memory.add_messages("b", "talk", [NewMessage("user", f"I live in {NONCE}.")])
    await memory.end_import("b", ["talk"])
    await settle(memory, "b")
    before = rows_of(admin, "b")
    with psycopg.connect(login) as killed:
        killed.execute(
            "select * from memory_api.erase(bank => 'b', erasure => %s, scope => 'conversation', selector => %s, "
            "actor => 'ann', at => %s)",
            [uuid4(), Jsonb({"conversation_id": "talk"}), datetime.now(UTC)],
        )
        admin.execute("select pg_terminate_backend(%s)", [killed.info.backend_pid])
        with contextlib.suppress(psycopg.OperationalError):
            killed.commit()
    assert rows_of(admin, "b") == before
    receipt = await memory.erase("b", conversation_id="talk")
    assert receipt.row_counts["message"] == 1
    assert tables_with(admin, NONCE) == set()


async def test_a_message_that_relies_on_waiting_work_is_segmented_or_erased(
    memory: Memory, admin: Admin, service: Connection
) -> None:
    """add_message leaves a waiting row of work as it is, which the erasure of the conversation deletes."""
    await memory.create_bank("b", {"gate": False})
    await memory.add_messages("b", "talk", [NewMessage("user", f"I live in {NONCE}.")])
    with service.transaction():
        service.execute(
            "select memory_api.add_message(bank => 'b', conversation => 'talk', agent => null, lane => 0, id => %s, "
            "client_id => null, role => 'user', name => null, content => %s, occurred => null, metadata => null)",
            [uuid4(), f"And I work in {NONCE}."],
        )
        erasing = asyncio.create_task(memory.erase("b", conversation_id="talk"))
        await asyncio.sleep(1)
        assert not erasing.done()
    receipt = await erasing
    assert receipt.row_counts["message"] == 2
    assert tables_with(admin, NONCE) == set()
    assert (await memory.stats("b"))["queue"]["depth"] == 0
