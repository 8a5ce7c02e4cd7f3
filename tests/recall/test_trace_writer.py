"""The queue of traces that are written after the response."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from memory_service.recall import trace_writer
from memory_service.recall.trace_writer import TraceWriter
from memory_service.store import Store


@pytest.mark.parametrize("first", ["ends", "is cancelled"])
async def test_a_flush_that_ends_does_not_hold_up_another(
    first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Traces are written at once as long as one of them waits."""
    monkeypatch.setattr(trace_writer, "GATHER_SECONDS", 3_600.0)
    free, written = asyncio.Event(), list[Any]()

    async def record(bank_id: str, traces: list[Any]) -> None:
        await free.wait()
        written.extend(traces)

    writer = TraceWriter(cast("Store", SimpleNamespace(traces=SimpleNamespace(record=record))))
    writer.record("b", lambda: {"n": 1})
    short = asyncio.create_task(writer.flush(0.01 if first == "ends" else None))
    long = asyncio.create_task(writer.flush())
    await asyncio.sleep(0.05)  # the first trace is being written
    if first == "is cancelled":
        short.cancel()
    await asyncio.wait([short])
    writer.record("b", lambda: {"n": 2})
    free.set()
    async with asyncio.timeout(60):  # else it waits for GATHER_SECONDS
        await long
    assert [one["n"] for one in written] == [1, 2]
    await writer.aclose()
