"""LangGraph's Postgres checkpoints of a growing chat, as tests/bench/sessions.py measures sessions.

Runs in the environment of `make bench-rivals` and imports nothing of this project. Arguments: the URL of an empty
database, and a kind of channel. Each line on stdin is a JSON list of messages: one step for each; the answer is one
line of JSON: the milliseconds of each. At the end of the input, a line with the milliseconds of reading the last state.

`langgraph_whole`: the value of the channel is the whole list, as with the reducer of MessagesState. `langgraph_delta`:
as a DeltaChannel (beta) stores it, the message as a write and the whole list every hundredth step. Both call the saver
alone, without the graph that calls it, and the first without the write of each message that a graph adds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot

SNAPSHOT_EVERY = 100
"""Default of DeltaChannel."""


async def main(url: str, kind: str) -> None:
    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        chat = Chat(saver, kind)
        print("ready", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            taken: list[float] = []
            for message in json.loads(line):
                began = time.perf_counter()
                await chat.step(message)
                taken.append((time.perf_counter() - began) * 1000)
            print(json.dumps(taken), flush=True)
        began = time.perf_counter()
        await chat.read()
        print((time.perf_counter() - began) * 1000, flush=True)


class Chat:
    def __init__(self, saver: AsyncPostgresSaver, kind: str) -> None:
        self._saver = saver
        self._delta = kind == "langgraph_delta"
        self._config: Any = {"configurable": {"thread_id": "chat", "checkpoint_ns": ""}}
        self._messages: list[Any] = []

    async def step(self, message: Any) -> None:
        self._messages.append(message)
        step = len(self._messages)
        checkpoint = empty_checkpoint() | {"id": str(uuid6(clock_seq=step))}
        version = f"{step:032}.0"
        values: dict[str, Any] = {"step": step, "messages": self._messages}
        if self._delta:
            if step > 1:
                await self._saver.aput_writes(self._config, [("messages", [message])], str(uuid6()))
            values["messages"] = _DeltaSnapshot(self._messages)
            if step % SNAPSHOT_EVERY != 1:
                del values["messages"]
        checkpoint["channel_values"] = values
        checkpoint["channel_versions"] = {"step": version, "messages": version}
        self._config = await self._saver.aput(
            self._config, checkpoint, {"source": "loop", "step": step}, dict.fromkeys(values, version)
        )

    async def read(self) -> None:
        found = await self._saver.aget_tuple(self._config)
        assert found is not None
        assert self._delta or found.checkpoint["channel_values"]["messages"] == self._messages


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
