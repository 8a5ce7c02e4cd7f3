"""Parsing of request bodies: strict JSON of at most 1 MiB, with an error for each kind of malformed body."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from memory_service.errors import InvalidInput
from memory_service.keys import Grant
from memory_service.server.dependencies import authenticate
from memory_service.server.idempotency import DeferredResponse, answer_once, documented_header
from memory_service.server.rate_limits import MESSAGE_ROUTES, RateLimits, message_count, text_tokens
from memory_service.store.database import read_only

MAX_BODY_BYTES = 1024 * 1024


class BodyTooLarge(InvalidInput):
    """The body is larger than 1 MiB."""

    status = 413

    def __init__(self) -> None:
        super().__init__("body", "is larger than 1 MiB")


class NotJsonType(InvalidInput):
    """The Content-Type is not JSON; curl -d sends application/x-www-form-urlencoded by default."""

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

    async def check(self) -> Any:
        """The parsed body. An empty one is None and left to FastAPI, which knows whether it is optional."""
        if await self.body():
            kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json" and not (
                kind.startswith("application/") and kind.endswith("+json")
            ):
                raise NotJsonType
            self._json = await self.json()
            return self._json
        return None

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            declared = self.headers.get("content-length", "0")
            if declared.isdigit() and int(declared) > MAX_BODY_BYTES:
                raise BodyTooLarge
            received = bytearray()
            async for chunk in self.stream():
                received += chunk
                if len(received) > MAX_BODY_BYTES:
                    raise BodyTooLarge
            self._body = bytes(received)
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
        except ValueError:  # Python's limit: longer numbers take quadratic time
            raise MalformedBody("contains a number of more than 4,300 digits") from None


def refuse_constant(name: str) -> Any:
    raise MalformedBody(f"contains {name}, which is not JSON")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object. Errors: MalformedBody for a duplicate key, whose first value would be lost."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise MalformedBody(f"has the key {key[:80]!r} twice in one object")
            seen.add(key)
    return fields


class StrictRoute(APIRoute):
    """A route that authenticates the request, parses its body strictly and refuses unknown query parameters.

    With the dependency REPEATABLE, a request with an idempotency key is answered once.
    """

    async def authenticate(self, request: Request) -> Grant | None:
        """The rights of the request's key; None while no key is needed. Errors: Unauthorized, DatabaseUnavailable."""
        return await authenticate(request)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        has_body = self.body_field is not None
        known = {parameter.alias for parameter in self.dependant.query_params}
        counts_messages = self.path in MESSAGE_ROUTES and "POST" in (self.methods or ())
        repeatable = any(one.call is documented_header for one in self.dependant.dependencies)

        async def strict(request: Request) -> Response:
            grant = request.state.grant = await self.authenticate(request)  # before the body is read
            rate_limits: RateLimits = request.app.state.rate_limits
            allowance = None if grant is None else await rate_limits.take(grant, "requests", 1)
            for name in request.query_params:
                if name not in known:
                    raise InvalidInput(name, "is not a parameter of this call")
            request = StrictRequest(request.scope, request.receive)
            body = None
            if has_body:
                # Before FastAPI reads it, which answers any error of reading with one generic 400.
                body = await request.check()
            if counts_messages and grant is not None:
                # Before the transaction of a repeatable request: the bucket's row is shared by all requests of the key.
                await rate_limits.take(grant, "messages", message_count(body))
                if grant.model_tokens_per_minute is not None:
                    await rate_limits.take(grant, "model_tokens", text_tokens(body))
            # From here on, also in the transaction of a repeatable request; the rate limits above are written.
            reset = read_only.set(grant is not None and grant.role == "read")
            try:
                if repeatable:
                    response = await answer_once(request, request.app.state.memory, handle, body)
                else:
                    response = await handle(request)
                if isinstance(response, DeferredResponse):
                    response = await response.finish()
            finally:
                read_only.reset(reset)
            if allowance is not None:
                response.headers.update(allowance.headers())
            return response

        return strict
