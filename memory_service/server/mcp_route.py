"""POST /mcp/{bank_id}: the tools of memory_service.mcp, with the keys, roles and limits of the other routes.

Each request is complete in itself, so that any process answers it, also after a restart. The SDK is imported by the
first request.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from starlette.types import Message, Receive, Scope, Send

from memory_service.errors import NotFound
from memory_service.extras import installed_by
from memory_service.keys import Grant
from memory_service.memory import Memory
from memory_service.methods import MemoryMethods
from memory_service.server.dependencies import (
    KeyGrant,
    ReadMemory,
    actor_of,
    agent_of,
    authenticate,
    check_grant,
)
from memory_service.server.rate_limits import RateLimits, text_tokens
from memory_service.server.strict_json import MAX_BODY_BYTES, StrictRoute
from memory_service.store.database import read_only
from memory_service.validation import BANK_ID
from memory_service.vocabulary import KeyRole

if TYPE_CHECKING:  # an extra
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from memory_service.server.oauth import OAuthIssuer


class McpRoute(StrictRoute):
    """A route that also accepts tokens of the OAuth issuer, where the settings name one, and whose refusals name it."""

    async def authenticate(self, request: Request) -> Grant | None:
        oauth: OAuthIssuer | None = request.app.state.oauth
        if oauth is None:
            return await authenticate(request)
        bank_id = request.path_params["bank_id"]
        request.state.challenge = oauth.challenge(bank_id)
        return await authenticate(request, bank_id)


mcp = APIRouter(prefix="/mcp", route_class=McpRoute)
resource_metadata = APIRouter(prefix="/.well-known/oauth-protected-resource", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class KeyAccess:
    """The access of a request's key to the bank in its path."""

    bank_id: str
    known: Memory
    grant: Grant | None
    rate_limits: RateLimits

    @property
    def agent_id(self) -> str | None:
        return agent_of(self.grant, None)

    @property
    def actor(self) -> str | None:
        return actor_of(self.grant, None)

    async def memory(self, role: KeyRole, *, erases: bool = False) -> MemoryMethods:
        if self.grant is not None:
            check_grant(self.grant, role, self.bank_id, erases=erases)
            read_only.set(self.grant.role == "read")  # StrictRoute has reset it
        return self.known

    async def memory_to_store(self, text: str) -> MemoryMethods:
        memory = await self.memory("write")
        if self.grant is not None:
            await self.rate_limits.take(self.grant, "messages", 1)
            if self.grant.model_tokens_per_minute is not None:
                await self.rate_limits.take(self.grant, "model_tokens", text_tokens({"content": text}))
        return memory


class McpAnswer(Response):
    """The SDK's answer to the request, with the headers of this response."""

    def __init__(self, server: Server[Any]) -> None:
        super().__init__()
        self._server = server
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self.raw_headers]
            await send(message)

        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MAX_BODY_BYTES
        )
        async with manager.run():
            await manager.handle_request(scope, receive, with_headers)


@mcp.post("/{bank_id}", include_in_schema=False)
async def call(request: Request, memory: ReadMemory, grant: KeyGrant, bank_id: str) -> Response:
    """Answers one request of an MCP client. A bank that the key does not cover is answered as an absent one."""
    await memory.cached_bank(bank_id)
    request.state.access = KeyAccess(bank_id, memory, grant, request.app.state.rate_limits)
    return McpAnswer(await asyncio.to_thread(server_for_requests))


@resource_metadata.get("")
@resource_metadata.get("/mcp/{bank_id}")
async def describe_resource(request: Request, bank_id: str | None = None) -> dict[str, object]:
    """Who issues tokens for the service, or for a bank of it (RFC 9728); the same for banks that do not exist."""
    oauth: OAuthIssuer | None = request.app.state.oauth
    if oauth is None or (bank_id is not None and BANK_ID.fullmatch(bank_id) is None):
        raise NotFound("Not Found")
    return oauth.metadata(bank_id)


@cache
def server_for_requests() -> Server[Any]:
    """The server for all banks of this process. Errors: InvalidInput where the extra `mcp` is not installed."""
    with installed_by("mcp", "path"):
        from memory_service.mcp.server import build_server
    return build_server(access_of)


def access_of(context: ServerRequestContext[Any, Request]) -> KeyAccess:
    if context.request is None:
        raise RuntimeError("the SDK did not pass on the request")
    return context.request.state.access
