"""Reading request bodies: bounded, strict JSON, with errors that say what is wrong instead of a crash."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from memory_service.errors import InvalidInput, MemoryServiceError

MAX_BODY_BYTES = 1024 * 1024


class BodyTooLarge(MemoryServiceError):
    """body: is larger than 1 MiB."""

    status = 413


class MalformedBody(MemoryServiceError):
    """body: is not JSON."""

    status = 400


class StrictRequest(Request):
    """A request whose body is at most 1 MiB of JSON without NaN and Infinity."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            declared = self.headers.get("content-length", "0")
            if declared.isdigit() and int(declared) > MAX_BODY_BYTES:
                raise BodyTooLarge
            held = bytearray()
            async for chunk in self.stream():
                held += chunk
                if len(held) > MAX_BODY_BYTES:
                    raise BodyTooLarge
            self._body = bytes(held)
        return self._body

    async def json(self) -> Any:
        try:
            return json.loads((await self.body()).decode(), parse_constant=refuse_constant)
        except UnicodeDecodeError:
            raise MalformedBody("body: is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise MalformedBody(f"body: is not JSON: {error.msg} at character {error.pos}") from None
        except RecursionError:
            raise MalformedBody("body: is nested too deeply") from None


def refuse_constant(name: str) -> Any:
    raise InvalidInput("body", f"contains {name}, which JSON does not have")


class StrictRoute(APIRoute):
    """Routes that read their bodies through StrictRequest."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strict
