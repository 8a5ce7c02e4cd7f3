"""A client of the public HTTP interface: banks, messages, waiting, the messages of each memory, and recall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from memory_service.validation import FACT_STATUSES, MAX_MESSAGES
from tests.acceptance.running import Service
from tests.bench.quality.evidence import Said

PAGE = 200


@contextmanager
def serving(data: Path, **environment: str) -> Generator[str]:
    """Run `memory-service serve` on a data folder, with its worker, as separate processes; yield its address."""
    with Service(data, MEMORY_LEASE_SECONDS="60", **environment) as service:
        yield service.address
        service.stop()


class HttpClient:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str) -> AsyncGenerator[HttpClient]:
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield cls(client)

    async def load(
        self,
        bank_id: str,
        intake: str,
        said: Said,
        settings: Mapping[str, Any] | None = None,
        *,
        origins: bool = True,
    ) -> dict[str, str]:
        """Send all of it to a new bank and wait until it is remembered; the message's id by the memory's."""
        body: dict[str, Any] = {"bank_id": bank_id, "settings": {"intake": intake, **(settings or {})}}
        await self.call("POST", "/v1/banks", body)
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
                await self.call("POST", f"/v1/banks/{bank_id}/messages", body)
        while not remembered(await self.call("GET", f"/v1/banks/{bank_id}/stats")):
            await asyncio.sleep(0.1)
        return await self.origins(bank_id) if origins else {}

    async def origins(self, bank_id: str) -> dict[str, str]:
        """The message of each memory of a `verbatim` bank: its gate decision has both ids."""
        return {memory_id: next(iter(ids)) for memory_id, ids in (await self.messages_of(bank_id)).items()}

    async def messages_of(self, bank_id: str) -> dict[str, frozenset[str]]:
        """The ids of the messages of each memory, including those of the memories merged into it."""
        found: dict[str, frozenset[str]] = {}
        async for item in self._pages(f"/v1/banks/{bank_id}/decisions"):
            if item["memory_id"]:
                found[item["memory_id"]] = frozenset(item["client_ids"])
        async for item in self._pages(f"/v1/banks/{bank_id}/memories", status="merged_into"):
            winner = item["merged_into_id"]
            if winner in found and item["memory_id"] in found:
                found[winner] |= found[item["memory_id"]]
        return found

    async def messages_of_facts(
        self, bank_id: str, origins: Mapping[str, frozenset[str]]
    ) -> dict[str, frozenset[str]]:
        """The ids of the messages of each fact's evidence; `origins` are those of episodes (messages_of)."""
        return {
            item["memory_id"]: frozenset[str]().union(
                *(origins.get(i, frozenset[str]()) for i in item["derived_from"])
            )
            async for item in self.facts(bank_id)
        }

    def facts(self, bank_id: str) -> AsyncGenerator[dict[str, Any]]:
        """The facts of a bank, also those that have ended or faded."""
        return self._pages(f"/v1/banks/{bank_id}/facts", status=FACT_STATUSES)

    async def _pages(self, path: str, **query: Any) -> AsyncGenerator[dict[str, Any]]:
        query["limit"] = PAGE
        while True:
            page = await self.call("GET", path, query=query)
            for item in page["items"]:
                yield item
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    async def recall(self, bank_id: str, text: str, profile: str, k: int) -> list[str]:
        """The ids of the best memories, best first."""
        answer = await self.call(
            "POST", f"/v1/banks/{bank_id}/recall", {"query": text, "profile": profile, "k": k}
        )
        return [item["memory_id"] for item in answer["items"]]

    async def call(self, method: str, path: str, body: Any = None, query: Any = None) -> Any:
        answer = await self._client.request(method, path, json=body, params=query)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()


def remembered(stats: dict[str, Any]) -> bool:
    return not stats["messages"]["pending"] and not stats["queue"]["depth"]
