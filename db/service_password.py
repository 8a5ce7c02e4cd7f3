"""The password of the role memory_service: sent as a SCRAM verifier, and only where it is not in force already."""

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
TRIES = 20
LOGIN_SECONDS = 15
METHOD = "SCRAM-SHA-256"


def set_password(driver: Driver, url: str, password: str) -> None:
    """Set the service's password unless it is in force. `url` is the administrator's, on the same server.

    The statement holds a verifier made here, so that the password is in no log of statements.
    """
    if not _in_force(driver, url, password):
        verifier = driver.pgconn.encrypt_password(password.encode(), ROLE.encode(), METHOD.lower().encode())
        _alter(driver, verifier.decode())


def _in_force(driver: Driver, url: str, password: str) -> bool:
    """Whether the service could log in: by the stored verifier where the administrator may read it, else by trying."""
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
    """Whether a SCRAM verifier (RFC 5803) is this password's. False for other kinds of hashes."""
    try:
        method, parameters, keys = verifier.split("$")
        iterations, salt = parameters.split(":")
        if method != METHOD:
            return False
        # A password that SASLprep changes does not match here; it is then set at each start.
        salted = hashlib.pbkdf2_hmac("sha256", password.encode(), b64decode(salt), int(iterations))
        stored = b64decode(keys.split(":")[0])
    except ValueError:
        return False
    client = hmac.digest(salted, b"Client Key", "sha256")
    return hmac.compare_digest(hashlib.sha256(client).digest(), stored)


def _alter(driver: Driver, verifier: str) -> None:
    """Set the verifier. Roles belong to the server, so a migration of another database may set it at the same time; the
    later of the two gets "tuple concurrently updated" and tries again."""
    statement = sql.SQL("alter role {} password {}").format(sql.Identifier(ROLE), sql.Literal(verifier))
    for _ in range(TRIES):
        try:
            with driver.transaction():
                driver.execute(statement)
        except psycopg.errors.InternalError_:
            continue
        return
    driver.execute(statement)
