"""HTTP route that signs access tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from memory_service import access_tokens
from memory_service.errors import Conflict, Forbidden
from memory_service.keys import is_key
from memory_service.server.dependencies import KeyGrant, ReadMemory, bearer_text, check_grant
from memory_service.server.json_response import json_answer
from memory_service.server.schemas import TokenAnswer, TokenBody
from memory_service.server.strict_json import StrictRoute

tokens = APIRouter(prefix="/v1/banks/{bank_id}/tokens", route_class=StrictRoute)


@tokens.post("", status_code=201, response_model=TokenAnswer)
async def create_token(
    request: Request, memory: ReadMemory, grant: KeyGrant, bank_id: str, body: TokenBody
) -> Response:
    """Sign an access token for this bank, for programs that must not have the API key, such as web pages.

    It is sent like a key, ends after `seconds` (at most 3600), is limited together with its key, and is refused once
    the key is revoked or ends. Nothing is stored. 403 with an access token; 409 while the service has no keys.
    """
    await memory.get_bank(bank_id)
    key = bearer_text(request)
    if grant is None or key is None:
        raise Conflict("the service has no API keys: requests need no token")
    if not is_key(key):
        raise Forbidden("an access token cannot create tokens; use the API key")
    check_grant(grant, body.role, bank_id)
    stored = await memory.store.keys.read(grant.key_id)
    if stored is None or stored.token_public_key is None:
        raise Conflict("the API key is of a release without access tokens; rotate it")
    token = access_tokens.sign(key, grant, bank_id, body.role, body.seconds)
    return json_answer(token, 201, headers={"Cache-Control": "no-store"})
