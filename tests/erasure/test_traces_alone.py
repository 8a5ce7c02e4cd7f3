"""Reads of which nothing but their traces is left: their queries are erased as well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from psycopg.types.json import Jsonb

from memory_service import Memory, NotFound
from tests.conftest import Admin
from tests.db import steps
from tests.erasure.carrier import NONCE
from tests.erasure.scan import tables_with

TALK = f"talk {NONCE}"
QUERY = f"I work at {NONCE}."


async def read(memory: Memory) -> None:
    """Ask for contexts of a conversation that is never stored, and of another one."""
    await memory.create_bank("b")
    await memory.context("b", QUERY, conversation_id=TALK)
    await memory.context("b", "What now?", conversation_id="other")


def queries(admin: Admin) -> list[str | None]:
    return [row[0] for row in admin.execute("select query from memory.retrieval_trace").fetchall()]  # type: ignore[misc]


@pytest.mark.parametrize("scope", ["conversation", "period"])
async def test_the_query_is_erased(memory: Memory, admin: Admin, scope: str) -> None:
    await read(memory)
    with pytest.raises(NotFound, match="conversation_id"):
        await memory.erase("b", conversation_id="never")
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    chosen = (
        {"conversation_id": TALK} if scope == "conversation" else {"since": now - hour, "until": now + hour}
    )
    plan = await memory.plan_erasure("b", **chosen)  # type: ignore[arg-type]
    assert tables_with(admin, NONCE) == {"retrieval_trace"}
    receipt = await memory.erase("b", **chosen)  # type: ignore[arg-type]
    assert receipt.row_counts == plan.row_counts
    assert receipt.row_counts == {"retrieval_trace": 1 if scope == "conversation" else 2}
    assert tables_with(admin, NONCE) == set()
    assert queries(admin) == ([None] if scope == "conversation" else [])
    assert await memory.erase("b", **chosen) == receipt  # type: ignore[arg-type]


async def test_a_restored_trace_is_erased_again(memory: Memory, admin: Admin) -> None:
    await read(memory)
    await memory.trace_writer.flush()
    admin.execute("create table public.backup as select * from memory.retrieval_trace")
    receipt = await memory.erase("b", conversation_id=TALK)
    (line,) = admin.execute("select memory_api.erasure_line('b', %s)", [receipt.erasure_id]).fetchall()
    admin.execute(
        "delete from memory.erased_item; delete from memory.erasure; delete from memory.retrieval_trace"
    )
    admin.execute("insert into memory.retrieval_trace select * from public.backup")
    assert tables_with(admin, NONCE) == {"retrieval_trace"}
    admin.execute("select memory_internal.replay_erasures('b', %s)", [Jsonb([line[0]])])
    assert tables_with(admin, NONCE) == set()
    assert queries(admin) == [None]


async def test_what_a_context_showed_is_erased(memory: Memory, admin: Admin) -> None:
    """The doubtful facts that a context showed outlive its trace."""
    await memory.create_bank("b")
    fact = steps.fact(admin, "b", "likes tea")
    admin.execute(
        "insert into memory.fact_mention (bank_id, conversation_id, at, fact_id) values (%s, %s, now(), %s)",
        ["b", TALK, fact],
    )
    receipt = await memory.erase("b", conversation_id=TALK)
    assert receipt.row_counts == {"fact_mention": 1}
    assert tables_with(admin, NONCE) == set()
