"""Access tokens of an OAuth authorization server, for POST /mcp/{bank_id} (docs/design.md, Keys).

A token says who calls, for which banks and with which scopes; an API key bounds the rights of all tokens.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

import jwt

from memory_service.access_tokens import CLOCK_SECONDS, EXPIRED, INVALID
from memory_service.errors import InvalidInput, Unauthorized
from memory_service.keys import Grant, check_grants, matches
from memory_service.server.issuer_keys import ALGORITHMS, IssuerKeys
from memory_service.validation import BANK_ID
from memory_service.vocabulary import KEY_ROLES, KeyRole

METADATA_PATH = "/.well-known/oauth-protected-resource"
NEEDED = ("iss", "aud", "exp", "sub", "scope")
UNREADABLE = (jwt.PyJWTError, ValueError, OverflowError, RecursionError)
"""What a text that is no token, or claims out of any range, raise."""


@dataclass(frozen=True, slots=True)
class TokenRights:
    """The rights that a token claims."""

    role: KeyRole
    banks: tuple[str, ...]
    agent_id: str
    """A name for the subject, the same in each of its tokens."""
    expires_at: datetime

    def within(self, key: Grant) -> Grant:
        """The rights of the token as far as the key has them, without the right to erase."""
        common = {one for one in self.banks for other in key.banks if matches(other, one)}
        common |= {other for one in self.banks for other in key.banks if matches(one, other)}
        return replace(
            key,
            role=min(self.role, key.role, key=KEY_ROLES.index),
            banks=tuple(sorted(common)),
            may_erase=False,
            agent_id=key.agent_id or self.agent_id,
            expires_at=min(self.expires_at, key.expires_at or self.expires_at),
        )


@dataclass(frozen=True, slots=True)
class OAuthIssuer:
    """Checks the tokens of the authorization server in the settings."""

    issuer: str
    audience: str
    keys: IssuerKeys
    key_id: str
    """The API key that bounds the rights of all tokens."""
    bank_claim: str
    read_scope: str
    write_scope: str

    @staticmethod
    def names_issuer(token: str) -> bool:
        """Whether a token has an issuer, not verified: the access tokens that API keys sign have none."""
        try:
            return "iss" in jwt.decode(token, options={"verify_signature": False})
        except UNREADABLE:
            return False

    async def rights(self, token: str, bank_id: str) -> TokenRights:
        """The rights that a valid token for this service, or for this bank of it, claims.

        Errors: Unauthorized, whose cause names the fault of the token.
        """
        try:
            key_id = jwt.get_unverified_header(token).get("kid")
            key = await self.keys.key(key_id) if isinstance(key_id, str) else None
            if key is None:
                raise jwt.InvalidKeyError
            claims = jwt.decode(
                token, key, algorithms=ALGORITHMS, issuer=self.issuer, leeway=CLOCK_SECONDS,
                audience=[self.audience, self.resource(bank_id)],
                options={"require": [*NEEDED, self.bank_claim], "enforce_minimum_key_length": True},
            )  # fmt: skip
            return self._rights_in(claims)
        except jwt.ExpiredSignatureError as error:
            raise Unauthorized(EXPIRED) from error
        except (*UNREADABLE, InvalidInput) as error:
            raise Unauthorized(INVALID) from error

    def _rights_in(self, claims: dict[str, Any]) -> TokenRights:
        """Errors: those of UNREADABLE, InvalidInput."""
        scopes = str(claims["scope"]).split()
        if self.write_scope in scopes:
            role: KeyRole = "write"
        elif self.read_scope in scopes:
            role = "read"
        else:
            raise InvalidScope
        subject = hashlib.sha256(f"{self.issuer}\n{claims['sub']}".encode()).hexdigest()[:16]
        ends = datetime.fromtimestamp(int(claims["exp"]), UTC)
        return TokenRights(role, banks_in(claims[self.bank_claim]), f"oauth:{subject}", ends)

    def resource(self, bank_id: str | None) -> str:
        """The identifier of the service, or of a bank in it, as a protected resource (RFC 9728)."""
        return self.audience + path_of(bank_id)

    def metadata(self, bank_id: str | None = None) -> dict[str, object]:
        """The metadata document of the resource."""
        return {
            "resource": self.resource(bank_id),
            "authorization_servers": [self.issuer],
            "scopes_supported": [self.read_scope, self.write_scope],
            "bearer_methods_supported": ["header"],
        }

    def challenge(self, bank_id: str) -> str:
        """The WWW-Authenticate header of a refusal."""
        return f'Bearer resource_metadata="{self.audience}{METADATA_PATH}{path_of(bank_id)}"'


class InvalidScope(jwt.InvalidTokenError):
    """The token has none of the scopes."""


def path_of(bank_id: str | None) -> str:
    """The path of a bank's tools; empty without a bank and for a text that no bank can have as its id."""
    return f"/mcp/{bank_id}" if bank_id is not None and BANK_ID.fullmatch(bank_id) else ""


def banks_in(claim: object) -> tuple[str, ...]:
    """The banks in a claim: one id, or a list of ids and prefixes. Errors: InvalidInput.

    A single text is never a prefix: it may be a name that the subject chose (`sub`, `preferred_username`).
    """
    if isinstance(claim, str) and BANK_ID.fullmatch(claim):
        return (claim,)
    if isinstance(claim, list) and all(isinstance(one, str) for one in cast("list[object]", claim)):
        return check_grants(cast("list[str]", claim))
    raise InvalidInput("banks", "must be a bank id or a list of ids and prefixes")
