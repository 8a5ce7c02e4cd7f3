"""What every route is given: the one Memory of its application."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from memory_service.memory import Memory


async def memory_of(request: Request) -> Memory:
    """A coroutine: FastAPI runs other functions in a thread, which costs a third of what a recall takes."""
    return request.app.state.memory


Door = Annotated[Memory, Depends(memory_of)]
