"""Access tokens: JWTs for one bank, signed by an API key, for programs without the key (docs/design.md, Keys); and the
sessions of the pages at /ui, signed in the same way.

The signing key is derived from the API key's text, which the database does not hold. It holds the public key, so that
a copy of the database signs no tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memory_service.errors import Unauthorized
from memory_service.keys import KEY_ID, Grant
from memory_service.validation import BANK_ID
from memory_service.vocabulary import KEY_ROLES, KeyRole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MAX_SECONDS = 3_600
DEFAULT_SECONDS = 900
ALGORITHM = "EdDSA"
AUDIENCE = "memory-service"
SESSION_AUDIENCE = "memory-service page"
SESSION_SECONDS = 12 * 3_600
PURPOSE = b"memory-service access token"
CLOCK_SECONDS = 10
"""Difference of the clocks of two machines that a token may show."""
INVALID = "the access token is not valid"
EXPIRED = "the access token has expired"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A new token and its end."""

    token: str
    expires_at: datetime


def signing_key(key: str) -> Ed25519PrivateKey:
    """The key that signs the tokens of an API key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(key.encode())
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key(key: str) -> bytes:
    """The 32 bytes that check the tokens of an API key."""
    return signing_key(key).public_key().public_bytes_raw()


def sign(key: str, grant: Grant, bank_id: str, role: KeyRole, seconds: float) -> AccessToken:
    """A token for one bank that ends after `seconds`, and no later than its key."""
    import jwt

    now = datetime.now(UTC).replace(microsecond=0)
    ends = now + timedelta(seconds=seconds)
    if grant.expires_at is not None:
        ends = min(ends, grant.expires_at)
    claims = {"aud": AUDIENCE, "bank": bank_id, "role": role, "iat": now, "exp": ends}
    token = jwt.encode(claims, signing_key(key), algorithm=ALGORITHM, headers={"kid": grant.key_id})
    return AccessToken(token, ends.replace(microsecond=0))


def sign_session(key: str, grant: Grant) -> str:
    """A token for the session of a page: it has the rights of its key and ends after SESSION_SECONDS."""
    import jwt

    now = datetime.now(UTC).replace(microsecond=0)
    claims = {"aud": SESSION_AUDIENCE, "iat": now, "exp": now + timedelta(seconds=SESSION_SECONDS)}
    return jwt.encode(claims, signing_key(key), algorithm=ALGORITHM, headers={"kid": grant.key_id})


def looks_like_token(text: str) -> bool:
    """Whether a text has the form of a JWT: three parts between dots."""
    return text.startswith("eyJ") and text.count(".") == 2


def key_id_in(token: str) -> str:
    """The id of the key that a token names as its signer, not verified. Errors: Unauthorized."""
    import jwt

    try:
        key_id = jwt.get_unverified_header(token).get("kid")
    except jwt.InvalidTokenError:
        raise Unauthorized(INVALID) from None
    if not isinstance(key_id, str) or not KEY_ID.fullmatch(key_id):
        raise Unauthorized(INVALID)  # the id is logged and sent to the database
    return key_id


def granted(token: str, signer: Grant, signer_public_key: bytes | None) -> Grant:
    """The rights of a token: never more than those its key has now. Errors: Unauthorized naming the reason."""
    claims = verified(token, signer_public_key, AUDIENCE, ("bank", "role"))
    return rights_of(claims, signer)


def session_granted(token: str, signer: Grant, signer_public_key: bytes | None) -> Grant:
    """The rights of a session: those its key has now. Errors: Unauthorized naming the reason."""
    claims = verified(token, signer_public_key, SESSION_AUDIENCE)
    ends = end_of(claims, SESSION_SECONDS)
    if signer.expires_at is not None:
        ends = min(ends, signer.expires_at)
    return replace(signer, expires_at=ends)


def verified(
    token: str, signer_public_key: bytes | None, audience: str, needed: Sequence[str] = ()
) -> dict[str, Any]:
    """The claims of a token that the key signed and that has not expired. Errors: Unauthorized naming the reason."""
    import jwt
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if signer_public_key is None:
        raise Unauthorized(INVALID)
    known = Ed25519PublicKey.from_public_bytes(signer_public_key)
    try:
        return jwt.decode(
            token, known, algorithms=[ALGORITHM], audience=audience,
            options={"require": ["aud", "iat", "exp", *needed], "verify_iat": False},
        )  # fmt: skip
    except jwt.ExpiredSignatureError:
        raise Unauthorized(EXPIRED) from None
    except jwt.InvalidTokenError:
        raise Unauthorized(INVALID) from None


def end_of(claims: dict[str, Any], seconds: float) -> datetime:
    """When verified claims end. Errors: Unauthorized where they last longer than `seconds` or begin in the future: the
    holder of a key can sign any claims."""
    began, ends = claims["iat"], claims["exp"]
    if (
        not (isinstance(began, int) and isinstance(ends, int))
        or ends - began > seconds
        or began > datetime.now(UTC).timestamp() + CLOCK_SECONDS
    ):
        raise Unauthorized(INVALID)
    return datetime.fromtimestamp(ends, UTC)


def rights_of(claims: dict[str, Any], signer: Grant) -> Grant:
    """The rights in verified claims. The holder of a key can sign any claims."""
    bank, role = claims["bank"], claims["role"]
    ends = end_of(claims, MAX_SECONDS)
    if (
        role not in KEY_ROLES[:-1]
        or not isinstance(bank, str)
        or not BANK_ID.fullmatch(bank)  # one bank, no prefix
        or not signer.covers(bank)
        or not signer.allows(role)
    ):
        raise Unauthorized(INVALID)
    return replace(signer, role=role, banks=(bank,), may_erase=False, expires_at=ends)
