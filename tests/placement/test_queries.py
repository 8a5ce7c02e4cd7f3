"""`sql` and analysts over two real servers: nothing is silently left out or counted twice."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memory_service.config import Settings
from memory_service.db.analysts import grant_analyst
from memory_service.errors import DatabaseUnsuitable, InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.placement import analytics, move
from memory_service.placement.analytics import LINK_ROLE, VIEWS, link_servers
from memory_service.placement.queries import check_banks, query_servers
from memory_service.placement.registry import add_server, migrate_all
from memory_service.store.servers import HOME, ServerUrls
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.isolation.victim import fill
from tests.placement.conftest import SECOND, names_on
from tests.placement.test_server_commands import run

Connected = psycopg.Connection[tuple[Any, ...]]

EPISODES = "select bank_id, count(*) as episodes from memory_entry group by 1 order by 1"


def leave_rows(*_: object) -> None: ...


@pytest.fixture
async def banks(
    memory: Memory, two_servers: Settings, service: Connection, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """A filled bank of each server; an interrupted move left the rows of that of the second on the home server."""
    monkeypatch.setattr(move, "delete_former_rows", leave_rows)
    here, there = names_on(memory, HOME, 2)
    for bank, word in ((here, "walnuts"), (there, "herons")):
        fill(service, bank, word, conversation=f"{word}talk", client_id=f"{word}client", key=f"{word}key")
    await asyncio.to_thread(move.move_bank, two_servers, there, SECOND, "ann")
    assert admin.execute("select count(*) from memory.bank").fetchone() == (2,)
    return here, there


def timeless(row: dict[str, object]) -> str:
    """A row without what depends on the time of the query."""
    kept = {name: value for name, value in row.items() if name != "server" and not isinstance(value, float)}
    return json.dumps(kept, sort_keys=True)


def rows(settings: Settings, query: str, *banks: str, together: bool = False) -> list[list[str | None]]:
    return query_servers(settings, query, banks, seconds=60, together=together).rows


def test_a_query_asks_the_servers_that_have_the_banks(banks: tuple[str, str], two_servers: Settings) -> None:
    here, there = banks
    ours, theirs = (rows(two_servers, EPISODES, bank) for bank in banks)
    assert [row[0] for row in (*ours, *theirs)] == [here, there]
    both = [[HOME, *ours[0]], [SECOND, *theirs[0]]]
    for chosen in ((here, there), ("*",), ("bank*",), ("*", there)):
        assert rows(two_servers, EPISODES, *chosen) == both, chosen
        assert rows(two_servers, "select count(*) from memory.bank", *chosen) == [[HOME, "1"], [SECOND, "1"]]
    answer = query_servers(two_servers, EPISODES, ["*"], seconds=60)
    assert answer.columns == ["server", "bank_id", "episodes"]
    assert answer.records()[1] == {"server": SECOND, "bank_id": there, "episodes": int(str(theirs[0][1]))}
    assert rows(two_servers, EPISODES, f"{there}*") == theirs  # the home server has none that match
    for absent in ("nobody", "bank9999", "nobody*"):
        with pytest.raises(NotFound, match="there is no bank"):
            rows(two_servers, EPISODES, here, absent)
    check_banks(two_servers, [there, "nobody*"])
    with pytest.raises(NotFound, match="bank9999"):
        check_banks(two_servers, [there, "bank9999"])
    with pytest.raises(InvalidInput, match="syntax"):
        rows(two_servers, "selekt", "*")
    printed = run(two_servers, "memory_service", "sql", EPISODES, "--all", "--csv").splitlines()
    assert printed == ["server,bank_id,episodes", *(",".join(map(str, row)) for row in both)]


@pytest.fixture
def analyst(admin: Admin, settings: Settings) -> Iterator[tuple[str, str]]:
    """A login of the home server: its name and its URL."""
    assert settings.database_url is not None
    name = f"analyst_{uuid.uuid4().hex[:8]}"
    admin.execute(sql.SQL("create role {} login").format(sql.Identifier(name)))
    yield name, make_conninfo(settings.database_url.get_secret_value(), user=name)
    admin.execute(sql.SQL("drop owned by {}").format(sql.Identifier(name)))
    admin.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


@pytest.mark.usefixtures("postgres_fdw")
def test_views_of_all_servers(
    banks: tuple[str, str], two_servers: Settings, admin: Admin, second: Admin, analyst: tuple[str, str]
) -> None:
    here, there = banks
    with pytest.raises(DatabaseUnsuitable, match="analyst link"):
        rows(two_servers, "select 1", "*", together=True)
    assert link_servers(two_servers) == link_servers(two_servers) == [HOME, SECOND]
    name, url = analyst
    administrator = str(two_servers.database_url and two_servers.database_url.get_secret_value())
    night = (
        "insert into memory.job_run (job_run_id, night_id, pass, bank_ids, as_of, started_at, ended_at, seconds, "
        "outcome, worker) values (gen_random_uuid(), gen_random_uuid(), 'merge', array[%s], now(), now(), now(), 1, "
        "'done', 'w')"
    )
    for connection, bank in ((admin, here), (second, there)):
        connection.execute(night.encode(), (bank,))

    def seen(connection: Connected, view: str, columns: list[str]) -> list[tuple[str, str]]:
        read = sql.SQL("select {}, server from analytics_all.{}").format(
            sql.SQL(", ").join(map(sql.Identifier, columns)), sql.Identifier(view)
        )
        found = connection.execute(sql.SQL("select to_jsonb(r) from ({}) r").format(read)).fetchall()
        return sorted((timeless(row), row["server"]) for (row,) in found)

    def stored(connection: Connected, view: str, bank: str, server: str) -> list[tuple[str, str]]:
        of = "bank_ids = array[%s]" if view == "job_run" else "bank_id = %s"
        found = connection.execute(f"select to_jsonb(v) from analytics.{view} v where {of}".encode(), (bank,))
        return sorted((timeless(row), server) for (row,) in found.fetchall())

    views: list[tuple[str, list[str]]] = cast("Connected", admin).execute(VIEWS.encode()).fetchall()
    with psycopg.connect(url, autocommit=True) as reader:
        for granted in ((here, HOME, admin), (there, SECOND, second)):
            grant_analyst(administrator, name, [granted[0]])
            allowed = [(here, HOME, admin), (there, SECOND, second)] if granted[0] == there else [granted]
            for view, columns in views:
                expected = sorted(row for place in allowed for row in stored(place[2], view, *place[:2]))
                if view in ("audit", "job_run"):  # these stay on the server where they were written
                    expected += [(row, HOME) for row, _ in stored(admin, view, there, SECOND)] * (
                        len(allowed) - 1
                    )
                else:
                    assert {server for _, server in expected} == {server for _, server, _ in allowed}, view
                assert seen(reader, view, columns) == sorted(expected), view
        for secret in (
            "select umoptions from pg_user_mapping",
            "select * from memory_on_s2.fact",
            "delete from analytics_all.fact",
        ):
            with pytest.raises(psycopg.Error, match=r"permission denied|cannot delete"):
                reader.execute(secret.encode())
        assert reader.execute("select umoptions from pg_user_mappings").fetchall() == [(None,)]
    totals = rows(
        two_servers, "select count(*), count(distinct server) from memory_entry", "*", together=True
    )
    ours, theirs = (rows(two_servers, EPISODES, bank) for bank in banks)
    assert totals == [[str(int(str(ours[0][1])) + int(str(theirs[0][1]))), "2"]]
    assert rows(two_servers, EPISODES, there, together=True) == theirs
    with pytest.raises(InvalidInput, match="of the home server alone"):
        rows(two_servers, "select count(*) from analytics.fact", "*", together=True)


@pytest.mark.usefixtures("postgres_fdw")
def test_later_servers_are_linked(
    two_servers: Settings, second_url: str, admin: Admin, second: Admin
) -> None:
    for connection in (admin, second):  # of an earlier release
        connection.execute("create view analytics.earlier as select b.bank_id from memory.bank b")
        connection.execute("alter view analytics.earlier owner to memory_owner")
    link_servers(two_servers)
    options = "select array_to_string(srvoptions, ' ') from pg_foreign_server"
    before = admin.execute(options.encode()).fetchall()
    named = f"{second_url}&sslmode=disable"
    add_server(two_servers, SECOND, ServerUrls(named, None, None), None, "ann")
    after = admin.execute(options.encode()).fetchall()
    assert ("sslmode=disable" in str(before), "sslmode=disable" in str(after)) == (False, True)
    assert admin.execute("select to_regclass('analytics_all.earlier') is not null").fetchone() == (True,)
    admin.execute("update memory.installation set digest = 'earlier'")
    migrate_all(two_servers)
    assert admin.execute("select to_regclass('analytics_all.earlier')").fetchone() == (None,)
    assert admin.execute("select * from analytics_all.fact").fetchall() == []


TLS = {
    "sslmode": "prefer", "sslrootcert": "/none/ca.crt", "sslcert": "/none/client.crt", "sslkey": "/none/client.key",
    "sslcrl": "/none/crl", "ssl_min_protocol_version": "TLSv1.3", "channel_binding": "disable",
    "gssencmode": "disable", "connect_timeout": "7", "keepalives_idle": "30",
}  # fmt: skip


@pytest.mark.usefixtures("postgres_fdw")
def test_all_parts_of_a_url_are_handed_over(two_servers: Settings, second_url: str, admin: Admin) -> None:
    named = f"{second_url}&{urlencode(TLS)}&sslpassword=tides&application_name=ours&passfile=/none/pass"
    add_server(two_servers, SECOND, ServerUrls(named, None, None), None, "ann")
    link_servers(two_servers)
    (row,) = admin.execute(
        "select srvoptions, umoptions from pg_foreign_server join pg_user_mappings using (srvname)"
    )
    options, login = (dict(one.split("=", 1) for one in part) for part in row)  # type: ignore[attr-defined]
    assert TLS.items() <= options.items()
    assert (options["application_name"], login["sslpassword"], login["user"]) == ("ours", "tides", LINK_ROLE)
    assert not {"password", "sslpassword", "passfile", "user"} & options.keys()
    admin.execute("select * from analytics_all.fact")


@pytest.mark.usefixtures("postgres_fdw")
def test_a_part_that_the_home_server_does_not_know_is_named(
    two_servers: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analytics, "NOT_LINKED", ())
    with pytest.raises(DatabaseUnsuitable, match=r'server s2 .* does not know: invalid option "user"'):
        link_servers(two_servers)


@pytest.mark.usefixtures("postgres_fdw")
@pytest.mark.parametrize("made", [
    "create view mine as select fact from analytics_all.fact",
    "create materialized view mine as select fact from analytics_all.fact",
    "create view analytics_all.mine as select 1",
    "create function mine() returns bigint language sql begin atomic select count(*) from analytics_all.fact; end",
])  # fmt: skip
def test_views_of_others_are_not_dropped(
    two_servers: Settings, second_url: str, admin: Admin, made: str
) -> None:
    link_servers(two_servers)
    admin.execute(made.encode())
    assert not migrate_all(two_servers)
    urls = ServerUrls(f"{second_url}&sslmode=disable", None, None)
    for again in (
        lambda: link_servers(two_servers),
        lambda: add_server(two_servers, SECOND, urls, None, "ann"),
    ):
        with pytest.raises(DatabaseUnsuitable, match=r"analytics_all would take with them .*\bmine\b"):
            again()
    added = admin.execute(
        "select count(*) from memory_api.read_server_map() m where m::text like '%sslmode%'"
    )
    assert added.fetchone() == (0,), "refused before the map is changed"
    admin.execute("update memory.installation set digest = 'earlier'")
    with pytest.raises(DatabaseUnsuitable, match=r"would take with them .*\bmine\b.*: drop these before"):
        migrate_all(two_servers)
    kind = "function" if "function" in made else "materialized view" if "materialized" in made else "view"
    admin.execute(f"drop {kind} {'analytics_all.' if 'all.mine' in made else ''}mine".encode())
    migrate_all(two_servers)
    assert admin.execute("select * from analytics_all.fact").fetchall() == []


@pytest.fixture
def asks_for_passwords(
    second: Admin, second_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The second server asks the link for its password; that of the administrator is in a password file."""
    file = tmp_path / "pgpass"
    file.write_text(f"*:*:{conninfo_to_dict(second_url)['dbname']}:postgres:tides\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    (found,) = second.execute("show hba_file").fetchall()
    rules = Path(str(found[0]))
    before = rules.read_text()
    rules.write_text(f"local all {LINK_ROLE} scram-sha-256\n{before}")
    second.execute("select pg_reload_conf()")
    yield
    rules.write_text(before)
    second.execute("select pg_reload_conf()")


@pytest.mark.usefixtures("postgres_fdw")
def test_the_link_has_a_password_of_its_own(
    asks_for_passwords: None,
    two_servers: Settings,
    second_url: str,
    admin: Admin,
    second: Admin,
    analyst: tuple[str, str],
) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(make_conninfo(second_url, user=LINK_ROLE, password="tides"))
    link_servers(two_servers)
    assert admin.execute("select * from analytics_all.fact").fetchall() == []
    options = "select array_to_string(umoptions, ' ') from pg_user_mappings"
    passwords = admin.execute(options.encode()).fetchall()
    link_servers(two_servers)
    passwords += admin.execute(options.encode()).fetchall()
    assert len(set(passwords)) == 2, "random, not derived from the administrator's"
    assert all(re.fullmatch(rf"user={LINK_ROLE} password=[0-9a-f]{{48}}", str(one)) for (one,) in passwords)
    (stored,) = second.execute(
        "select rolpassword from pg_authid where rolname = %s", (LINK_ROLE,)
    ).fetchall()
    assert str(stored[0]).startswith("SCRAM-SHA-256$")
    with psycopg.connect(analyst[1]) as reader:
        assert reader.execute(options.encode()).fetchall() == [(None,)]
