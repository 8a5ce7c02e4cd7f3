"""Reading request bodies: bounded, strict JSON, with errors that say what is wrong instead of a crash."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from memory_service.errors import InvalidInput

MAX_BODY_BYTES = 1024 * 1024


class BodyTooLarge(InvalidInput):
    """The body is larger than 1 MiB."""

    status = 413

    def __init__(self) -> None:
        super().__init__("body", "is larger than 1 MiB")


class NotJsonType(InvalidInput):
    """The body is said to be something else than JSON, as curl does unless it is told."""

    status = 415

    def __init__(self) -> None:
        super().__init__("content-type", "must be application/json")


class MalformedBody(InvalidInput):
    """The body is not JSON."""

    status = 400

    def __init__(self, problem: str) -> None:
        super().__init__("body", problem)


class StrictRequest(Request):
    """A request whose body is at most 1 MiB of JSON without NaN and Infinity."""

    async def check(self) -> None:
        """Read the body. An empty one is left to FastAPI, which knows whether it may be."""
        if await self.body():
            kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json" and not (
                kind.startswith("application/") and kind.endswith("+json")
            ):
                raise NotJsonType
            self._json = await self.json()

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
        if hasattr(self, "_json"):
            return self._json
        try:
            return json.loads(
                (await self.body()).decode(), parse_constant=refuse_constant, object_pairs_hook=unique_keys
            )
        except UnicodeDecodeError:
            raise MalformedBody("is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise MalformedBody(f"is not JSON: {error.msg} at character {error.pos}") from None
        except RecursionError:
            raise MalformedBody("is nested too deeply") from None
        except InvalidInput:
            raise
        except ValueError:  # Python's own limit, against numbers that take minutes to read
            raise MalformedBody("holds a number of more than 4,300 digits") from None


def refuse_constant(name: str) -> Any:
    raise MalformedBody(f"contains {name}, which JSON does not have")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that it has twice would silently lose the first value."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise MalformedBody(f"has the key {key[:80]!r} twice in one object")
            seen.add(key)
    return made


class StrictRoute(APIRoute):
    """Routes that read their bodies through StrictRequest and refuse parameters that they do not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        has_body = self.body_field is not None
        known = {parameter.alias for parameter in self.dependant.query_params}

        async def strict(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    raise InvalidInput(name, "is no parameter of this call")
            request = StrictRequest(request.scope, request.receive)
            if has_body:
                await (
                    request.check()
                )  # here: FastAPI turns whatever goes wrong while it reads into one vague 400
            return await handle(request)

        return strict
