"""The hashes of erased ids."""

from __future__ import annotations

import hmac
from typing import cast

import pytest

from tests.conftest import Admin


@pytest.mark.parametrize("key", [b"", b"k", bytes(range(32)), b"\xff" * 64, b"long" * 40])
@pytest.mark.parametrize("message", [b"", b"message", b"\x00\xff" * 300])
def test_hmac_is_that_of_python(admin: Admin, key: bytes, message: bytes) -> None:
    found = admin.execute("select memory_internal.hmac_sha256(%s, %s)", (key, message)).fetchone()
    assert found == (hmac.digest(key, message, "sha256"),)


def test_ids_are_hashed_under_the_secret_of_the_installation(admin: Admin) -> None:
    row = admin.execute("select secret from memory.erasure_secret").fetchone()
    assert row
    secret = cast("bytes", row[0])
    assert len(secret) == 32
    found = admin.execute("select memory_internal.erased_id_hash('memory', 'x')").fetchone()
    assert found == (hmac.digest(secret, b"memory:x", "sha256"),)


def test_the_service_cannot_read_the_secret(admin: Admin) -> None:
    found = admin.execute(
        "select has_table_privilege('memory_service', 'memory.erasure_secret', 'select')"
    ).fetchone()
    assert found == (False,)
