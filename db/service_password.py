"""Set the password of the role memory_service, as a SCRAM verifier and only if it differs from the present one."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

if TYPE_CHECKING:
    from memory_service.db.migrate import Driver

ROLE = "memory_service"
MAX_TRIES = 20
LOGIN_SECONDS = 15
METHOD = "SCRAM-SHA-256"


def set_password(driver: Driver, url: str, password: str) -> None:
    """Set the password of memory_service unless it is already valid. `url` is the administrator's, on the same server.

    The verifier is computed here, so that the password does not appear in statement logs.
    """
    if not _is_valid(driver, url, password):
        verifier = driver.pgconn.encrypt_password(password.encode(), ROLE.encode(), METHOD.lower().encode())
        _alter(driver, verifier.decode())


def _is_valid(driver: Driver, url: str, password: str) -> bool:
    """Whether memory_service can log in: by the stored verifier if the administrator may read it, else by login."""
    row = driver.execute("select has_table_privilege('pg_catalog.pg_authid', 'select')").fetchone()
    if row is not None and row[0]:
        stored = driver.execute("select rolpassword from pg_authid where rolname = %s", (ROLE,)).fetchone()
        return stored is not None and stored[0] is not None and matches(str(stored[0]), password)
    login = make_conninfo(url, user=ROLE, password=password, connect_timeout=LOGIN_SECONDS)
    try:
        psycopg.connect(login).close()
    except psycopg.OperationalError:
        return False
    return True


def matches(verifier: str, password: str) -> bool:
    """Whether a SCRAM verifier (RFC 5803) belongs to this password; False for other kinds of hashes."""
    try:
        method, parameters, keys = verifier.split("$")
        iterations, salt = parameters.split(":")
        if method != METHOD:
            return False
        # SASLprep is not applied: a password that it changes never matches and is set again at each start.
        salted = hashlib.pbkdf2_hmac("sha256", password.encode(), b64decode(salt), int(iterations))
        stored = b64decode(keys.split(":")[0])
    except ValueError:
        return False
    client = hmac.digest(salted, b"Client Key", "sha256")
    return hmac.compare_digest(hashlib.sha256(client).digest(), stored)


def _alter(driver: Driver, verifier: str) -> None:
    """Set the verifier, retrying on "tuple concurrently updated".

    Roles belong to the server: a migration of another database may alter the role at the same time.
    """
    statement = sql.SQL("alter role {} password {}").format(sql.Identifier(ROLE), sql.Literal(verifier))
    for _ in range(MAX_TRIES):
        try:
            with driver.transaction():
                driver.execute(statement)
        except psycopg.errors.InternalError_:
            continue
        return
    driver.execute(statement)
