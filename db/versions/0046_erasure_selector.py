"""Receipts hold hashes of the ids that an erasure named instead of the ids: callers choose some of them."""

from __future__ import annotations

import hmac
import json
from uuid import UUID

from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

KINDS = {"memory_ids": "memory", "conversation_id": "conversation", "agent_id": "agent"}


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    (secret,) = execute("select secret from memory.erasure_secret").fetchone()

    def hashed(kind: str, text: str) -> str:
        return hmac.digest(secret, f"{kind}:{text}".encode(), "sha256").hex()

    rows = execute(
        "select bank_id, erasure_id, selector from memory.erasure where selector <> '{}'"
    ).fetchall()
    for bank_id, erasure_id, selector in rows:
        for name, kind in KINDS.items():
            if name == "memory_ids" and name in selector:
                selector[name] = [hashed(kind, str(UUID(one))) for one in selector[name]]
            elif name in selector:
                selector[name] = hashed(kind, selector[name])
        execute(
            "update memory.erasure set selector = %s::jsonb where bank_id = %s and erasure_id = %s",
            (json.dumps(selector), bank_id, erasure_id),
        )
