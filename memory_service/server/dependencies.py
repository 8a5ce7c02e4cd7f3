"""FastAPI dependency: the application's Memory."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from memory_service.memory import Memory


async def memory_of(request: Request) -> Memory:
    """The application's Memory. A coroutine: FastAPI runs functions in a thread, at a third of a recall's time."""
    return request.app.state.memory


OpenMemory = Annotated[Memory, Depends(memory_of)]
