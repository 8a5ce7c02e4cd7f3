"""The official MCP client on a served bank."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from memory_service.keys import NewKey
from tests.support.shared_app import bearer

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
PROTOCOLS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


@asynccontextmanager
async def mcp_client(
    address: str, bank: str = "anna", *, era: Era = "auto", key: NewKey | str | None = None
) -> AsyncGenerator[Client]:
    """A connected client of one bank."""
    headers = {} if key is None else bearer(key)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(f"{address}/mcp/{bank}", http_client=http), mode=era) as client,
    ):
        yield client


@dataclass(frozen=True, slots=True)
class Caller:
    """Calls tools, each over a new connection: the service keeps no state between calls."""

    address: str
    bank: str = "anna"
    era: Era = "auto"
    key: NewKey | str | None = None

    def connected(self) -> AbstractAsyncContextManager[Client]:
        return mcp_client(self.address, self.bank, era=self.era, key=self.key)

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        async with self.connected() as client:
            return await client.call_tool(tool, arguments)

    async def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a call that succeeds."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a call that fails."""
        result = await self.call(tool, **arguments)
        assert result.is_error, text_of(result)
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def recalled(client: Client, query: str) -> list[str]:
    found = await client.call_tool("recall", {"query": query})
    assert not found.is_error, text_of(found)
    assert found.structured_content is not None
    return [item["content"] for item in found.structured_content["items"]]
