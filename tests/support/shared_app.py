"""One HTTP application for all tests of a process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from types import SimpleNamespace
from typing import cast

import httpx
from fastapi import FastAPI

from memory_service.config import Settings
from memory_service.keys import NewKey
from memory_service.memory import Memory
from memory_service.server.app import attach, create_app


@cache
def _app() -> FastAPI:
    return create_app(cast("Memory", SimpleNamespace(settings=Settings())))


def app_on(memory: Memory) -> FastAPI:
    """The application, now on this Memory alone: building its schemas takes 0.3 s of processor time."""
    app = _app()
    attach(app, memory)
    return app


@asynccontextmanager
async def own_client(memory: Memory) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of a new application, which has cached no keys yet, as in another process."""
    app = create_app(memory)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client
    await app.state.authenticator.aclose()


def bearer(key: NewKey | str) -> dict[str, str]:
    """The header with an API key."""
    return {"Authorization": f"Bearer {key if isinstance(key, str) else key.key}"}


def client_on(memory: Memory) -> httpx.AsyncClient:
    """A client of the application on this Memory, without a network."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app_on(memory)), base_url="http://localhost")
