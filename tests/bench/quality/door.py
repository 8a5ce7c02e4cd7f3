"""The HTTP door as a stranger uses it: banks, messages, waiting, which memory came from which message, and recall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from memory_service.checks import MAX_MESSAGES
from tests.acceptance.running import Service
from tests.bench.quality.evidence import Said

PAGE = 200


@contextmanager
def serving(data: Path) -> Generator[str]:
    """`memory-service serve` on a data folder, with its worker, in processes of its own; its address."""
    with Service(data, MEMORY_LEASE_SECONDS="60") as service:
        yield service.address
        service.stop()


class Door:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str) -> AsyncGenerator[Door]:
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield cls(client)

    async def load(self, bank_id: str, intake: str, said: Said) -> dict[str, str]:
        """Send all of it to a new bank and wait until it is remembered; the message's id by the memory's."""
        await self._call("POST", "/v1/banks", {"bank_id": bank_id, "settings": {"intake": intake}})
        for conversation_id, messages in said.items():
            for start in range(0, len(messages), MAX_MESSAGES):
                part = [
                    {
                        "role": m.role, "content": m.content, "name": m.name, "id": m.id,
                        "occurred_at": m.occurred_at and m.occurred_at.isoformat(),
                    }
                    for m in messages[start : start + MAX_MESSAGES]
                ]  # fmt: skip
                body = {"conversation_id": conversation_id, "messages": part}
                await self._call("POST", f"/v1/banks/{bank_id}/messages", body)
        while not remembered(await self._call("GET", f"/v1/banks/{bank_id}/stats")):
            await asyncio.sleep(0.1)
        return await self.origins(bank_id)

    async def origins(self, bank_id: str) -> dict[str, str]:
        """The message that each memory of a `verbatim` bank came from: the decision about it names both."""
        found: dict[str, str] = {}
        query: dict[str, Any] = {"limit": PAGE}
        while True:
            page = await self._call("GET", f"/v1/banks/{bank_id}/decisions", query=query)
            found |= {item["memory_id"]: item["client_ids"][0] for item in page["items"] if item["memory_id"]}
            if page["next_cursor"] is None:
                return found
            query["cursor"] = page["next_cursor"]

    async def recall(self, bank_id: str, text: str, profile: str, k: int) -> list[str]:
        """The ids of the best memories, best first."""
        answer = await self._call(
            "POST", f"/v1/banks/{bank_id}/recall", {"query": text, "profile": profile, "k": k}
        )
        return [item["memory_id"] for item in answer["items"]]

    async def _call(self, method: str, path: str, body: Any = None, query: Any = None) -> Any:
        answer = await self._client.request(method, path, json=body, params=query)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()


def remembered(stats: dict[str, Any]) -> bool:
    return not stats["messages"]["pending"] and not stats["queue"]["depth"]
