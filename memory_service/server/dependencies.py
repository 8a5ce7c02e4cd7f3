"""FastAPI dependencies: the application's Memory, for a request whose key has the role that the route needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, cast

from fastapi import Depends, Request
from pydantic import BaseModel

from memory_service.errors import Forbidden, InvalidInput, NotFound, Unauthorized
from memory_service.keys import Grant
from memory_service.memory import Memory
from memory_service.server.fact_schemas import JudgeBody
from memory_service.store.actor import acting_grant
from memory_service.store.driver_errors import NO_SUCH_BANK
from memory_service.vocabulary import KeyRole


def memory_for(role: KeyRole, *, erases: bool = False) -> Callable[[Request], Awaitable[Memory]]:
    """A dependency that checks the request's key against `role` and the bank in its path.

    A bank that the key does not cover is answered as one that does not exist. The dependency is a coroutine: FastAPI
    runs functions in a thread, at a third of a recall's time.
    """

    async def dependency(request: Request) -> Memory:
        state = request.app.state
        grant: Grant | None = request.state.grant  # set by StrictRoute
        if grant is not None:
            check_grant(grant, role, request.path_params.get("bank_id"), erases=erases)
        acting_grant.set(grant)
        claim = getattr(request.state, "claim", None)
        if claim is not None:  # set by answer_once
            await claim()
        return cast("Memory", state.memory)

    return dependency


def check_grant(grant: Grant, role: KeyRole, bank_id: str | None, *, erases: bool = False) -> None:
    """Errors: NotFound for a bank that the key does not cover, Forbidden for a role that it does not have."""
    if bank_id is not None and not grant.covers(bank_id):
        raise NotFound(NO_SUCH_BANK)
    if not grant.allows(role):
        raise Forbidden(f"this needs a key of role {role}; the key has role {grant.role}")
    if erases and not grant.can_erase:
        raise Forbidden("this erases; it needs a key of role admin, or one created with --erase")


async def grant_of(request: Request) -> Grant | None:
    """The rights of the request's key; None while the service has no keys. Depends on a memory_for dependency."""
    return request.state.grant


def require_all_banks(grant: Grant | None) -> None:
    """Errors: Forbidden for a key that does not cover every bank."""
    if grant is not None and not grant.covers_all:
        raise Forbidden("this concerns every bank; it needs a key for all banks (*)")


def agent_of(grant: Grant | None, named: str | None, field: str = "agent_id") -> str | None:
    """The agent that writes: the key's, else the one that the request names in `field`.

    Errors: InvalidInput naming `field` where the request names another agent than its key.
    """
    if grant is None or grant.agent_id is None:
        return named
    if named not in (None, grant.agent_id):
        raise InvalidInput(field, f"is another agent than the API key's, {grant.agent_id}")
    return grant.agent_id


def actor_of(grant: Grant | None, actor: str | None) -> str | None:
    """The actor of a judgement: the key's agent, else the one that the request names, else the key.

    Errors: as agent_of, naming `actor`.
    """
    named = agent_of(grant, actor, "actor")
    return named or (None if grant is None else grant.actor)


def arguments_in(body: BaseModel, grant: Grant | None) -> dict[str, Any]:
    """The fields of a body as arguments of a method, with the actor and agent that the key allows.

    Errors: as agent_of.
    """
    fields = dict(body)
    if "actor" in fields:
        fields["actor"] = actor_of(grant, fields["actor"])
    if "agent_id" in fields:
        fields["agent_id"] = agent_of(grant, fields["agent_id"])
    return fields


def bearer_text(request: Request) -> str | None:
    """The API key or access token of an authenticated request."""
    given = request.headers.get("authorization")
    return None if given is None else given.partition(" ")[2]


async def authenticate(request: Request, mcp_bank: str | None = None) -> Grant | None:
    """The rights of the request's key; None while no key is needed. `mcp_bank` lets OAuth tokens for it be used.

    Errors: Unauthorized, DatabaseUnavailable.
    """
    given = request.headers.getlist("authorization")
    if len(given) > 1:
        raise Unauthorized("the request has more than one Authorization header")
    return await request.app.state.authenticator.grant(given[0] if given else None, mcp_bank)


ReadMemory = Annotated[Memory, Depends(memory_for("read"))]
WriteMemory = Annotated[Memory, Depends(memory_for("write"))]
AdminMemory = Annotated[Memory, Depends(memory_for("admin"))]
EraseMemory = Annotated[Memory, Depends(memory_for("write", erases=True))]
KeyGrant = Annotated[Grant | None, Depends(grant_of)]


async def reviewer(grant: KeyGrant, body: JudgeBody | None = None) -> str | None:
    """The actor of a request whose body names the actor alone. Depends on a memory_for dependency."""
    return actor_of(grant, None if body is None else body.actor)


Reviewer = Annotated[str | None, Depends(reviewer)]
