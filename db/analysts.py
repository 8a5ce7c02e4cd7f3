"""Logins of analysts: members of memory_analyst that see the banks of memory.analyst_grant. For administrators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
from psycopg import sql

Driver = psycopg.Connection[tuple[object, ...]]

# Memberships by which a role would see or write more than its grants.
TOO_MANY_RIGHTS = """
select case when r.rolsuper then 'is a superuser'
            when r.rolbypassrls then 'has BYPASSRLS'
            when r.rolcreaterole then 'may create roles'
            else (select 'is a member of ' || m.rolname
                    from pg_roles m
                   where m.rolname in ('memory_owner', 'memory_service', 'memory_reader', 'pg_read_all_data',
                                       'pg_write_all_data', 'pg_execute_server_program', 'pg_read_server_files',
                                       'pg_write_server_files')
                     and pg_has_role(r.oid, m.oid, 'member')
                   order by m.rolname limit 1) end
  from pg_roles r
 where r.rolname = %s
"""


class AnalystRefused(Exception):
    """The grant cannot be made or revoked; the message names the reason."""


@dataclass(frozen=True, slots=True)
class Analyst:
    """A role, the banks or prefixes granted to it, and whether it is a login and member of memory_analyst."""

    role: str
    banks: list[str]
    can_log_in: bool
    is_member: bool


def grant_analyst(url: str, role: str, banks: Sequence[str], *, create: bool = False) -> Analyst:
    """Add grants of banks and prefixes to those of a role; `url` is an administrator's.

    A bank on another server is read by the views of all servers; that it exists is for the caller to check.
    Errors: AnalystRefused for a role that does not exist (without `create`) or that has rights beyond its banks, and
    for a bank that does not exist.
    """
    with psycopg.connect(url) as driver:
        name = sql.Identifier(role)
        if driver.execute("select from pg_roles where rolname = %s", (role,)).fetchone() is None:
            if not create:
                raise AnalystRefused(f"there is no role {role}; --create creates it as a login")
            driver.execute(sql.SQL("create role {} login").format(name))
        row = driver.execute(TOO_MANY_RIGHTS, (role,)).fetchone()
        if role.startswith("memory_") or (row is not None and row[0] is not None):
            reason = row[0] if row is not None and row[0] is not None else "is a role of the service"
            raise AnalystRefused(f"the role {role} {reason}: grants would not limit it")
        for bank in banks:
            known = driver.execute(
                "select from memory.bank where bank_id = %(bank)s or right(%(bank)s, 1) = '*' "
                "union all select where memory_internal.server_of(%(bank)s) <> 'home'",
                {"bank": bank},
            ).fetchone()
            if known is None:
                raise AnalystRefused(f"there is no bank {bank}; prefixes end in *")
            driver.execute(
                "insert into memory.analyst_grant (role_name, banks, granted_at) values (%s, %s, now()) "
                "on conflict on constraint analyst_grant_pkey do nothing",
                (role, bank),
            )
        record(driver, "analyst_granted", role, banks)
        driver.execute(sql.SQL("grant memory_analyst to {} with inherit true, set false").format(name))
        return next(one for one in read_analysts(driver) if one.role == role)


def revoke_analyst(url: str, role: str, banks: Sequence[str] = ()) -> None:
    """Revoke these grants of a role, or all and its membership. Applies to its next statement.

    Errors: AnalystRefused where a grant does not exist.
    """
    with psycopg.connect(url) as driver:
        for bank in banks:
            removed = driver.execute(
                "delete from memory.analyst_grant where role_name = %s and banks = %s", (role, bank)
            ).rowcount
            if not removed:
                raise AnalystRefused(f"the role {role} has no grant of {bank}")
        if banks:
            record(driver, "analyst_revoked", role, banks)
            return
        known = driver.execute("delete from memory.analyst_grant where role_name = %s", (role,)).rowcount
        member = driver.execute(
            "select from pg_auth_members where roleid = 'memory_analyst'::regrole and member = to_regrole(%s)",
            (sql.Identifier(role).as_string(driver),),
        ).fetchone()
        if member is not None:
            driver.execute(sql.SQL("revoke memory_analyst from {}").format(sql.Identifier(role)))
        elif not known:
            raise AnalystRefused(f"the role {role} has no grants")
        record(driver, "analyst_revoked", role, ["*"])


def record(driver: Driver, action: str, role: str, banks: Sequence[str]) -> None:
    """Record the act in memory.audit_event."""
    driver.execute(
        "select memory_internal.record_audit(action => %s, actor => 'operator', key => null, bank => null, "
        "subjects => %s, details => '{}', at => now())",
        (action, [role, *banks]),
    )


def list_analysts(url: str) -> list[Analyst]:
    """All members of memory_analyst and all roles with grants, by name."""
    with psycopg.connect(url) as driver:
        return read_analysts(driver)


def read_analysts(driver: Driver) -> list[Analyst]:
    found = driver.execute(
        "select coalesce(g.role_name, r.rolname), coalesce(g.banks, '{}'), coalesce(r.rolcanlogin, false), "
        "m.member is not null "
        "from (select role_name, array_agg(banks order by banks) as banks from memory.analyst_grant group by 1) g "
        "full join (pg_auth_members m join pg_roles r on r.oid = m.member and m.roleid = 'memory_analyst'::regrole "
        "and not m.admin_option) on r.rolname = g.role_name order by 1"
    ).fetchall()
    return [Analyst(str(row[0]), list(row[1]), bool(row[2]), bool(row[3])) for row in found]  # type: ignore[call-overload]
