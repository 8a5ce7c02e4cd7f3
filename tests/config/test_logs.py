"""Each log event, of any library, is one line and contains no memory text."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from memory_service import logs
from memory_service.intake.worker import wait_for_slot

Capture = pytest.CaptureFixture[str]
TEXT = "Ines is allergic to walnuts"


@pytest.fixture
def lines(capsys: Capture) -> Iterator[Capture]:
    logs.configure("info")
    yield capsys
    for handler in [one for one in logging.getLogger().handlers if isinstance(one, logs.LibraryLogs)]:
        logging.getLogger().removeHandler(handler)
    structlog.reset_defaults()


async def broken() -> None:
    raise ValueError(f"a fault with\n{TEXT}")


def events(written: Capture) -> list[dict[str, object]]:
    text = written.readouterr().err
    assert TEXT not in text
    return [json.loads(line) for line in text.splitlines()]


def test_an_error_of_a_library_is_one_line_without_its_message(lines: Capture) -> None:
    try:
        asyncio.run(broken())
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    (event,) = events(lines)
    assert (event["event"], event["logger"]) == ("Exception in ASGI application", "uvicorn.error")
    assert (event["error"], event["level"]) == ("ValueError", "error")


async def test_what_asyncio_tells_of_a_lost_task_is_one_line(lines: Capture) -> None:
    task = asyncio.create_task(broken())
    await asyncio.wait([task])
    del task
    gc.collect()
    (event,) = events(lines)
    assert (event["event"], event["error"]) == ("Task exception was never retrieved", "ValueError")


async def test_of_several_batches_that_fail_at_once_each_error_is_retrieved(lines: Capture) -> None:
    batches = {asyncio.create_task(broken()) for _ in range(3)}
    await asyncio.wait(batches)
    with pytest.raises(ValueError, match="a fault"):
        await wait_for_slot(batches, most=0)
    del batches
    gc.collect()
    assert events(lines) == []
