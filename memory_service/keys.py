"""API keys: `mem_<key_id>_<secret>_<checksum>`, and what a key grants (docs/design.md, Keys).

The checksum refuses mistyped keys without the database, and lets redaction and secret scanners recognize a key.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memory_service.errors import InvalidInput
from memory_service.validation import BANK_ID
from memory_service.vocabulary import KEY_ROLES, KeyRole, LimitedResource

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ID_LENGTH = 12
SECRET_LENGTH = 32
CHECKSUM_LENGTH = 6
MAX_GRANTS = 100
SHAPE = rf"mem_[0-9A-Za-z]{{{ID_LENGTH}}}_[0-9A-Za-z]{{{SECRET_LENGTH}}}_[0-9A-Za-z]{{{CHECKSUM_LENGTH}}}"
_KEY = re.compile(SHAPE)
KEY_ID = re.compile(rf"[0-9A-Za-z]{{{ID_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A stored key, without its secret."""

    key_id: str
    role: KeyRole
    banks: tuple[str, ...]
    """Bank ids, or prefixes that end in `*`."""
    may_erase: bool
    agent_id: str | None
    """The agent that writes with this key; null lets requests name their agent."""
    note: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None
    rotated_from: str | None
    last_used_at: datetime | None
    requests_per_minute: int | None
    messages_per_minute: int | None
    """Messages and committed memories."""
    model_tokens_per_minute: int | None
    """Estimated tokens of the text of messages and committed memories."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A created key. `key` is the secret text, which is shown once and not stored."""

    key_id: str
    key: str = field(repr=False)
    old_expires_at: datetime | None = None
    """Of a rotation: when the old key ends."""


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights of one key."""

    key_id: str
    role: KeyRole
    banks: tuple[str, ...]
    may_erase: bool
    agent_id: str | None
    expires_at: datetime | None
    requests_per_minute: int | None
    messages_per_minute: int | None
    model_tokens_per_minute: int | None

    def limit_of(self, resource: LimitedResource) -> int | None:
        """Units a minute; None without a limit."""
        return getattr(self, f"{resource}_per_minute")

    def covers(self, bank_id: str) -> bool:
        """Whether the key may access this bank."""
        return any(matches(pattern, bank_id) for pattern in self.banks)

    def allows(self, role: KeyRole) -> bool:
        """Whether the key's role includes `role`: admin includes write, write includes read."""
        return KEY_ROLES.index(role) <= KEY_ROLES.index(self.role)

    @property
    def can_erase(self) -> bool:
        """Whether the key may erase: role admin, or role write with the right to erase."""
        return self.role == "admin" or (self.role == "write" and self.may_erase)

    @property
    def expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= datetime.now(UTC)

    @property
    def actor(self) -> str:
        """The actor of an act that names none: the key's agent, else the key."""
        return self.agent_id or f"key:{self.key_id}"

    @property
    def covers_all(self) -> bool:
        """Whether the key may access every bank."""
        return "*" in self.banks


def matches(pattern: str, bank_id: str) -> bool:
    return bank_id.startswith(pattern[:-1]) if pattern.endswith("*") else bank_id == pattern


def generate_key() -> NewKey:
    """A new random key: 190 bits of secret."""
    key_id, secret = (
        "".join(secrets.choice(ALPHABET) for _ in range(length)) for length in (ID_LENGTH, SECRET_LENGTH)
    )
    body = f"mem_{key_id}_{secret}"
    return NewKey(key_id, f"{body}_{checksum(body)}")


def checksum(body: str) -> str:
    """The CRC-32 of a key's first three parts, in base 62."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits


def key_id_of(key: str) -> str | None:
    """The id in a key of the right form; None for other texts, mistyped keys among them."""
    if _KEY.fullmatch(key) is None:
        return None
    body, _, check = key.rpartition("_")
    return key[4 : 4 + ID_LENGTH] if checksum(body) == check else None


def is_key(text: str) -> bool:
    """Whether a text is a key of this service, as far as its checksum says."""
    return key_id_of(text) is not None


def hash_of(key: str) -> bytes:
    """The stored form of a key. Its secret is random, so that a fast hash is enough."""
    return hashlib.sha256(key.encode()).digest()


def check_grants(banks: Sequence[str]) -> tuple[str, ...]:
    """The banks of a new key: bank ids, or prefixes that end in `*`. Errors: InvalidInput naming `banks`."""
    if isinstance(banks, str) or not 1 <= len(banks) <= MAX_GRANTS:
        raise InvalidInput("banks", f"must be a list of 1 to {MAX_GRANTS} bank ids or prefixes ending in *")
    for pattern in banks:
        bank_id = pattern.removesuffix("*")
        if not (BANK_ID.fullmatch(bank_id) or pattern == "*"):
            raise InvalidInput("banks", f"{pattern!r} is no bank id, and no prefix of one followed by *")
    return tuple(dict.fromkeys(banks))
