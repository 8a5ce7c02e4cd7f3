"""Clients of a mixed load in a separate process: `python -m tests.bench.mixed_clients` reads a MixedLoad as JSON on its
standard input and writes a MixedOutcome on its output."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import uvloop

from tests.bench.http_load import exchange, request
from tests.bench.words import sentences

CALLS = ("messages", "memories", "recall", "context")


@dataclass(frozen=True, slots=True)
class MixedLoad:
    """Each of `clients` calls the bank chat-N, one call after another, with `pause` seconds between them."""

    port: int
    clients: int
    seconds: float
    shares: dict[str, float]
    """Relative frequencies of CALLS."""
    pause: float = 0.0
    name: str = "chat"
    session: str = "s"
    """Part of the ids of messages, so that two loads on the same banks send different ones."""
    lane: str = "live"
    batch: int = 1
    """Messages in a call."""
    bank: str | None = None
    """One bank for all clients instead of one each."""
    most: int | None = None
    """End after this many messages."""


@dataclass(slots=True)
class MixedOutcome:
    """Milliseconds by call, refusals, and acknowledged messages by bank."""

    seconds: float = 0.0
    milliseconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    failed: int = 0
    refused: int = 0
    """Answered with 429."""
    acknowledged: dict[str, int] = field(default_factory=dict[str, int])


def body_of(load: MixedLoad, call: str, texts: Sequence[str], place: int, client_id: str) -> tuple[str, str]:
    """The last part of the path and the body of a call."""
    text = texts[place % len(texts)]
    if call == "messages":
        messages = [
            {"role": "user", "content": texts[(place + n) % len(texts)], "id": f"{client_id}-{n}"}
            for n in range(load.batch)
        ]
        conversation = f"{client_id}" if load.lane == "import" else "talk"
        return call, json.dumps({"conversation_id": conversation, "messages": messages, "lane": load.lane})
    if call == "memories":
        return call, json.dumps({"content": text, "idempotency_key": client_id})
    if call == "recall":
        return call, json.dumps({"query": text})
    return call, json.dumps({"message": text})


async def client(load: MixedLoad, number: int, until: float, outcome: MixedOutcome) -> None:
    """Call until the time is over or `most` messages are acknowledged."""
    rng, texts = random.Random(number), sentences(200, seed=7)
    bank = load.bank or f"{load.name}-{number}"
    reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
    place = number * 31
    await asyncio.sleep(load.pause * rng.random())
    while time.perf_counter() < until:
        if load.most is not None and sum(outcome.acknowledged.values()) >= load.most:
            break
        call = rng.choices(CALLS, [load.shares.get(one, 0.0) for one in CALLS])[0]
        place += 1
        part, body = body_of(load, call, texts, place, f"{load.session}-{number}-{place}")
        sent = request("POST", f"/v1/banks/{bank}/{part}", body)
        began = time.perf_counter()
        head = await exchange(reader, writer, sent)
        outcome.milliseconds.setdefault(call, []).append((time.perf_counter() - began) * 1000)
        if head.startswith(b"HTTP/1.1 2"):
            if call == "messages":
                outcome.acknowledged[bank] = outcome.acknowledged.get(bank, 0) + load.batch
        elif head.startswith(b"HTTP/1.1 429"):
            outcome.refused += 1
            await asyncio.sleep(1)
        else:
            outcome.failed += 1
        await asyncio.sleep(load.pause)
    writer.close()


async def run(load: MixedLoad) -> MixedOutcome:
    outcome, began = MixedOutcome(), time.perf_counter()
    await asyncio.gather(*(client(load, n, began + load.seconds, outcome) for n in range(load.clients)))
    outcome.seconds = time.perf_counter() - began
    return outcome


if __name__ == "__main__":
    json.dump(asdict(uvloop.run(run(MixedLoad(**json.load(sys.stdin))))), sys.stdout)
